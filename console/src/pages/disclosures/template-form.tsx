import { FileText } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { languageName, useLanguage, useTexts } from "../../lib/language";
import { textOrNull } from "../../lib/typed";
import { Button } from "../../ui/button";
import { FieldGrid, FieldGroup } from "../../ui/field-grid";
import { Form, SubmitButton, TextArea, TextField, useActionForm } from "../../ui/form";
import { ErrorPanel, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { bodyOf, valuesOf, type TemplateValues } from "./template-values";
import { texts } from "./texts";
import type { Template } from "./types";

const contactFields = ["name", "phone", "email", "website", "address"] as const;

interface Props {
  template: Template;
  language: string;
  onLanguage: (language: string) => void;
}

/** Contacts, and the texts of a language; a change waits for another manager. */
export function TemplateForm({ template, language, onLanguage }: Props) {
  const t = useTexts(texts);
  const { profile } = template;
  const form = useActionForm({
    operation: "putDisclosureTemplate",
    run: (body: Parameters<typeof api.disclosures.putTemplate>[1], options) =>
      api.disclosures.putTemplate(profile, body, options),
    stales: ["organisation", "approvals", "corridors"],
    done: ({ approval }) => (approval ? t.waits : t.unchanged),
    defaults: valuesOf(template, language),
    keep: true,
    toInput: (values: TemplateValues) => ({
      ...bodyOf(template, language, values),
      reason: textOrNull(values.reason),
    }),
  });
  const preview = useAction({
    operation: "previewDisclosureTemplate",
    run: async (values: TemplateValues, options) => {
      const draft = { ...bodyOf(template, language, values), kind: "RECEIPT" as const, language };
      const pdf = await api.disclosures.previewTemplate(profile, draft, { format: "pdf" }, options);
      return saveFile(pdf, `${profile}-${language}.pdf`, "application/pdf");
    },
    done: t.previewSaved,
  });
  return (
    <Form of={form}>
      <Section title={t.contacts}>
        <div className="flex flex-col gap-6">
          {(["operator", "authority"] as const).map((whose) => (
            <FieldGroup key={whose} title={t[whose]}>
              <FieldGrid columns={3}>
                {contactFields.map((field) => (
                  <TextField key={field} form={form.form} name={`${whose}.${field}`} label={t[field]} />
                ))}
              </FieldGrid>
            </FieldGroup>
          ))}
        </div>
      </Section>
      <Section title={t.words}>
        <LanguageChoice template={template} language={language} onLanguage={onLanguage} />
        <p className="my-3 text-muted">{t.textsHint}</p>
        <FieldGrid>
          {Object.keys(valuesOf(template, language).texts).map((name) => (
            <TextArea key={name} form={form.form} name={`texts.${name}`} label={name} rows={2} />
          ))}
        </FieldGrid>
      </Section>
      <TextArea form={form.form} name="reason" label={t.reason} rows={2} />
      <ErrorPanel error={preview.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button icon={FileText} busy={preview.isRunning} onClick={() => void preview.run(form.form.getValues())}>
          {t.preview}
        </Button>
        <SubmitButton of={form}>{t.ask}</SubmitButton>
      </div>
    </Form>
  );
}

function LanguageChoice({ template, language, onLanguage }: Props) {
  const t = useTexts(texts);
  const own = useLanguage();
  const known = [...template.shipped, ...template.languages].map((one) => one.language);
  const [other, setOther] = useState("");
  const isOther = /^[a-z]{2,3}$/.test(other);
  return (
    <div className="flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1">
        <span>{t.language}</span>
        <select className="control" value={language} onChange={(event) => onLanguage(event.target.value)}>
          {[...new Set([...known, language])].map((one) => (
            <option key={one} value={one}>
              {languageName(one, own)}
            </option>
          ))}
        </select>
      </label>
      <label className="flex flex-col gap-1">
        <span>{t.otherLanguage}</span>
        <input
          className="control"
          value={other}
          maxLength={3}
          onChange={(event) => setOther(event.target.value.trim().toLowerCase())}
        />
      </label>
      <Button disabled={!isOther} onClick={() => onLanguage(other)}>
        {t.write}
      </Button>
    </div>
  );
}
