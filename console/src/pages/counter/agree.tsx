import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { session } from "../../lib/session";
import { Button } from "../../ui/button";
import { FieldGrid } from "../../ui/field-grid";
import { Form, TextField, SubmitButton, useActionForm } from "../../ui/form";
import { Loaded, Section, useCountdown } from "../../ui/panels";
import { purposes, sources } from "../cash/party";
import { PayeeWarning } from "../cash/payee-warning";
import { Price } from "./price";
import { quoteQuery } from "./queries";
import { texts } from "./texts";
import type { Order, Quote, Recipient, Sender, Transaction } from "./types";
import { WhatToDo } from "./what-to-do";

interface Props {
  quoteId: string;
  sender: Sender;
  recipient: Recipient;
  onAnew: () => void;
  onCreated: (transaction: Pick<Transaction, "id">) => void;
}

/** The price, why and of what it is sent: agreed to, it is a transaction that waits for cash. */
export function Agree({ quoteId, ...rest }: Props) {
  const quote = useQuery(quoteQuery(quoteId));
  return <Loaded query={quote}>{(found) => <AgreeForm quote={found} {...rest} />}</Loaded>;
}

const clockOf = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function AgreeForm({ quote, sender, recipient, onAnew, onCreated }: Omit<Props, "quoteId"> & { quote: Quote }) {
  const t = useTexts(texts);
  // A warning that was read stands for what is sent next, and for nothing that is typed later.
  const accepted = useRef<string>(undefined);
  const form = useActionForm({
    operation: "createTransaction",
    run: (order: Order, options) => api.transactions.create(order, { ...options, ipAddress: session.ipAddress() }),
    stales: ["transactions", "home"],
    onDone: onCreated,
    defaults: { purpose: "FAMILY_SUPPORT", source: "SALARY" },
    paths: {
      "body.internationalTransferInformation.remittancePurpose": "purpose",
      "body.internationalTransferInformation.sourceOfFunds": "source",
    },
    keep: true,
    toInput: ({ purpose, source }): Order => {
      const payeeCheckId = accepted.current;
      accepted.current = undefined;
      return {
        sendAmount: quote.inclusive ? quote.totalAmount : quote.principalAmount,
        inclusive: quote.inclusive,
        sendCurrency: quote.sendCurrency,
        receivingCurrency: quote.receivingCurrency,
        type: quote.type,
        preExistingSenderCustomerCode: sender.customerCode,
        preExistingRecipientCustomerCode: recipient.code,
        creditParty: recipient.creditParty.filter(({ key }) => key !== undefined),
        internationalTransferInformation: {
          originCountry: quote.originCountry,
          receivingCountry: quote.receivingCountry,
          remittancePurpose: purpose.trim(),
          sourceOfFunds: source.trim(),
        },
        transactionProcessingMode: "REAL_TIME",
        transactionModule: "REMITTANCE",
        dynamicFields: { quoteId: quote.id, ...(payeeCheckId !== undefined && { payeeCheckId }) },
      } as Order;
    },
  });
  const left = useCountdown(secondsLeft(quote), quote.id);
  const isOver = quote.status !== "OPEN" || left === 0;
  const button = useRef<HTMLDivElement>(null);
  useEffect(() => button.current?.querySelector("button")?.focus(), [isOver]);
  return (
    <Section title={t.price}>
      <div role="status" className="mb-4">
        <Price {...quote} delivery={quote.type} rate={quote.exchangeRate} />
        <p className={`figures mt-3 ${left < 60 ? "text-warn" : "text-muted"}`}>
          {isOver ? t.priceOver : t.holds(clockOf(left))}
        </p>
      </div>
      <Form of={form}>
        <WhatToDo error={form.error} />
        <PayeeWarning
          error={form.error}
          isRunning={form.isRunning}
          onUse={(payeeCheckId) => {
            accepted.current = payeeCheckId;
            form.submit();
          }}
        />
        <FieldGrid>
          <TextField form={form.form} name="purpose" label={t.purpose} list={purposes} isRequired />
          <TextField form={form.form} name="source" label={t.sourceOfFunds} list={sources} isRequired />
        </FieldGrid>
        <div ref={button} className="flex flex-wrap gap-2">
          {isOver ? (
            <Button variant="primary" onClick={onAnew}>
              {t.newPrice}
            </Button>
          ) : (
            <>
              <SubmitButton of={form}>{t.agreed}</SubmitButton>
              <Button onClick={onAnew}>{t.newPrice}</Button>
            </>
          )}
        </div>
      </Form>
    </Section>
  );
}

/** Counted from its arrival where the clocks of a sandbox and of this desk differ. */
function secondsLeft({ createdAt, expiresAt }: Quote): number {
  const [whole, left] = [createdAt, new Date().toISOString()].map((from) => Date.parse(expiresAt) - Date.parse(from));
  return (left! > 0 && left! <= whole! ? left! : whole!) / 1_000;
}
