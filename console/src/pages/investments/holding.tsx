import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Wallet } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { percentText } from "../../lib/exact";
import { useLanguage, useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { dayText } from "../../lib/time";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { Day, Figure, Id, Money } from "../../ui/figures";
import { Columns, Page, Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { inWords } from "../../ui/words";
import { CustomerLink } from "./list";
import { Statement } from "./statement";
import { texts } from "./texts";
import type { Holding } from "./types";
import { WalletDialog } from "./wallet-dialog";

/** Units that a customer holds, what they earned and how they were paid. */
export default function HoldingPage() {
  const t = useTexts(texts);
  const may = useMay();
  const [isNaming, setNaming] = useState(false);
  const { holdingId } = useParams({ strict: false }) as { holdingId: string };
  const holding = useQuery(
    read("investments", "readInvestment", { holdingId }, (options) => api.investments.read(holdingId, options)),
  );
  const { data } = holding;
  return (
    <Page
      title={data ? t.holding(data.productName) : t.aHolding}
      badge={data && <StatusBadge status={data.status} />}
      back={{ to: "/investments", label: t.title }}
      actions={
        data &&
        may("setInvestmentWallet") && (
          <Button icon={Wallet} onClick={() => setNaming(true)}>
            {t.nameWallet}
          </Button>
        )
      }
    >
      <Loaded query={holding} lines={10}>
        {(found) => (
          <>
            {found.unpaid && <UnpaidNote unpaid={found.unpaid} />}
            <Columns>
              <Stack>
                <Facts holding={found} />
              </Stack>
              <Stack>
                <Returns holding={found} />
              </Stack>
            </Columns>
            {may("readInvestmentStatement") && <Statement holdingId={holdingId} />}
          </>
        )}
      </Loaded>
      {isNaming && data && <WalletDialog holding={data} onClose={() => setNaming(false)} />}
    </Page>
  );
}

function UnpaidNote({ unpaid }: { unpaid: NonNullable<Holding["unpaid"]> }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const { timeZone } = useOrganisation();
  return (
    <p role="note" className="rounded-lg border border-warn/40 bg-warn-soft px-3 py-2.5 text-warn">
      {t.unpaidHint(dayText(unpaid.dueDate, language, timeZone), inWords(unpaid.code))}
    </p>
  );
}

function Facts({ holding }: { holding: Holding }) {
  const t = useTexts(texts);
  const { currency } = holding;
  return (
    <Section title={t.figures}>
      <KeyValue
        columns={3}
        facts={[
          { label: t.customer, value: <CustomerLink id={holding.customerId} /> },
          { label: t.units, value: <Figure value={holding.numberOfUnits} /> },
          { label: t.unitPrice, value: <Money amount={holding.unitPrice} currency={currency} /> },
          {
            label: t.principal,
            value: (
              <strong>
                <Money amount={holding.principal} currency={currency} />
              </strong>
            ),
          },
          { label: t.accrued, value: <Money amount={holding.accruedInterest} currency={currency} /> },
          { label: t.rate, value: <Figure value={holding.ratePercent} unit="%" /> },
          { label: t.bought, value: <Day at={holding.purchaseDate} /> },
          { label: t.termStart, value: <Day at={holding.termStartDate} /> },
          { label: t.lockedUntil, value: <Day at={holding.lockedUntil} /> },
          { label: t.nextDue, value: <Day at={holding.nextDueDate} /> },
          { label: t.matures, value: <Day at={holding.maturityDate} /> },
          { label: t.through, value: <Day at={holding.interestThrough} /> },
          { label: t.wallet, value: <Id value={holding.userWalletId} /> },
          { label: t.id, value: <Id value={holding.holdingId} /> },
        ]}
      />
    </Section>
  );
}

function Returns({ holding: { returns, currency } }: { holding: Holding }) {
  const t = useTexts(texts);
  const percent = (fraction: string | undefined) => (
    <Figure value={fraction === undefined ? undefined : percentText(fraction)} unit="%" />
  );
  return (
    <Section title={t.returns}>
      <KeyValue
        columns={2}
        facts={[
          { label: t.invested, value: <Money amount={returns.invested} currency={currency} /> },
          { label: t.currentValue, value: <Money amount={returns.currentValue} currency={currency} /> },
          { label: t.grossGain, value: <Money amount={returns.grossGain} currency={currency} /> },
          { label: t.netGain, value: <Money amount={returns.netGain} currency={currency} /> },
          { label: t.grossReturn, value: percent(returns.grossReturn) },
          { label: t.netReturn, value: percent(returns.netReturn) },
          { label: t.moneyWeighted, value: percent(returns.moneyWeightedReturn) },
          { label: t.timeWeighted, value: <Money amount={returns.timeWeightedInvestment} currency={currency} /> },
          { label: t.daysInvested, value: <Figure value={returns.daysInvested} /> },
        ]}
      />
    </Section>
  );
}
