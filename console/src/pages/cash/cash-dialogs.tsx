import { decimal } from "@manilla/client";
import { useState, type ReactNode } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { AmountField } from "../../ui/amount-field";
import { TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Slip, type Taken } from "./cash-slip";
import { texts } from "./texts";
import { cashStales } from "./tills";
import type { Till } from "./types";
import { OfCustomer, type Owned } from "./whose-wallet";

interface Props {
  till: Till;
  onClose: () => void;
}

interface FormProps extends Props, Owned {
  whose: ReactNode;
}

/**
 * Takes cash for a wallet; above an amount it waits for a manager, and the cash is not taken yet.
 */
export function CashInDialog({ till, onClose }: Props) {
  const t = useTexts(texts);
  return (
    <OfCustomer title={t.cashIn} currency={till.currency} onClose={onClose}>
      {(owned, whose) => <CashInForm {...owned} till={till} whose={whose} onClose={onClose} />}
    </OfCustomer>
  );
}

function CashInForm({ till, customer, wallet: { accountId }, whose, onClose }: FormProps) {
  const t = useTexts(texts);
  const [taken, setTaken] = useState<Taken>();
  const form = useActionForm({
    operation: "cashIn",
    run: (amount: string, options) => api.cash.cashIn(till.tillId, { accountId, amount: decimal(amount) }, options),
    stales: cashStales,
    onDone: setTaken,
    defaults: { amount: "" },
    toInput: ({ amount }) => typedAmount(amount) ?? "",
  });
  if (taken) return <Slip title={t.cashIn} done={taken} customer={customer} onClose={onClose} />;
  return (
    <FormDialog title={t.cashIn} of={form} submit={t.cashIn} intro={whose} onClose={onClose}>
      <AmountField form={form.form} name="amount" label={t.amount} hint={till.currency} isRequired />
    </FormDialog>
  );
}

interface Wanted {
  amount: string;
  password: string;
  otp: string;
  pin: string;
}

/** Gives cash out of a wallet, which its owner allows by their password and a code. */
export function CashOutDialog({ till, onClose }: Props) {
  const t = useTexts(texts);
  return (
    <OfCustomer title={t.cashOut} currency={till.currency} onClose={onClose}>
      {(owned, whose) => <CashOutForm {...owned} till={till} whose={whose} onClose={onClose} />}
    </OfCustomer>
  );
}

function CashOutForm({ till, customer, wallet: { accountId }, whose, onClose }: FormProps) {
  const t = useTexts(texts);
  const [given, setGiven] = useState<Taken>();
  const form = useActionForm({
    operation: "cashOut",
    run: ({ amount, ...proof }: Wanted, options) =>
      api.cash.cashOut(till.tillId, { accountId, amount: decimal(amount), ...filled(proof) }, options),
    stales: cashStales,
    onDone: setGiven,
    defaults: { amount: "", password: "", otp: "", pin: "" },
    toInput: (values: Wanted) => ({ ...values, amount: typedAmount(values.amount) ?? "" }),
  });
  if (given) return <Slip title={t.cashOut} done={given} customer={customer} onClose={onClose} />;
  return (
    <FormDialog title={t.cashOut} of={form} submit={t.cashOut} intro={whose} onClose={onClose}>
      <AmountField form={form.form} name="amount" label={t.amount} hint={till.currency} isRequired />
      <p className="text-muted">{t.proofHint}</p>
      <TextField form={form.form} name="password" type="password" label={t.password} />
      <TextField form={form.form} name="otp" label={t.otp} inputMode="numeric" />
      <TextField form={form.form} name="pin" type="password" label={t.pin} inputMode="numeric" />
    </FormDialog>
  );
}

/** Without what was left empty. */
export function filled<T extends Readonly<Record<string, string>>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")) as Partial<T>;
}
