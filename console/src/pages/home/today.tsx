import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Day, Money } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Empty, Loaded, Section } from "../../ui/panels";
import { byCorridor, type Corridor } from "./corridors";
import { texts } from "./texts";
import type { Row } from "./types";

/** Volume and success by corridor, of the organisation's business day. */
export function Today() {
  const t = useTexts(texts);
  const clock = useQuery(
    read("organisation", "readBusinessClock", {}, (options) => api.organisation.readBusinessClock(options)),
  );
  return (
    <Loaded query={clock}>
      {({ businessDate }) => (
        <Section title={t.today} flush actions={<Day at={businessDate} />}>
          <OfDay day={businessDate} />
        </Section>
      )}
    </Loaded>
  );
}

function OfDay({ day }: { day: string }) {
  const t = useTexts(texts);
  const report = useQuery(
    read("home", "analyticsReport", { day }, async (options) => {
      const answer = await api.reports.analytics({ from: day, to: day }, options);
      return typeof answer === "string" ? [] : answer.rows;
    }),
  );
  return (
    <Loaded query={report}>
      {(rows: readonly Row[]) => {
        const corridors = byCorridor(rows);
        return corridors.length === 0 ? (
          <Empty title={t.nothingToday}>{t.nothingTodayHint}</Empty>
        ) : (
          <Table corridors={corridors} />
        );
      }}
    </Loaded>
  );
}

function Table({ corridors }: { corridors: readonly Corridor[] }) {
  const t = useTexts(texts);
  return (
    <table className="table as-cards" aria-label={t.today}>
      <thead>
        <tr>
          <th scope="col">{t.corridor}</th>
          <th scope="col" className="is-number">
            {t.transactions}
          </th>
          <th scope="col" className="is-number">
            {t.volume}
          </th>
          <th scope="col" className="is-number">
            {t.fees}
          </th>
          <th scope="col" className="is-number">
            {t.succeeded}
          </th>
          <th scope="col" className="is-number">
            {t.failed}
          </th>
        </tr>
      </thead>
      <tbody>
        {corridors.map((one) => (
          <tr key={one.key}>
            <td data-label={t.corridor}>
              <Link
                to={`/transactions?sendCurrency=${one.currency}&receivingCountry=${one.receivingCountry}`}
                className="link font-medium"
              >
                {one.originCountry} → {one.receivingCountry}
              </Link>
            </td>
            <td data-label={t.transactions} className="is-number">
              {one.count}
            </td>
            <td data-label={t.volume} className="is-number">
              <Money amount={one.volume} currency={one.currency} />
            </td>
            <td data-label={t.fees} className="is-number">
              <Money amount={one.fees} currency={one.currency} />
            </td>
            <td data-label={t.succeeded} className="is-number">
              {t.of(String(one.succeeded), String(one.count))}
            </td>
            <td data-label={t.failed} className="is-number">
              <span className={one.failed > 0 ? "font-semibold text-bad" : "text-muted"}>{one.failed}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
