import { decimal } from "@manilla/client";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { SelectField, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { plain } from "../../ui/options";
import { BranchField } from "./branch-field";
import { texts } from "./texts";
import { tillTexts } from "./till-texts";
import { cashStales } from "./tills";

type Wanted = Parameters<typeof api.cash.moveVaultCash>[0];

/** Enters cash that was fetched from the bank, or brought there. */
export function VaultDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const words = useTexts(tillTexts);
  const { currencies, baseCurrency } = useOrganisation();
  const form = useActionForm({
    operation: "moveVaultCash",
    run: (wanted: Wanted, options) => api.cash.moveVaultCash(wanted, options),
    stales: [...cashStales, "approvals"],
    done: t.vaultMoved,
    onDone: onClose,
    defaults: { direction: "FROM_BANK", currency: baseCurrency, amount: "", reference: "", bank: "", branchCode: "" },
    toInput: (values): Wanted => ({
      direction: values.direction as Wanted["direction"],
      currency: values.currency as Wanted["currency"],
      amount: decimal(typedAmount(values.amount) ?? ""),
      reference: values.reference.trim(),
      ...(values.bank.trim() && { bank: values.bank.trim() }),
      ...(values.branchCode && { branchCode: values.branchCode }),
    }),
  });
  return (
    <FormDialog title={t.moveVault} of={form} submit={t.enter} onClose={onClose}>
      <SelectField
        form={form.form}
        name="direction"
        label={t.direction}
        options={[
          { value: "FROM_BANK", label: t.FROM_BANK },
          { value: "TO_BANK", label: t.TO_BANK },
        ]}
      />
      <SelectField form={form.form} name="currency" label={t.currency} options={plain(currencies)} />
      <BranchField form={form.form} name="branchCode" label={words.vault} />
      <TextField form={form.form} name="bank" label={words.bank} hint={words.bankHint} />
      <AmountField form={form.form} name="amount" label={t.amount} isRequired />
      <TextField form={form.form} name="reference" label={t.reference} hint={t.referenceHint} isRequired />
    </FormDialog>
  );
}
