import { decimal } from "@manilla/client";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { SelectField, TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { texts } from "./texts";
import type { Limit } from "./types";

type Wanted = Parameters<typeof api.payments.setWalletLimit>[0];
const parts = ["perPayment", "perDay", "perCashIn", "cashInPerDay"] as const;

/** Asks for a limit; a second person decides. */
export function LimitDialog({ limit, onClose }: { limit?: Limit; onClose: () => void }) {
  const t = useTexts(texts);
  const { currencies, baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "setWalletLimit",
    run: (wanted: Wanted, options) => api.payments.setWalletLimit(wanted, options),
    stales: ["wallets", "approvals", "home"],
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.limitAsked : t.limitSet),
    onDone: onClose,
    defaults: {
      accountId: limit?.accountId ?? "",
      currency: (limit?.currency ?? baseCurrency) as string,
      perPayment: limit?.perPayment ?? "",
      perDay: limit?.perDay ?? "",
      perCashIn: limit?.perCashIn ?? "",
      cashInPerDay: limit?.cashInPerDay ?? "",
      reason: "",
    },
    toInput: (values): Wanted => ({
      currency: values.currency as Wanted["currency"],
      ...(values.accountId.trim() && { accountId: values.accountId.trim() }),
      ...Object.fromEntries(
        parts.flatMap((part) => {
          const exact = typedAmount(values[part]);
          return exact === undefined ? [] : [[part, decimal(exact)]];
        }),
      ),
      reason: values.reason.trim(),
    }),
  });
  return (
    <FormDialog title={limit ? t.changeLimit : t.newLimit} of={form} submit={t.askLimit} onClose={onClose}>
      <p className="text-muted">{t.limitHint}</p>
      <TextField
        form={form.form}
        name="accountId"
        label={t.walletId}
        hint={t.walletIdHint}
        readOnly={limit !== undefined}
      />
      <SelectField
        form={form.form}
        name="currency"
        label={t.currency}
        options={plain(limit ? [limit.currency] : currencies)}
      />
      <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
        {parts.map((part) => (
          <AmountField key={part} form={form.form} name={part} label={t[part]} />
        ))}
      </div>
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}
