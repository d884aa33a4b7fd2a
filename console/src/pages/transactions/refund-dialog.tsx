import { decimal } from "@manilla/client";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { AmountField } from "../../ui/amount-field";
import { Button } from "../../ui/button";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Form, SubmitButton, TextArea, useActionForm } from "../../ui/form";
import { useAction } from "../../ui/use-action";
import { texts } from "./texts";
import type { Transaction } from "./types";

/** Asks for a refund, whole or in part; a second person decides. */
export function RefundDialog({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const t = useTexts(texts);
  const refund = useAction({
    operation: "requestRefund",
    run: (input: { amount?: ReturnType<typeof decimal>; reason: string }, options) =>
      api.transactions.requestRefund(transaction.id, input, options),
    stales: ["transactions", "approvals"],
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.refundAsked : t.refundDone),
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: { amount: "", reason: "" },
    action: refund,
    toInput: ({ amount, reason }) => {
      const exact = typedAmount(amount);
      return { reason: reason.trim(), ...(exact !== undefined && { amount: decimal(exact) }) };
    },
  });
  return (
    <Dialog title={t.refundTitle} onClose={onClose}>
      <p className="mb-4 text-muted">{t.refundHint}</p>
      <Form of={form}>
        <AmountField form={form.form} name="amount" label={t.amount} hint={t.amountHint(transaction.sendCurrency)} />
        <TextArea form={form.form} name="reason" label={t.refundReason} isRequired />
        <DialogActions>
          <Button onClick={onClose}>{t.cancel}</Button>
          <SubmitButton of={form}>{t.askRefund}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
