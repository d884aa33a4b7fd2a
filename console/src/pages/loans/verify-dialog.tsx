import type { UseFormReturn } from "react-hook-form";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { read } from "../../lib/queries";
import { textOrNull } from "../../lib/typed";
import { Money } from "../../ui/figures";
import { SelectField, TextArea, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { texts } from "./texts";
import type { Repayment } from "./types";

interface Props {
  repayment: Repayment;
  verify: boolean;
  onClose: () => void;
}

/** Asks that a repayment is taken as made, or not; a second person decides. */
export function VerifyDialog({ repayment, verify, onClose }: Props) {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "verifyRepayment",
    run: (body: Parameters<typeof api.loanServicing.verifyRepayment>[1], options) =>
      api.loanServicing.verifyRepayment(repayment.id, body, options),
    stales: ["loans", "approvals", "home"],
    done: verify ? t.verifyAsked : t.rejectAsked,
    onDone: onClose,
    defaults: { creditId: "", reason: "" },
    toInput: ({ creditId, reason }) => ({ verify, reason: reason.trim(), creditId: textOrNull(creditId) }),
  });
  return (
    <FormDialog
      title={verify ? t.verifyTitle : t.rejectRepaymentTitle}
      of={form}
      submit={verify ? t.verify : t.reject}
      danger={!verify}
      intro={
        <>
          <p className="font-medium">
            <Money amount={repayment.amount} currency={repayment.currency} /> · {repayment.repaymentReference} ·{" "}
            {repayment.customerName}
          </p>
          <p className="mb-4 text-muted">{verify ? t.verifyHint : t.rejectRepaymentHint}</p>
        </>
      }
      onClose={onClose}
    >
      {verify && <CreditField form={form.form} repayment={repayment} />}
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}

type Fields = { creditId: string; reason: string };

/** Money in suspense of exactly this amount. */
function CreditField({ form, repayment }: { form: UseFormReturn<Fields>; repayment: Repayment }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const credits = useQuery(
    read("loans", "listLoanSuspense", { all: true }, (options) =>
      api.loanServicing.listSuspense({}, options).toArray({ max: 500 }),
    ),
  );
  const fitting = (credits.data ?? []).filter(
    ({ amount, currency }) => amount === repayment.amount && currency === repayment.currency,
  );
  return (
    <SelectField
      form={form}
      name="creditId"
      label={t.credit}
      hint={t.creditHint}
      nothing={t.noCredit}
      options={fitting.map(({ creditId, senderName, reference, amount, currency }) => ({
        value: creditId,
        label: `${grouped(amount, language)} ${currency} · ${senderName} · ${reference}`,
      }))}
    />
  );
}
