import { decimal } from "@manilla/client";
import { useWatch } from "react-hook-form";
import { settlements } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { AmountField } from "../../ui/amount-field";
import { Form, SelectField, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { plain, worded } from "../../ui/options";
import { Section } from "../../ui/panels";
import { inWords } from "../../ui/words";
import { texts } from "./texts";

/** What banks and partners would do in the real world, done by hand. */
export function Partner() {
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-3">
      <Settle />
      <Return />
      <Arrives />
    </div>
  );
}

type Settlement = Parameters<typeof api.sandbox.settlePayout>[1];

function Settle() {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "settlePayout",
    run: ({ id, body }: { id: string; body: Settlement }, options) => api.sandbox.settlePayout(id, body, options),
    stales: ["transactions", "home"],
    done: t.isSettled,
    defaults: { transactionId: "", outcome: "PAID", reason: "" },
    toInput: ({ transactionId, outcome, reason }) => ({
      id: transactionId.trim(),
      body: { outcome, ...(outcome === "REFUSED" && reason.trim() && { reason: reason.trim() }) } as Settlement,
    }),
  });
  const outcome = useWatch({ control: form.form.control, name: "outcome" });
  return (
    <Section title={t.settlePayout}>
      <p className="mb-3 text-muted">{t.settlePayoutHint}</p>
      <Form of={form}>
        <TextField form={form.form} name="transactionId" label={t.transactionId} isRequired />
        <SelectField form={form.form} name="outcome" label={t.outcome} options={worded(settlements)} />
        {outcome === "REFUSED" && <TextField form={form.form} name="reason" label={t.reason} />}
        <div>
          <SubmitButton of={form}>{t.settlePayout}</SubmitButton>
        </div>
      </Form>
    </Section>
  );
}

function Return() {
  const t = useTexts(texts);
  const form = useActionForm({
    operation: "returnPayout",
    run: ({ id, kept }: { id: string; kept: string | undefined }, options) =>
      api.sandbox.returnPayout(id, kept === undefined ? {} : { kept: decimal(kept) }, options),
    stales: ["transactions", "home"],
    done: t.isReturned,
    defaults: { transactionId: "", kept: "" },
    toInput: ({ transactionId, kept }) => ({ id: transactionId.trim(), kept: typedAmount(kept) }),
  });
  return (
    <Section title={t.returnPayout}>
      <p className="mb-3 text-muted">{t.returnPayoutHint}</p>
      <Form of={form}>
        <TextField form={form.form} name="transactionId" label={t.transactionId} isRequired />
        <AmountField form={form.form} name="kept" label={t.kept} />
        <div>
          <SubmitButton of={form}>{t.returnPayout}</SubmitButton>
        </div>
      </Form>
    </Section>
  );
}

type Transfer = Parameters<typeof api.sandbox.bankTransferArrives>[0];

function Arrives() {
  const t = useTexts(texts);
  const { currencies } = useOrganisation();
  const form = useActionForm({
    operation: "receiveBankTransfer",
    run: (body: Transfer, options) => api.sandbox.bankTransferArrives(body, options),
    stales: ["wallets", "home", "ledger"],
    done: ({ status }) => t.hasArrived(inWords(status)),
    defaults: { reference: "", amount: "", currency: "", senderName: "" },
    toInput: ({ reference, amount, currency, senderName }) =>
      ({
        reference: reference.trim(),
        amount: decimal(typedAmount(amount) ?? amount),
        currency,
        senderName: senderName.trim(),
      }) as Transfer,
  });
  return (
    <Section title={t.transferArrives}>
      <p className="mb-3 text-muted">{t.transferArrivesHint}</p>
      <Form of={form}>
        <TextField form={form.form} name="reference" label={t.reference} hint={t.referenceHint} isRequired />
        <AmountField form={form.form} name="amount" label={t.amount} isRequired />
        <SelectField
          form={form.form}
          name="currency"
          label={t.currency}
          nothing={t.choose}
          options={plain(currencies)}
          isRequired
        />
        <TextField form={form.form} name="senderName" label={t.senderName} isRequired />
        <div>
          <SubmitButton of={form}>{t.transferArrives}</SubmitButton>
        </div>
      </Form>
    </Section>
  );
}
