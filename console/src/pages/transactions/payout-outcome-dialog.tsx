import { decimal } from "@manilla/client";
import { payoutOutcomes } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { AmountField } from "../../ui/amount-field";
import { SelectField, TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { worded } from "../../ui/options";
import { texts } from "./texts";
import type { Transaction } from "./types";

type Outcome = (typeof payoutOutcomes)[number];
interface Input {
  outcome: Outcome;
  kept?: ReturnType<typeof decimal>;
  reason: string;
}

/** Says how a payout ended whose partner's word ends nothing; a second person decides. */
export function PayoutOutcomeDialog({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "askPayoutOutcome",
    run: (input: Input, options) => api.transactions.askPayoutOutcome(transaction.id, input, options),
    stales: ["transactions", "approvals"],
    done: () => t.outcomeAsked,
    onDone: onClose,
    defaults: { outcome: "PAID", kept: "", reason: "" },
    toInput: ({ outcome, kept, reason }): Input => {
      const exact = outcome === "RETURNED" ? typedAmount(kept) : undefined;
      const what = { outcome: outcome as Outcome, reason: reason.trim() };
      return { ...what, ...(exact !== undefined && { kept: decimal(exact) }) };
    },
  });
  return (
    <FormDialog
      title={t.unclearTitle}
      of={form}
      submit={t.endPayout}
      intro={<p className="mb-4 text-muted">{t.unclearHint}</p>}
      onClose={onClose}
    >
      <SelectField form={form.form} name="outcome" label={t.outcome} options={worded(payoutOutcomes)} />
      <AmountField form={form.form} name="kept" label={t.kept} hint={t.keptHint(transaction.receivingCurrency)} />
      <TextArea form={form.form} name="reason" label={t.outcomeReason} isRequired />
    </FormDialog>
  );
}
