import { useState } from "react";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { Money, Time } from "../../ui/figures";
import { Form, SubmitButton, TextField, useActionForm } from "../../ui/form";
import { Page } from "../../ui/page";
import { Section } from "../../ui/panels";
import { texts } from "./texts";
import { cashStales } from "./tills";

type PaidOut = AnswerOf<typeof api.agents.payOutAsAgent>;

/** Hands cash out to the recipient against the sender's code. */
export default function PickupPage() {
  const t = useTexts(texts);
  // An agent's notes are their own: what they hand out is owed to them.
  const isAgent = useUser().role === "AGENT";
  const [paid, setPaid] = useState<PaidOut>();
  const form = useActionForm({
    operation: isAgent ? "payOutAsAgent" : "payOutCash",
    run: (input: { transactionCode: string; pickupCode: string }, options) =>
      isAgent ? api.agents.payOutAsAgent(input, options) : api.cashPickup.payOutCash(input, options),
    stales: [...cashStales, "transactions"],
    onDone: setPaid,
    defaults: { transactionCode: "", pickupCode: "" },
    toInput: ({ transactionCode, pickupCode }) => ({
      transactionCode: transactionCode.trim(),
      pickupCode: pickupCode.trim(),
    }),
    keep: true,
  });
  const next = () => {
    setPaid(undefined);
    form.form.reset();
  };
  return (
    <Page title={t.pickup} about={isAgent ? t.pickupOfAgent : t.pickupAbout}>
      <div className="max-w-lg">
        <Section title={paid ? t.handOut : t.pickup}>
          {paid ? (
            <div role="status" className="flex flex-col gap-4">
              <p className="text-xl font-semibold">
                <Money amount={paid.amount} currency={paid.currency} />
              </p>
              <KeyValue
                columns={2}
                facts={[
                  { label: t.recipient, value: paid.recipientName },
                  { label: t.transactionCode, value: paid.transactionCode },
                  { label: t.when, value: <Time at={paid.paidOutAt} seconds /> },
                ]}
              />
              <div>
                <Button variant="primary" onClick={next}>
                  {t.nextPickup}
                </Button>
              </div>
            </div>
          ) : (
            <Form of={form}>
              <TextField form={form.form} name="transactionCode" label={t.transactionCode} isRequired />
              <TextField form={form.form} name="pickupCode" label={t.pickupCode} hint={t.pickupHint} isRequired />
              <div>
                <SubmitButton of={form}>{t.payOut}</SubmitButton>
              </div>
            </Form>
          )}
        </Section>
      </div>
    </Page>
  );
}
