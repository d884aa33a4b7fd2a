import { caseOutcomes } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { SelectField, TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { texts } from "./texts";
import type { Case } from "./types";

type Input = Omit<Parameters<typeof api.compliance.closeCase>[1], "version">;

export function CloseDialog({ of, onClose }: { of: Case; onClose: () => void }) {
  const t = useTexts(texts);
  const { caseId, version } = of;
  const form = useActionForm({
    operation: "closeCase",
    run: (input: Input, options) => api.compliance.closeCase(caseId, { ...input, version }, options),
    stales: ["cases"],
    done: t.closed,
    onDone: onClose,
    defaults: { outcome: "", reason: "" },
    keep: true,
    toInput: ({ outcome, reason }): Input => ({ outcome: outcome as Input["outcome"], reason: reason.trim() }),
  });
  return (
    <FormDialog
      title={t.closeTitle}
      of={form}
      submit={t.close}
      intro={<p className="mb-4 text-muted">{t.closeHint}</p>}
      onClose={onClose}
    >
      <SelectField
        form={form.form}
        name="outcome"
        label={t.outcome}
        isRequired
        nothing={t.choose}
        options={caseOutcomes.map((value) => ({ value, label: t[`outcome${value}`] }))}
      />
      <TextArea form={form.form} name="reason" label={t.reason} hint={t.reasonHint} isRequired />
    </FormDialog>
  );
}
