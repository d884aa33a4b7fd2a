import { decimal } from "@manilla/client";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { AmountField } from "../../ui/amount-field";
import { TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { texts } from "./texts";
import type { Transaction } from "./types";

/** Asks for a refund, whole or in part; a second person decides. */
export function RefundDialog({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "requestRefund",
    run: (input: { amount?: ReturnType<typeof decimal>; reason: string }, options) =>
      api.transactions.requestRefund(transaction.id, input, options),
    stales: ["transactions", "approvals"],
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.refundAsked : t.refundDone),
    onDone: onClose,
    defaults: { amount: "", reason: "" },
    toInput: ({ amount, reason }) => {
      const exact = typedAmount(amount);
      return { reason: reason.trim(), ...(exact !== undefined && { amount: decimal(exact) }) };
    },
  });
  return (
    <FormDialog
      title={t.refundTitle}
      of={form}
      submit={t.askRefund}
      intro={<p className="mb-4 text-muted">{t.refundHint}</p>}
      onClose={onClose}
    >
      <AmountField form={form.form} name="amount" label={t.amount} hint={t.amountHint(transaction.sendCurrency)} />
      <TextArea form={form.form} name="reason" label={t.refundReason} isRequired />
    </FormDialog>
  );
}
