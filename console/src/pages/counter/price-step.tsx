import { decimal } from "@manilla/client";
import { useEffect } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { AmountField } from "../../ui/amount-field";
import { FieldGrid } from "../../ui/field-grid";
import { Form, SelectField, SubmitButton, useActionForm } from "../../ui/form";
import { plain } from "../../ui/options";
import { Empty, Section } from "../../ui/panels";
import { deliveryTexts } from "../transactions/codes";
import { texts } from "./texts";
import type { Quote, QuoteRequest, Sender } from "./types";
import type { Way } from "./ways";

interface Props {
  sender: Sender;
  ways: readonly Way[];
  onPriced: (quote: Quote) => void;
}

/** How much, of which side; Enter behind the amount gives the price. */
export function PriceStep({ sender, ways, onPriced }: Props) {
  const t = useTexts(texts);
  const first = ways[0];
  if (first === undefined) {
    return (
      <Section title={t.howMuch}>
        <Empty title={t.noWay} />
      </Section>
    );
  }
  return <PriceForm sender={sender} ways={ways} first={first} onPriced={onPriced} />;
}

function PriceForm({ sender, ways, first, onPriced }: Props & { first: Way }) {
  const t = useTexts(texts);
  const deliveries: Readonly<Record<string, string>> = useTexts(deliveryTexts);
  const wayOf = (currency: string) => ways.find(({ corridor }) => corridor.sendCurrency === currency) ?? first;
  const form = useActionForm({
    operation: "createQuote",
    run: (requested: QuoteRequest, options) => api.quotes.create(requested, options),
    onDone: onPriced,
    defaults: {
      amount: "",
      side: "send",
      method: first.methods[0] ?? "",
      currency: first.corridor.sendCurrency as string,
    },
    paths: { "body.sendAmount": "amount" },
    keep: true,
    toInput: ({ amount, side, method, currency }): QuoteRequest => {
      const { corridor, methods } = wayOf(currency);
      const exact = decimal(typedAmount(amount) ?? "");
      return {
        ...(side === "receive" ? { amount: exact } : { sendAmount: exact }),
        inclusive: side === "total",
        sendCurrency: corridor.sendCurrency,
        receivingCurrency: corridor.receivingCurrency,
        originCountry: corridor.originCountry,
        receivingCountry: corridor.receivingCountry,
        type: methods.includes(method) ? method : methods[0],
        preExistingSenderCustomerCode: sender.customerCode,
      } as QuoteRequest;
    },
  });
  const { corridor, methods } = wayOf(form.form.watch("currency"));
  const isReceived = form.form.watch("side") === "receive";
  useEffect(() => form.form.setFocus("amount"), []);
  return (
    <Section title={t.howMuch}>
      <Form of={form}>
        <FieldGrid>
          <AmountField
            form={form.form}
            name="amount"
            label={t.amount}
            hint={isReceived ? corridor.receivingCurrency : corridor.sendCurrency}
            isRequired
          />
          <SelectField
            form={form.form}
            name="side"
            label={t.amountIs}
            options={[
              { value: "send", label: t.isSent },
              { value: "total", label: t.isPaid },
              { value: "receive", label: t.isReceived },
            ]}
          />
          {methods.length > 1 && (
            <SelectField
              form={form.form}
              name="method"
              label={t.delivery}
              options={methods.map((value) => ({ value, label: deliveries[value] ?? value }))}
            />
          )}
          {ways.length > 1 && (
            <SelectField
              form={form.form}
              name="currency"
              label={t.currency}
              options={plain(ways.map((way) => way.corridor.sendCurrency))}
            />
          )}
        </FieldGrid>
        <div>
          <SubmitButton of={form}>{t.getPrice}</SubmitButton>
        </div>
      </Form>
    </Section>
  );
}
