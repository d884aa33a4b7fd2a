import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { api, type RowOf } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Money, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Page } from "../../ui/page";
import { Empty, ErrorPanel, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import { tillTexts } from "./till-texts";

type Line = RowOf<typeof api.cash.listTillLines>;
type Count = RowOf<typeof api.cash.listTillCounts>;

/** What came into a till and left it; a manager sees all counts, too. */
export default function TillLinesPage() {
  const t = useTexts(tillTexts);
  const { tillId } = useParams({ strict: false }) as { tillId: string };
  const may = useMay();
  const file = useAction({
    operation: "tillLinesAsCsv",
    run: async () => saveFile(await api.cash.tillLinesAsCsv(tillId), `till-${tillId.slice(-4)}.csv`, "text/csv"),
  });
  const isOwn = may("openTill");
  const columns: readonly Column<Line>[] = [
    { header: "#", cell: (row) => row.number },
    { header: t.when, cell: (row) => <Time at={row.bookedAt} seconds /> },
    { header: t.kind, cell: (row) => inWords(row.kind) },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.balance, isNumber: true, cell: (row) => <Money amount={row.balance} currency={row.currency} /> },
    { header: t.moved, cell: (row) => <Person id={row.movedBy} /> },
    { header: t.transaction, cell: ({ transactionCode }) => transactionCode && <Transaction code={transactionCode} /> },
  ];
  return (
    <Page
      title={t.linesTitle}
      about={t.linesAbout}
      back={isOwn ? { to: "/till", label: t.till } : { to: "/cash", label: t.till }}
      actions={
        <Button icon={Download} busy={file.isRunning} onClick={() => void file.run()}>
          {t.exportLines}
        </Button>
      }
    >
      <ErrorPanel error={file.error} />
      <DataTable
        label={t.linesTitle}
        area="wallets"
        operation="listTillLines"
        list={(query, options) => api.cash.listTillLines(tillId, query, options)}
        of={tillId}
        columns={columns}
        rowKey={(row) => String(row.number)}
        empty={<Empty title={t.noLines}>{t.noLinesHint}</Empty>}
      />
      {may("listTillCounts") && <Counts tillId={tillId} />}
    </Page>
  );
}

function Transaction({ code }: { code: string }) {
  return (
    <Link to={`/transactions/${code}`} className="link font-mono">
      {code}
    </Link>
  );
}

function Counts({ tillId }: { tillId: string }) {
  const t = useTexts(tillTexts);
  const cash = useTexts(texts);
  const counts = useQuery(
    read("wallets", "listTillCounts", { tillId }, (options) => api.cash.listTillCounts(tillId, options)),
  );
  const money = (row: Count, amount: string) => <Money amount={amount} currency={row.currency} />;
  const columns: readonly Column<Count>[] = [
    { header: t.when, cell: (row) => <Time at={row.countedAt} seconds /> },
    { header: t.countedBy, cell: (row) => <Person id={row.countedBy} /> },
    { header: cash.counted, isNumber: true, cell: (row) => money(row, row.counted) },
    { header: cash.expected, isNumber: true, cell: (row) => money(row, row.expected) },
    { header: cash.difference, isNumber: true, cell: (row) => money(row, row.difference) },
    { header: t.notes, cell: (row) => row.denominations.map(({ value, count }) => `${count} × ${value}`).join(", ") },
    { header: t.reason, cell: (row) => row.reason },
    { header: t.state, cell: (row) => row.closing && <Badge>{t.atClosing}</Badge> },
  ];
  return (
    <Section title={t.counts} flush>
      <Loaded query={counts}>
        {(rows) => (
          <Rows label={t.counts} rows={rows} columns={columns} rowKey={({ countId }) => countId} empty={t.noCounts} />
        )}
      </Loaded>
    </Section>
  );
}
