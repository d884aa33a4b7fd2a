import { useRef } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { session } from "../../lib/session";
import { Form, SubmitButton, TextArea, TextField, useActionForm } from "../../ui/form";
import { Section } from "../../ui/panels";
import { partyKeys, partyOf, purposes, sources } from "./party";
import { PayeeWarning } from "./payee-warning";
import type { Priced } from "./quote-step";
import { texts } from "./texts";
import type { Created, Sender } from "./types";

type Order = Parameters<typeof api.transactions.create>[0];

interface Props {
  sender: Sender;
  priced: Priced;
  onCreated: (created: Created) => void;
}

/** Who gets it, and why; the transaction is created at the quote's price. */
export function RecipientStep({ sender, priced: { requested, quote }, onCreated }: Props) {
  const t = useTexts(texts);
  const keys = partyKeys[quote.type] ?? [];
  // A warning that was read stands for what is sent next, and for nothing that is typed later.
  const accepted = useRef<string>(undefined);
  const form = useActionForm({
    operation: "createTransaction",
    run: (order: Order, options) => api.transactions.create(order, { ...options, ipAddress: session.ipAddress() }),
    stales: ["transactions", "home"],
    done: t.created,
    onDone: onCreated,
    defaults: {
      recipientCode: "",
      purpose: "FAMILY_SUPPORT",
      source: "SALARY",
      description: "",
      party: Object.fromEntries(keys.map(({ key }) => [key, ""])) as Record<string, string>,
    },
    keep: true,
    paths: { "body.preExistingRecipientCustomerCode": "recipientCode" },
    toInput: (values): Order => {
      const payeeCheckId = accepted.current;
      accepted.current = undefined;
      const {
        preExistingSenderCustomerCode: _sender,
        originCountry: _origin,
        receivingCountry: _to,
        ...price
      } = requested;
      return {
        ...price,
        preExistingSenderCustomerCode: sender.customerCode,
        preExistingRecipientCustomerCode: values.recipientCode.trim(),
        creditParty: partyOf(values.party),
        internationalTransferInformation: {
          originCountry: quote.originCountry,
          receivingCountry: quote.receivingCountry,
          remittancePurpose: values.purpose.trim(),
          sourceOfFunds: values.source.trim(),
        },
        transactionProcessingMode: "REAL_TIME",
        transactionModule: "REMITTANCE",
        dynamicFields: { quoteId: quote.id, ...(payeeCheckId !== undefined && { payeeCheckId }) },
        ...(values.description.trim() && { descriptionText: values.description.trim() }),
      } as Order;
    },
  });
  return (
    <Section title={t.recipient}>
      <Form of={form}>
        <PayeeWarning
          error={form.error}
          isRunning={form.isRunning}
          onUse={(payeeCheckId) => {
            accepted.current = payeeCheckId;
            form.submit();
          }}
        />
        <TextField
          form={form.form}
          name="recipientCode"
          label={t.recipientCode}
          hint={t.recipientCodeHint}
          isRequired
        />
        <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
          {keys.map(({ key, isRequired }) => (
            <TextField
              key={key}
              form={form.form}
              name={`party.${key}`}
              label={t[key as "bankname"]}
              isRequired={isRequired}
            />
          ))}
          <TextField form={form.form} name="purpose" label={t.purpose} list={purposes} isRequired />
          <TextField form={form.form} name="source" label={t.source} list={sources} isRequired />
        </div>
        <TextArea form={form.form} name="description" label={t.description} rows={2} />
        <div>
          <SubmitButton of={form}>{t.createIt}</SubmitButton>
        </div>
      </Form>
    </Section>
  );
}
