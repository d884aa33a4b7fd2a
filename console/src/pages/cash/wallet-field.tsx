import { useQuery } from "@tanstack/react-query";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { TextField } from "../../ui/form";
import { ErrorPanel } from "../../ui/panels";
import { texts } from "./texts";

const walletId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface Props<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
}

/** A wallet by its id, with what it is below: cashiers may read one, and not list a customer's. */
export function WalletField<Values extends FieldValues>({ form, name }: Props<Values>) {
  const t = useTexts(texts);
  const accountId = String(form.watch(name) ?? "").trim();
  const wallet = useQuery({
    ...read("wallets", "readWalletAccount", { accountId }, (options) =>
      api.payments.readWalletAccount(accountId, options),
    ),
    enabled: walletId.test(accountId),
  });
  return (
    <>
      <TextField form={form} name={name} label={t.wallet} hint={t.walletHint} isRequired />
      {wallet.error && <ErrorPanel error={wallet.error} />}
      {wallet.data && (
        <p role="status" className="flex flex-wrap items-center gap-2 rounded-md bg-canvas px-3 py-2">
          <span className="figures font-medium">{wallet.data.accountNumber}</span>
          {wallet.data.currency}
          <StatusBadge status={wallet.data.status} />
        </p>
      )}
    </>
  );
}
