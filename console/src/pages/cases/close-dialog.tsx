import { caseOutcomes } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SelectField, SubmitButton, TextArea, useActionForm } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";
import type { Case } from "./types";

type Input = Omit<Parameters<typeof api.compliance.closeCase>[1], "version">;

export function CloseDialog({ of, onClose }: { of: Case; onClose: () => void }) {
  const t = useTexts(texts);
  const { caseId, version } = of;
  const close = useAction({
    operation: "closeCase",
    run: (input: Input, options) => api.compliance.closeCase(caseId, { ...input, version }, options),
    stales: ["cases"],
    done: t.closed,
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: { outcome: "", reason: "" },
    action: close,
    keep: true,
    toInput: ({ outcome, reason }): Input => ({ outcome: outcome as Input["outcome"], reason: reason.trim() }),
  });
  return (
    <Dialog title={t.closeTitle} onClose={onClose}>
      <p className="mb-4 text-muted">{t.closeHint}</p>
      <Form of={form}>
        <SelectField
          form={form.form}
          name="outcome"
          label={t.outcome}
          isRequired
          nothing={t.choose}
          options={caseOutcomes.map((value) => ({ value, label: t[`outcome${value}`] }))}
        />
        <TextArea form={form.form} name="reason" label={t.reason} hint={t.reasonHint} isRequired />
        <DialogActions>
          <Button onClick={onClose}>{t.leave}</Button>
          <SubmitButton of={form}>{t.close}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
