import { useNavigate } from "@tanstack/react-router";
import { casePriorities } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { SelectField, TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { useOptions } from "../compliance/codes";
import { texts } from "./texts";

type Input = Parameters<typeof api.compliance.openCase>[0];

/** Opens a case about a customer by hand; where they have an open one it joins that. */
export function OpenCaseDialog({ customerId = "", onClose }: { customerId?: string; onClose: () => void }) {
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const navigate = useNavigate();
  const form = useActionForm({
    operation: "openCase",
    run: (input: Input, options) => api.compliance.openCase(input, options),
    stales: ["cases"],
    done: t.opened_,
    onDone: ({ caseId }) => {
      onClose();
      void navigate({ to: `/cases/${caseId}` } as never);
    },
    defaults: { customerId, note: "", priority: "", transactionIds: "" },
    toInput: (values): Input => ({
      customerId: values.customerId.trim(),
      note: values.note.trim(),
      ...(values.priority && { priority: values.priority as (typeof casePriorities)[number] }),
      ...(values.transactionIds.trim() && { transactionIds: values.transactionIds.split(/[\s,;]+/).filter(Boolean) }),
    }),
  });
  return (
    <FormDialog
      title={t.openCase}
      of={form}
      submit={t.openCase}
      intro={<p className="mb-4 text-muted">{t.openHint}</p>}
      onClose={onClose}
    >
      <TextField form={form.form} name="customerId" label={t.customerId} isRequired />
      <TextArea form={form.form} name="note" label={t.note} isRequired rows={4} />
      <SelectField
        form={form.form}
        name="priority"
        label={t.priority}
        nothing={t.usualPriority}
        options={optionsOf(casePriorities)}
      />
      <TextArea form={form.form} name="transactionIds" label={t.transactionIds} hint={t.transactionIdsHint} rows={2} />
    </FormDialog>
  );
}
