import { Eye } from "lucide-react";
import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Form, SubmitButton, TextArea, TextField, useActionForm } from "../../ui/form";
import { Stack } from "../../ui/page";
import { ErrorPanel, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";
import type { Kind, Template } from "./types";

interface Words {
  subject: string;
  text: string;
  html: string;
}
type Shown = AnswerOf<typeof api.notifications.previewTemplate>;

/** The words, saved onto the revision that was read; a preview of what is typed beside them. */
export function WordsForm({ template, placeholders }: { template: Template; placeholders: Kind["placeholders"] }) {
  const t = useTexts(texts);
  const { kind, channel, language, revision } = template;
  const isMail = channel === "EMAIL";
  const [shown, setShown] = useState<Shown>();
  const preview = useAction({
    operation: "previewNotificationTemplate",
    run: (words: Words, options) =>
      api.notifications.previewTemplate(kind, channel, language, { draft: sent(words, isMail) }, options),
    onDone: setShown,
  });
  const form = useActionForm({
    operation: "saveNotificationTemplate",
    run: (words: Words, options) =>
      api.notifications.saveTemplate(kind, channel, language, { revision, ...sent(words, isMail) }, options),
    stales: ["organisation"],
    done: t.saved,
    defaults: { subject: template.subject ?? "", text: template.text, html: template.html ?? "" },
    keep: true,
    toInput: (words: Words) => words,
  });
  const unknown = (text: string) => {
    const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? "");
    const odd = names.find((name) => !placeholders.some((one) => one.name === name));
    return odd !== undefined && placeholders.length > 0 ? t.unknownPlaceholder(odd) : undefined;
  };
  return (
    <Stack>
      <Section title={t.words}>
        <Form of={form}>
          {isMail && <TextField form={form.form} name="subject" label={t.subject} check={unknown} isRequired />}
          <TextArea form={form.form} name="text" label={t.text} rows={9} check={unknown} isRequired />
          {isMail && <TextArea form={form.form} name="html" label="HTML" hint={t.htmlHint} rows={6} check={unknown} />}
          <div className="flex flex-wrap justify-end gap-2">
            <Button icon={Eye} busy={preview.isRunning} onClick={() => void preview.run(form.form.getValues())}>
              {t.preview}
            </Button>
            <SubmitButton of={form}>{t.save}</SubmitButton>
          </div>
        </Form>
      </Section>
      <ErrorPanel error={preview.error} />
      {shown && <Preview shown={shown} />}
    </Stack>
  );
}

function Preview({ shown }: { shown: Shown }) {
  const t = useTexts(texts);
  return (
    <Section title={t.preview}>
      <p className="mb-2 text-xs text-muted">{t.previewHint}</p>
      {shown.subject && <p className="mb-2 font-semibold">{shown.subject}</p>}
      <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{shown.text}</p>
      {shown.html && (
        <details className="mt-3">
          <summary className="text-muted">HTML</summary>
          <pre className="mt-2 max-h-72 overflow-auto rounded-md border border-line bg-canvas p-2.5 text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">
            {shown.html}
          </pre>
        </details>
      )}
    </Section>
  );
}

function sent({ subject, text, html }: Words, isMail: boolean) {
  return { text, ...(isMail && { subject: subject.trim(), ...(html.trim() && { html }) }) };
}
