import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Day, Figure, Id, Money, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Loaded, Section } from "../../ui/panels";
import { productTexts } from "./product-texts";

const readAgainMs = 3_000;

/** How far a dividend is paid. */
export function Dividend({ dividendId }: { dividendId: string }) {
  const t = useTexts(productTexts);
  const dividend = useQuery({
    ...read("investments", "readInvestmentDividend", { dividendId }, (options) =>
      api.investments.readDividend(dividendId, options),
    ),
    refetchInterval: ({ state }) => (state.data && state.data.status !== "PAID" ? readAgainMs : false),
  });
  return (
    <Section title={t.dividend}>
      <Loaded query={dividend}>
        {(found) => {
          const money = (amount: string) => <Money amount={amount} currency={found.currency} />;
          return (
            <KeyValue
              columns={3}
              facts={[
                { label: t.amount, value: <strong>{money(found.amount)}</strong> },
                {
                  label: t.period,
                  value: (
                    <>
                      <Day at={found.from} /> – <Day at={found.to} />
                    </>
                  ),
                },
                { label: t.status, value: <StatusBadge status={found.status} /> },
                { label: t.holdings, value: <Figure value={found.holdings} /> },
                { label: t.paid, value: money(found.paidAmount) },
                { label: t.taxed, value: money(found.taxAmount) },
                { label: t.failed, value: money(found.failedAmount) },
                { label: t.declaredAt, value: <Time at={found.declaredAt} /> },
                { label: t.id, value: <Id value={found.dividendId} /> },
                ...(found.failedHoldingIds.length > 0
                  ? [{ label: t.failedHoldings, value: <Holdings ids={found.failedHoldingIds} /> }]
                  : []),
              ]}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}

function Holdings({ ids }: { ids: readonly string[] }) {
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Link to={`/investments/${id}`} className="link font-mono text-[0.7rem]">
            {id}
          </Link>
        </li>
      ))}
    </ul>
  );
}
