import { settlementKinds } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { amountOf, amountOrNull, textOrNull } from "../../lib/typed";
import { today } from "../../lib/zoned-day";
import { AccountField } from "../../ui/account-field";
import { AmountField } from "../../ui/amount-field";
import { CheckField, SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain, worded } from "../../ui/options";
import { texts } from "./texts";

type Proposal = Parameters<typeof api.books.proposeSettlement>[0];

/** Proposes what was paid; a second person decides. */
export function ProposeDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const { currencies, timeZone } = useOrganisation();
  const form = useActionForm({
    operation: "proposeSettlement",
    run: (proposal: Proposal, options) => api.books.proposeSettlement(proposal, options),
    stales: ["books", "ledger", "approvals"],
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.proposed : t.posted),
    onDone: onClose,
    defaults: {
      kind: "PARTNER",
      accountId: "",
      amount: "",
      currency: currencies[0] ?? "USD",
      cost: "",
      costCurrency: currencies[0] ?? "USD",
      fee: "",
      bankAccountId: "",
      valueDate: today(timeZone),
      reference: "",
      throughDate: "",
      note: "",
      prefund: false,
    },
    paths: { "cost.amount": "cost", "cost.currency": "costCurrency", "lines.throughDate": "throughDate" },
    toInput: (values): Proposal => ({
      kind: values.kind as Proposal["kind"],
      accountId: values.accountId.trim(),
      amount: amountOf(values.amount),
      currency: values.currency as Proposal["currency"],
      cost: { amount: amountOf(values.cost), currency: values.costCurrency as Proposal["currency"] },
      fee: amountOrNull(values.fee),
      bankAccountId: values.bankAccountId.trim(),
      valueDate: values.valueDate,
      reference: values.reference.trim(),
      note: textOrNull(values.note),
      ...(values.throughDate && { lines: { throughDate: values.throughDate } }),
      ...(values.prefund && { prefund: true }),
    }),
  });
  const { form: fields } = form;
  return (
    <FormDialog
      title={t.propose}
      of={form}
      submit={t.propose}
      intro={<p className="mb-4 text-muted">{t.proposeHint}</p>}
      onClose={onClose}
    >
      <SelectField form={fields} name="kind" label={t.kind} options={worded(settlementKinds)} />
      <AccountField form={fields} name="accountId" label={t.account} hint={t.accountHint} isRequired />
      <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
        <AmountField form={fields} name="amount" label={t.amount} hint={t.amountHint} isRequired />
        <SelectField form={fields} name="currency" label={t.currency} options={plain(currencies)} />
        <AmountField form={fields} name="cost" label={t.cost} isRequired />
        <SelectField form={fields} name="costCurrency" label={t.costCurrency} options={plain(currencies)} />
        <AmountField form={fields} name="fee" label={t.fee} hint={t.feeHint} />
        <AccountField form={fields} name="bankAccountId" label={t.bankAccount} isRequired />
        <TextField form={fields} name="valueDate" type="date" label={t.valueDate} hint={timeZone} isRequired />
        <TextField form={fields} name="reference" label={t.reference} isRequired />
      </div>
      <TextField form={fields} name="throughDate" type="date" label={t.throughDate} hint={t.throughDateHint} />
      <CheckField form={fields} name="prefund" label={t.prefund} hint={t.prefundHint} />
      <TextField form={fields} name="note" label={t.note} />
    </FormDialog>
  );
}
