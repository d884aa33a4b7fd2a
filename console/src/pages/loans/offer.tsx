import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Figure, Money } from "../../ui/figures";
import { Section } from "../../ui/panels";
import { CustomerLink } from "./list";
import { texts } from "./texts";
import type { Application } from "./types";

/** What is offered, and what it costs. */
export function Offer({ application, isNew }: { application: Application; isNew: boolean }) {
  const t = useTexts(texts);
  const { offer, customerId, purpose } = application;
  const money = (amount: string) => <Money amount={amount} currency={offer.currency} />;
  return (
    <Section title={t.offer}>
      <KeyValue
        columns={3}
        facts={[
          // Of a loan it stands above, beside what is owed.
          ...(isNew ? [{ label: t.customer, value: <CustomerLink id={customerId} /> }] : []),
          { label: t.product, value: `${offer.loanProductName} · ${offer.productId} v${offer.productVersion}` },
          { label: t.purpose, value: purpose },
          { label: t.amount, value: <strong>{money(offer.loanAmount)}</strong> },
          { label: t.disbursementFee, value: money(offer.disbursementFee) },
          { label: t.paidOut, value: money(offer.disbursedAmount) },
          { label: t.interest, value: money(offer.totalInterest) },
          { label: t.fees, value: money(offer.totalFees) },
          { label: t.totalPayable, value: <strong>{money(offer.totalPayable)}</strong> },
          { label: t.annualRate, value: <Figure value={offer.annualRate} unit="%" /> },
          { label: t.apr, value: <Figure value={offer.apr} unit="%" /> },
          { label: t.effectiveRate, value: <Figure value={offer.effectiveRate} unit="%" /> },
        ]}
      />
    </Section>
  );
}
