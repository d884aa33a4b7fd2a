import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
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

function Transactions({ rows }: { rows: Report["rows"] }) {
  const t = useTexts(texts);
  return (
    <Section title={t.transactions} flush>
      {rows.length === 0 ? (
        <Empty title={t.noTransactions}>{t.noTransactionsHint}</Empty>
      ) : (
        <table className="table as-cards" aria-label={t.transactions}>
          <thead>
            <tr>
              <th scope="col">{t.agent}</th>
              <th scope="col">{t.createdBy}</th>
              <th scope="col">{t.status}</th>
              <th scope="col" className="is-number">
                {t.count}
              </th>
              <th scope="col" className="is-number">
                {t.principal}
              </th>
              <th scope="col" className="is-number">
                {t.fees}
              </th>
              <th scope="col" className="is-number">
                {t.taxes}
              </th>
              <th scope="col" className="is-number">
                {t.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={[row.agentId, row.createdBy, row.currency, row.status].join(" ")}>
                <td data-label={t.agent}>
                  <Person id={row.agentId} />
                </td>
                <td data-label={t.createdBy}>
                  <Person id={row.createdBy} />
                  {row.createdByRole && <span className="text-xs text-muted"> {inWords(row.createdByRole)}</span>}
                </td>
                <td data-label={t.status}>
                  <StatusBadge status={row.status} />
                </td>
                <Amount label={t.count}>
                  <Figure value={String(row.count)} />
                </Amount>
                <Amount label={t.principal}>
                  <Money amount={row.principalAmount} currency={row.currency} />
                </Amount>
                <Amount label={t.fees}>
                  <Money amount={row.fees} currency={row.currency} />
                </Amount>
                <Amount label={t.taxes}>
                  <Money amount={row.taxes} currency={row.currency} />
                </Amount>
                <Amount label={t.total}>
                  <Money amount={row.totalAmount} currency={row.currency} />
                </Amount>
              </tr>
            ))}
          </tbody>
          <tfoot>
            {totalsOf(rows).map(([currency, total]) => (
              <tr key={currency} className="border-t-2 border-line-strong font-semibold">
                <td colSpan={7} data-label={t.total}>
                  {t.totalIn(currency)}
                </td>
                <Amount label={currency}>
                  <Money amount={total} currency={currency} />
                </Amount>
              </tr>
            ))}
          </tfoot>
        </table>
      )}
    </Section>
  );
}

function Amount({ label, children }: { label: string; children: ReactNode }) {
  return (
    <td data-label={label} className="is-number">
      {children}
    </td>
  );
}

/** By currency, exactly. */
function totalsOf(rows: Report["rows"]): [currency: string, total: string][] {
  const totals = new Map<string, string>();
  for (const { currency, totalAmount } of rows) totals.set(currency, sum(totals.get(currency) ?? "0", totalAmount));
  return [...totals].toSorted(([one], [other]) => one.localeCompare(other));
}

/** Cash that went over the desks: managers alone are told of it. */
function Cash({ cash }: { cash: NonNullable<Report["cash"]> }) {
  const t = useTexts(texts);
  return (
    <Section title={t.cash} flush>
      {cash.length === 0 ? (
        <p className="p-4 text-muted">{t.noCash}</p>
      ) : (
        <table className="table as-cards" aria-label={t.cash}>
          <thead>
            <tr>
              <th scope="col">{t.cashier}</th>
              <th scope="col">{t.kind}</th>
              <th scope="col" className="is-number">
                {t.count}
              </th>
              <th scope="col" className="is-number">
                {t.approved}
              </th>
              <th scope="col" className="is-number">
                {t.total}
              </th>
            </tr>
          </thead>
          <tbody>
            {cash.map((row) => (
              <tr key={[row.cashierId, row.kind, row.currency].join(" ")}>
                <td data-label={t.cashier}>
                  <Person id={row.cashierId} />
                </td>
                <td data-label={t.kind}>{inWords(row.kind)}</td>
                <Amount label={t.count}>
                  <Figure value={String(row.count)} />
                </Amount>
                <Amount label={t.approved}>
                  <Figure value={String(row.approved)} />
                </Amount>
                <Amount label={t.total}>
                  <Money amount={row.totalAmount} currency={row.currency} />
                </Amount>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
