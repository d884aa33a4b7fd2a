import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Slip } from "./cash-slip";
import { texts } from "./texts";
import { cashStales } from "./tills";

/** Takes the cash of a cash-in that a manager has approved, by the number on its slip. */
export function TakeCashInDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const [taken, setTaken] = useState<AnswerOf<typeof api.cash.takeCashIn>>();
  const form = useActionForm({
    operation: "takeCashIn",
    run: (cashInId: string, options) => api.cash.takeCashIn(cashInId, options),
    stales: cashStales,
    onDone: setTaken,
    defaults: { cashInId: "" },
    toInput: ({ cashInId }: { cashInId: string }) => cashInId.trim(),
  });
  if (taken) return <Slip title={t.takeApproved} done={taken} onClose={onClose} />;
  return (
    <FormDialog title={t.takeApproved} of={form} submit={t.cashIn} onClose={onClose}>
      <p className="text-muted">{t.takeApprovedHint}</p>
      <TextField form={form.form} name="cashInId" label={t.number} isRequired />
    </FormDialog>
  );
}
