import { decimal } from "@manilla/client";
import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { typedAmount } from "../../lib/money";
import { read } from "../../lib/queries";
import { AmountField } from "../../ui/amount-field";
import { KeyValue } from "../../ui/facts";
import { Figure, Money } from "../../ui/figures";
import { CheckField, Form, SelectField, SubmitButton, useActionForm } from "../../ui/form";
import { worded } from "../../ui/options";
import { Empty, Loaded, Section, useCountdown } from "../../ui/panels";
import { texts } from "./texts";
import type { Sender } from "./types";

type QuoteRequest = Parameters<typeof api.quotes.create>[0];
type Quote = AnswerOf<typeof api.quotes.create>;
type Corridor = RowOf<typeof api.corridors.list>;

/** A price, and what was asked for it: the order repeats it. */
export interface Priced {
  requested: QuoteRequest;
  quote: Quote;
}

interface Props {
  sender: Sender;
  priced: Priced | undefined;
  onPriced: (priced: Priced) => void;
}

/** Where to and how much, and the price that is kept for one transaction. */
export function QuoteStep({ sender, priced, onPriced }: Props) {
  const t = useTexts(texts);
  const corridors = useQuery({
    ...read("corridors", "listCorridors", {}, (options) => api.corridors.list(options)),
    staleTime: 60_000,
  });
  return (
    <Section title={t.price}>
      <Loaded query={corridors}>
        {(all) => {
          const open = all.filter((one) => one.enabled && one.originCountry === sender.country);
          return open.length === 0 ? (
            <Empty title={t.noCorridor(sender.country)} />
          ) : (
            <QuoteForm sender={sender} corridors={open} onPriced={onPriced} />
          );
        }}
      </Loaded>
      {priced && <Price quote={priced.quote} />}
    </Section>
  );
}

const keyOf = (one: Corridor) => `${one.sendCurrency} ${one.receivingCountry} ${one.receivingCurrency}`;

interface FormProps {
  sender: Sender;
  corridors: readonly Corridor[];
  onPriced: (priced: Priced) => void;
}

function QuoteForm({ sender, corridors, onPriced }: FormProps) {
  const t = useTexts(texts);
  const first = corridors[0]!;
  const form = useActionForm({
    operation: "createQuote",
    run: async (requested: QuoteRequest, options) => ({
      requested,
      quote: await api.quotes.create(requested, options),
    }),
    onDone: onPriced,
    defaults: { corridor: keyOf(first), type: first.types[0] as string, side: "send", amount: "", inclusive: false },
    keep: true,
    toInput: (values): QuoteRequest => {
      const way = corridors.find((one) => keyOf(one) === values.corridor) ?? first;
      const amount = decimal(typedAmount(values.amount) ?? "");
      return {
        ...(values.side === "send" ? { sendAmount: amount } : { amount }),
        inclusive: values.inclusive,
        sendCurrency: way.sendCurrency,
        receivingCurrency: way.receivingCurrency,
        originCountry: way.originCountry,
        receivingCountry: way.receivingCountry,
        type: values.type as QuoteRequest["type"],
        preExistingSenderCustomerCode: sender.customerCode,
      } as QuoteRequest;
    },
  });
  const chosen = corridors.find((one) => keyOf(one) === form.form.watch("corridor")) ?? first;
  const isSent = form.form.watch("side") === "send";
  return (
    <Form of={form}>
      <div className="grid grid-cols-1 gap-3.5 sm:grid-cols-2">
        <SelectField
          form={form.form}
          name="corridor"
          label={t.to}
          options={corridors.map((one) => ({
            value: keyOf(one),
            label: `${one.receivingCountry} · ${one.sendCurrency} → ${one.receivingCurrency}`,
          }))}
        />
        <SelectField form={form.form} name="type" label={t.delivery} options={worded(chosen.types)} />
        <SelectField
          form={form.form}
          name="side"
          label={t.amountIs}
          options={[
            { value: "send", label: t.isSent },
            { value: "receive", label: t.isReceived },
          ]}
        />
        <AmountField
          form={form.form}
          name="amount"
          label={t.amount}
          hint={isSent ? chosen.sendCurrency : chosen.receivingCurrency}
          isRequired
        />
      </div>
      <CheckField form={form.form} name="inclusive" label={t.inclusive} />
      <div>
        <SubmitButton of={form}>{t.getQuote}</SubmitButton>
      </div>
    </Form>
  );
}

function Price({ quote }: { quote: Quote }) {
  const t = useTexts(texts);
  // Counted from its arrival: the clocks of a sandbox and of this desk may differ.
  const holdsS = (Date.parse(quote.expiresAt) - Date.parse(quote.createdAt)) / 1_000;
  const left = useCountdown(holdsS, quote.id);
  return (
    <div role="status" className="mt-4 border-t border-line pt-4">
      <KeyValue
        columns={3}
        facts={[
          { label: t.sends, value: <Money amount={quote.principalAmount} currency={quote.sendCurrency} /> },
          { label: t.fees, value: <Money amount={quote.totalFees} currency={quote.sendCurrency} /> },
          { label: t.taxes, value: <Money amount={quote.totalTaxes} currency={quote.sendCurrency} /> },
          {
            label: t.total,
            value: (
              <strong>
                <Money amount={quote.totalAmount} currency={quote.sendCurrency} />
              </strong>
            ),
          },
          { label: t.rate, value: <Figure value={quote.exchangeRate} /> },
          {
            label: t.gets,
            value: (
              <strong>
                <Money amount={quote.amount} currency={quote.receivingCurrency} />
              </strong>
            ),
          },
        ]}
      />
      <p className={`figures mt-3 ${left < 60 ? "text-warn" : "text-muted"}`}>
        {left > 0 ? t.holdsFor(clockOf(left)) : t.quoteOver}
      </p>
    </div>
  );
}

const clockOf = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
