import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf } from "../../lib/api";
import { sum } from "../../lib/exact";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { today } from "../../lib/zoned-day";
import { StatusBadge } from "../../ui/badge";
import { Day, Figure, Money } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import { type Column, Table } from "../../ui/table";
import { inWords } from "../../ui/words";
import { CsvButton } from "./csv-button";
import { texts } from "./texts";

type Report = Exclude<AnswerOf<typeof api.reports.callOver>, string>;

/** A day's transactions by agent and by who created them, to be called over against the desk. */
export function CallOver() {
  const t = useTexts(texts);
  const { timeZone } = useOrganisation();
  const filters = useFilters(["date"]);
  const { date } = filters.values;
  const query = date ? { date } : {};
  const report = useQuery(
    read("reports", "callOverReport", query, (options) => api.reports.callOver(query, options) as PromiseLike<Report>),
  );
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <FilterBar
          filters={{ ...filters, values: { date: date ?? today(timeZone) } }}
          fields={[{ name: "date", label: t.day, kind: "date" }]}
        />
        <CsvButton
          operation="callOverReport"
          name={`call-over-${date ?? today(timeZone)}.csv`}
          load={() => api.reports.callOver({ ...query, format: "csv" })}
        />
      </div>
      <Loaded query={report} lines={8}>
        {(found) => (
          <>
            <p>
              {t.ofDay} <strong>{<Day at={found.date} />}</strong> ({timeZone})
            </p>
            <Transactions rows={found.rows} />
            {found.cash && <Cash cash={found.cash} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

type Row = Report["rows"][number];

const money = (header: string, of: (row: Row) => string): Column<Row> => ({
  header,
  isNumber: true,
  cell: (row) => <Money amount={of(row)} currency={row.currency} />,
});

function Transactions({ rows }: { rows: readonly Row[] }) {
  const t = useTexts(texts);
  return (
    <Section title={t.transactions} flush>
      {rows.length === 0 ? (
        <Empty title={t.noTransactions}>{t.noTransactionsHint}</Empty>
      ) : (
        <Table
          label={t.transactions}
          rows={rows}
          rowKey={(row) => [row.agentId, row.createdBy, row.currency, row.status].join(" ")}
          columns={[
            { header: t.agent, cell: (row) => <Person id={row.agentId} /> },
            {
              header: t.createdBy,
              cell: ({ createdBy, createdByRole }) => (
                <>
                  <Person id={createdBy} />
                  {createdByRole && <span className="text-xs text-muted"> {inWords(createdByRole)}</span>}
                </>
              ),
            },
            { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
            { header: t.count, isNumber: true, cell: (row) => <Figure value={String(row.count)} /> },
            money(t.principal, (row) => row.principalAmount),
            money(t.fees, (row) => row.fees),
            money(t.taxes, (row) => row.taxes),
            money(t.total, (row) => row.totalAmount),
          ]}
          sums={totalsOf(rows).map(([currency, total]) => (
            <tr key={currency} className="border-t-2 border-line-strong font-semibold">
              <td colSpan={7} data-label={t.total}>
                {t.totalIn(currency)}
              </td>
              <td data-label={currency} className="is-number">
                <Money amount={total} currency={currency} />
              </td>
            </tr>
          ))}
        />
      )}
    </Section>
  );
}

/** By currency, exactly. */
function totalsOf(rows: readonly Row[]): [currency: string, total: string][] {
  const totals = new Map<string, string>();
  for (const { currency, totalAmount } of rows) totals.set(currency, sum(totals.get(currency) ?? "0", totalAmount));
  return [...totals].toSorted(([one], [other]) => one.localeCompare(other));
}

/** Cash that went over the desks: managers alone are told of it. */
function Cash({ cash }: { cash: NonNullable<Report["cash"]> }) {
  const t = useTexts(texts);
  return (
    <Section title={t.cash} flush>
      <Rows
        label={t.cash}
        rows={cash}
        empty={t.noCash}
        rowKey={(row) => [row.cashierId, row.kind, row.currency].join(" ")}
        columns={[
          { header: t.cashier, cell: (row) => <Person id={row.cashierId} /> },
          { header: t.kind, cell: (row) => inWords(row.kind) },
          { header: t.count, isNumber: true, cell: (row) => <Figure value={String(row.count)} /> },
          { header: t.approved, isNumber: true, cell: (row) => <Figure value={String(row.approved)} /> },
          {
            header: t.total,
            isNumber: true,
            cell: (row) => <Money amount={row.totalAmount} currency={row.currency} />,
          },
        ]}
      />
    </Section>
  );
}
