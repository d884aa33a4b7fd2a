import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { api, type AnswerOf, type RowOf } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { KeyValue } from "../../ui/facts";
import { Day, Id, Money, Time } from "../../ui/figures";
import { Page, Stack } from "../../ui/page";
import { Empty, ErrorPanel, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { SettlementActions } from "./settlement-actions";
import { settlementTexts } from "./settlement-texts";

type Settlement = AnswerOf<typeof api.agents.readAgentSettlement>;
type Line = RowOf<typeof api.agents.listAgentSettlementLines>;

// Its lines are taken, and it is booked, behind the answer.
const pollMs = 3_000;

/** One settlement: what it comes to, its lines, and what becomes of it. */
export default function SettlementPage() {
  const t = useTexts(settlementTexts);
  const { settlementId } = useParams({ strict: false }) as { settlementId: string };
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
      title={t.settlement(String(data?.number ?? ""))}
      badge={data && <StatusBadge status={data.status} />}
      back={isManager ? { to: "/agents?show=settlements", label: t.settlements } : { to: "/", label: t.settlements }}
      actions={data && <SettlementActions settlement={data} />}
    >
      <Loaded query={settlement} lines={8}>
        {(found) => (
          <Stack>
            <Dues of={found} />
            {found.statement ? <Lines of={found} /> : <p className="text-muted">{t.notClosed}</p>}
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
  const person = (id: string | undefined) => (id === undefined ? undefined : <Person id={id} />);
  return (
    <Section title={t.dues}>
      {of.waitsFor && (
        <p className="mb-3 text-warn">
          {t.waitsFor} {of.waitsFor}
        </p>
      )}
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

function Lines({ of: { settlementId, number } }: { of: Settlement }) {
  const t = useTexts(settlementTexts);
  const file = useAction({
    operation: "agentStatement",
    run: async () =>
      saveFile(
        await api.agents.agentStatement(settlementId, { format: "csv" }),
        `settlement-${number}.csv`,
        "text/csv",
      ),
  });
  const columns: readonly Column<Line>[] = [
    { header: t.businessDay, cell: (row) => <Day at={row.businessDay} /> },
    { header: t.kind, cell: (row) => inWords(row.kind) },
    { header: t.account, cell: (row) => inWords(row.account) },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.transaction, cell: (row) => row.transactionCode },
  ];
  return (
    <Section
      title={t.lines}
      actions={
        <Button icon={Download} busy={file.isRunning} onClick={() => void file.run()}>
          {t.exportCsv}
        </Button>
      }
      flush
    >
      <ErrorPanel error={file.error} />
      <DataTable
        label={t.lines}
        area="wallets"
        operation="listAgentSettlementLines"
        list={(query, options) => api.agents.listAgentSettlementLines(settlementId, query, options)}
        of={settlementId}
        columns={columns}
        rowKey={({ lineId }) => lineId}
        empty={<Empty title={t.noLines} />}
      />
    </Section>
  );
}
