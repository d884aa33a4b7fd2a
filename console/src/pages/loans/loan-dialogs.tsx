import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { amountOf, amountOrNull, textOrNull, wholeOf } from "../../lib/typed";
import { AmountField } from "../../ui/amount-field";
import { FieldGrid } from "../../ui/field-grid";
import { Money } from "../../ui/figures";
import { SelectField, TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { WholeField } from "../../ui/whole-field";
import { texts } from "./texts";
import type { Loan } from "./types";

interface Props {
  loan: Loan;
  onClose: () => void;
}

type Input<Operation extends (id: string, body: never) => unknown> = Parameters<Operation>[1];

export function PauseDialog({ loan, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "pauseDelinquency",
    run: (body: Input<typeof api.loanServicing.pauseDelinquency>, options) =>
      api.loanServicing.pauseDelinquency(loan.accountId, body, options),
    stales: ["loans"],
    done: t.pausedDone,
    onDone: onClose,
    defaults: { from: "", reason: "" },
    toInput: ({ from, reason }) => ({ from: textOrNull(from), reason: reason.trim() }),
  });
  return (
    <FormDialog
      title={t.pauseTitle}
      of={form}
      submit={t.pause}
      intro={<p className="mb-4 text-muted">{t.pauseHint}</p>}
      onClose={onClose}
    >
      <TextField form={form.form} name="from" label={t.from} type="date" hint={t.fromHint} />
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}

export function RescheduleDialog({ loan, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "rescheduleLoan",
    run: (body: Input<typeof api.loanServicing.reschedule>, options) =>
      api.loanServicing.reschedule(loan.accountId, body, options),
    stales: ["loans"],
    done: t.rescheduled,
    onDone: onClose,
    defaults: { instalments: "", firstDueOn: "", annualRate: "", reason: "" },
    toInput: ({ instalments, firstDueOn, annualRate, reason }) => ({
      instalments: wholeOf(instalments),
      firstDueOn,
      annualRate: amountOrNull(annualRate),
      reason: reason.trim(),
    }),
  });
  return (
    <FormDialog
      title={t.rescheduleTitle}
      of={form}
      submit={t.reschedule}
      intro={<p className="mb-4 text-muted">{t.rescheduleHint}</p>}
      onClose={onClose}
    >
      <FieldGrid>
        <WholeField form={form.form} name="instalments" label={t.instalments} isRequired />
        <TextField form={form.form} name="firstDueOn" label={t.firstDueOn} type="date" isRequired />
      </FieldGrid>
      <AmountField form={form.form} name="annualRate" label={t.annualRate} hint={t.rateHint} />
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}

export function RecoveryDialog({ loan, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "recordRecovery",
    run: (body: Input<typeof api.loanServicing.recordRecovery>, options) =>
      api.loanServicing.recordRecovery(loan.accountId, body, options),
    stales: ["loans"],
    done: t.recoveryDone,
    onDone: onClose,
    defaults: { amount: "", reference: "", receivedOn: "" },
    toInput: ({ amount, reference, receivedOn }) => ({
      amount: amountOf(amount),
      reference: reference.trim(),
      receivedOn: textOrNull(receivedOn),
    }),
  });
  return (
    <FormDialog
      title={t.recoveryTitle}
      of={form}
      submit={t.recovery}
      intro={<p className="mb-4 text-muted">{t.recoveryHint}</p>}
      onClose={onClose}
    >
      <AmountField form={form.form} name="amount" label={`${t.amount} (${loan.currency})`} isRequired />
      <TextField form={form.form} name="reference" label={t.reference} isRequired />
      <TextField form={form.form} name="receivedOn" label={t.receivedOn} type="date" hint={t.fromHint} />
    </FormDialog>
  );
}

export function PayBackDialog({ loan, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "payBackOverpayment",
    run: (body: Input<typeof api.loanServicing.payBackOverpayment>, options) =>
      api.loanServicing.payBackOverpayment(loan.accountId, body, options),
    stales: ["loans", "approvals", "home"],
    done: t.payBackAsked,
    onDone: onClose,
    defaults: { amount: "", to: "wallet", account: "", reason: "" },
    paths: { walletAccountId: "account", bankAccountId: "account" },
    toInput: ({ amount, to, account, reason }) => ({
      amount: amountOrNull(amount),
      ...(to === "wallet" ? { walletAccountId: account.trim() } : { bankAccountId: account.trim() }),
      reason: reason.trim(),
    }),
  });
  return (
    <FormDialog
      title={t.payBackTitle}
      of={form}
      submit={t.payBack}
      intro={
        <p className="mb-4">
          {t.overpaid}: <Money amount={loan.overpaid} currency={loan.currency} />
          <span className="block text-muted">{t.payBackHint}</span>
        </p>
      }
      onClose={onClose}
    >
      <AmountField form={form.form} name="amount" label={t.amount} hint={t.payBackAmountHint(loan.currency)} />
      <SelectField
        form={form.form}
        name="to"
        label={t.to}
        options={[
          { value: "wallet", label: t.toWallet },
          { value: "bank", label: t.toBank },
        ]}
      />
      <TextField form={form.form} name="account" label={t.toAccount} isRequired />
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}
