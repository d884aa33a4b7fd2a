import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Form, SubmitButton, TextArea, useActionForm } from "../../ui/form";
import { texts } from "./texts";

const mostLetters = 4_000;

export function NoteForm({ caseId }: { caseId: string }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "addCaseNote",
    run: (text: string, options) => api.compliance.addCaseNote(caseId, { text }, options),
    stales: ["cases"],
    done: t.noted,
    defaults: { text: "" },
    toInput: ({ text }) => text.trim(),
  });
  return (
    <Form of={form}>
      <TextArea
        form={form.form}
        name="text"
        label={t.note}
        hint={t.noteHint}
        isRequired
        check={(text) => (text.length > mostLetters ? t.tooLong : undefined)}
      />
      <div className="flex justify-end">
        <SubmitButton of={form}>{t.addNote}</SubmitButton>
      </div>
    </Form>
  );
}
