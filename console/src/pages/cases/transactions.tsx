import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { Id, Money, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useWord } from "../compliance/codes";
import { texts } from "./texts";
import type { Case } from "./types";

/** The money of a case, and where each transaction stands. */
export function CaseTransactions({ of }: { of: Case }) {
  const t = useTexts(texts);
  const word = useWord();
  return (
    <Section title={`${t.transactions} (${of.transactionCount})`} flush>
      {of.transactions.length === 0 ? (
        <p className="p-4 text-muted">{t.noTransactions}</p>
      ) : (
        <table className="table as-cards" aria-label={t.transactions}>
          <thead>
            <tr>
              <th scope="col">{t.transaction}</th>
              <th scope="col" className="is-number">
                {t.amount}
              </th>
              <th scope="col">{t.route}</th>
              <th scope="col">{t.recipient}</th>
              <th scope="col">{t.decision}</th>
              <th scope="col">{t.stands}</th>
              <th scope="col">{t.asked}</th>
            </tr>
          </thead>
          <tbody>
            {of.transactions.map((row) => (
              <tr key={row.transactionId}>
                <td data-label={t.transaction}>
                  <div>
                    {row.operation === "REMITTANCE" ? (
                      <Link to={`/transactions/${row.transactionId}`} className="link">
                        {row.transactionCode ?? word(row.operation)}
                      </Link>
                    ) : (
                      <>
                        {word(row.operation)} <Id value={row.transactionId} short />
                      </>
                    )}
                  </div>
                </td>
                <td data-label={t.amount} className="is-number">
                  <Money amount={row.amount} currency={row.currency} />
                </td>
                <td data-label={t.route}>
                  {row.originCountry} → {row.receivingCountry}
                </td>
                <td data-label={t.recipient}>
                  <bdi>{row.recipientName ?? row.recipient ?? <None />}</bdi>
                </td>
                <td data-label={t.decision}>
                  <div>
                    <StatusBadge status={row.decision} label={word(row.decision)} />{" "}
                    <span className="text-xs text-muted">
                      {row.decidedBy === "rules" ? t.byRules : <Person id={row.decidedBy} />}
                    </span>
                  </div>
                </td>
                <td data-label={t.stands}>{row.status ? <StatusBadge status={row.status} /> : <None />}</td>
                <td data-label={t.asked}>
                  <Time at={row.askedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
