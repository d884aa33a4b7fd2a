import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Day, Figure, Money } from "../../ui/figures";
import { deliveryTexts } from "../transactions/codes";
import { texts } from "./texts";

interface Props {
  sendCurrency: string;
  receivingCurrency: string;
  totalFees: string;
  totalTaxes: string;
  totalAmount: string;
  /** What the recipient gets. */
  amount: string;
  /** What is sent of it, where it is known. */
  principalAmount?: string;
  rate: string;
  delivery: string;
  availableOn?: string | undefined;
}

/** What the customer pays, and what comes of it. */
export function Price({ sendCurrency, receivingCurrency, amount, principalAmount, ...price }: Props) {
  const t = useTexts(texts);
  const deliveries = useTexts(deliveryTexts);
  const sent = (value: string | undefined) => <Money amount={value} currency={sendCurrency} />;
  return (
    <KeyValue
      columns={3}
      hideEmpty
      facts={[
        { label: t.sends, value: principalAmount === undefined ? undefined : sent(principalAmount) },
        { label: t.fees, value: sent(price.totalFees) },
        { label: t.taxes, value: sent(price.totalTaxes) },
        { label: t.pays, value: <strong className="text-lg">{sent(price.totalAmount)}</strong> },
        { label: t.rateIs, value: <Figure value={price.rate} /> },
        {
          label: t.gets,
          value: (
            <strong className="text-lg">
              <Money amount={amount} currency={receivingCurrency} />
            </strong>
          ),
        },
        { label: t.delivery, value: deliveries[price.delivery as keyof typeof deliveries] },
        { label: t.arrives, value: price.availableOn === undefined ? undefined : <Day at={price.availableOn} /> },
      ]}
    />
  );
}
