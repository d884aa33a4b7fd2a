import { decimal } from "@manilla/client";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { Money } from "../../ui/figures";
import { SelectField, TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { BranchField } from "./branch-field";
import { CountFields, countOf, noCount, type CountValues } from "./count-fields";
import { texts } from "./texts";
import { tillTexts } from "./till-texts";
import { cashStales } from "./tills";

type Request = Parameters<typeof api.cash.requestCashOrder>[0];
type Count = Parameters<typeof api.cash.receiveCashOrder>[1];

/** Asks for cash of one vault for another. */
export function RequestOrderDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(tillTexts);
  const { currencies, baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "requestCashOrder",
    run: (wanted: Request, options) => api.cash.requestCashOrder(wanted, options),
    stales: cashStales,
    done: t.orderAsked,
    onDone: onClose,
    defaults: { fromBranchCode: "", toBranchCode: "", currency: baseCurrency, amount: "" },
    toInput: ({ fromBranchCode, toBranchCode, currency, amount }): Request => ({
      ...(fromBranchCode && { fromBranchCode }),
      ...(toBranchCode && { toBranchCode }),
      currency: currency as Request["currency"],
      amount: decimal(typedAmount(amount) ?? ""),
    }),
  });
  return (
    <FormDialog title={t.newOrder} of={form} submit={t.newOrder} onClose={onClose}>
      <BranchField form={form.form} name="fromBranchCode" label={t.fromVault} />
      <BranchField form={form.form} name="toBranchCode" label={t.toVault} />
      <SelectField form={form.form} name="currency" label={t.currency} options={plain(currencies)} />
      <AmountField form={form.form} name="amount" label={t.amount} isRequired />
    </FormDialog>
  );
}

interface EndProps {
  order: RowOf<typeof api.cash.listCashOrders>;
  outcome: "RECEIVED" | "RETURNED";
  onClose: () => void;
}

/** Counts what has arrived, or what came back. */
export function EndOrderDialog({ order: { orderId, amount, currency }, outcome, onClose }: EndProps) {
  const t = useTexts(tillTexts);
  const cash = useTexts(texts);
  const isReceived = outcome === "RECEIVED";
  const form = useActionForm({
    operation: isReceived ? "receiveCashOrder" : "returnCashOrder",
    run: (count: Count, options) =>
      isReceived
        ? api.cash.receiveCashOrder(orderId, count, options)
        : api.cash.returnCashOrder(orderId, count, options),
    stales: [...cashStales, "approvals"],
    done: ({ status }) => (status === "WAITING" ? t.orderWaits : t.orderEnded),
    onDone: onClose,
    defaults: { ...noCount(currency), reason: "" },
    toInput: ({ reason, ...count }: CountValues & { reason: string }): Count => ({
      ...countOf(currency, count),
      ...(reason.trim() && { reason: reason.trim() }),
    }),
  });
  return (
    <FormDialog
      wide
      title={isReceived ? t.receiveTitle : t.returnTitle}
      of={form}
      submit={isReceived ? t.receive : t.returnIt}
      onClose={onClose}
    >
      <p>
        {cash.shouldBe} <Money amount={amount} currency={currency} />
      </p>
      <CountFields form={form.form} currency={currency} label={cash.counted} />
      <TextArea form={form.form} name="reason" label={cash.differenceReason} hint={cash.differenceReasonHint} />
    </FormDialog>
  );
}
