import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Day, Id, Money, Time } from "../../ui/figures";
import { Page, Stack } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { SettlementActions } from "./settlement-actions";
import { SettlementLines, useChosenLines } from "./settlement-lines";
import { settlementTexts, settlementTitle } from "./settlement-texts";

type Settlement = AnswerOf<typeof api.agents.readAgentSettlement>;

// Its lines are taken, and it is booked, behind the answer.
const pollMs = 3_000;

/** One settlement: what it comes to, its lines, and what becomes of it. */
export default function SettlementPage() {
  const { settlementId } = useParams({ strict: false }) as { settlementId: string };
  // Lines that were chosen are of one settlement.
  return <OneSettlement key={settlementId} settlementId={settlementId} />;
}

function OneSettlement({ settlementId }: { settlementId: string }) {
  const t = useTexts(settlementTexts);
  const chosen = useChosenLines();
  const isManager = useMay()("openAgentSettlement");
  const settlement = useQuery({
    ...read("wallets", "readAgentSettlement", { settlementId }, (options) =>
      api.agents.readAgentSettlement(settlementId, options),
    ),
    refetchInterval: ({ state }) => (/^(CLOSING|PAYING)$/.test(state.data?.status ?? "") ? pollMs : false),
  });
  const { data } = settlement;
  return (
    <Page
      title={data ? settlementTitle(t, data) : t.settlement("")}
      badge={data && <StatusBadge status={data.status} />}
      back={isManager ? { to: "/agents?show=settlements", label: t.settlements } : { to: "/", label: t.settlements }}
      actions={data && <SettlementActions settlement={data} chosen={chosen} />}
    >
      <Loaded query={settlement} lines={8}>
        {(found) => (
          <Stack>
            <Dues of={found} />
            {found.statement ? (
              <SettlementLines of={found} chosen={chosen} />
            ) : (
              <p className="text-muted">{found.status === "CANCELLED" ? t.neverClosed : t.notClosed}</p>
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Dues({ of }: { of: Settlement }) {
  const t = useTexts(settlementTexts);
  const { currency, dues, statement, payment, dispute } = of;
  const money = (amount: string | undefined) => <Money amount={amount} currency={currency} />;
  const isOwed = dues?.owes.startsWith("-") ?? false;
  const hasMoved = of.carried.length > 0 || of.movedOn.length > 0;
  const alone = hasMoved ? statement?.dues.owes : undefined;
  const person = (id: string | undefined) => (id === undefined ? undefined : <Person id={id} />);
  return (
    <Section title={t.dues}>
      {of.waitsFor && (
        <p className="mb-3 text-warn">
          {t.waitsFor} {of.waitsFor}
        </p>
      )}
      {hasMoved && <p className="mb-3 text-muted">{t.countsMoved}</p>}
      <KeyValue
        columns={3}
        hideEmpty
        facts={[
          { label: t.agent, value: <Person id={of.agentId} /> },
          {
            label: t.period,
            value: (
              <>
                <Day at={of.from} /> {t.until} <Day at={of.to} />
              </>
            ),
          },
          { label: t.collected, value: dues && money(dues.collected) },
          { label: t.paidOut, value: dues && money(dues.paidOut) },
          { label: t.commission, value: dues && money(dues.commission) },
          {
            label: isOwed ? t.isOwed : t.owes,
            value: dues && <strong className="text-lg">{money(dues.owes.replace("-", ""))}</strong>,
          },
          {
            label: alone?.startsWith("-") ? t.aloneIsOwed : t.aloneOwes,
            value: alone && money(alone.replace("-", "")),
          },
          { label: t.closedAt, value: statement && <Time at={statement.closedAt} /> },
          { label: t.approvedBy, value: person(of.approvedBy) },
          { label: t.bank, value: payment && money(payment.bank) },
          { label: t.reference, value: payment?.reference },
          { label: t.failure, value: payment?.failure },
          { label: t.disputed, value: dispute?.reason },
          { label: t.disputeEnded, value: dispute?.endedBecause },
          { label: t.sha, value: statement && <Id value={statement.sha256} /> },
        ]}
      />
    </Section>
  );
}
