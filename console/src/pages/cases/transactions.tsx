import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { Id, Money, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import { useWord } from "../compliance/codes";
import { texts } from "./texts";
import type { Case } from "./types";

/** The money of a case, and where each transaction stands. */
export function CaseTransactions({ of }: { of: Case }) {
  const t = useTexts(texts);
  const word = useWord();
  return (
    <Section title={`${t.transactions} (${of.transactionCount})`} flush>
      <Rows
        label={t.transactions}
        rows={of.transactions}
        rowKey={({ transactionId }) => transactionId}
        empty={t.noTransactions}
        columns={[
          {
            header: t.transaction,
            cell: (row) =>
              row.operation === "REMITTANCE" ? (
                <Link to={`/transactions/${row.transactionId}`} className="link">
                  {row.transactionCode ?? word(row.operation)}
                </Link>
              ) : (
                <>
                  {word(row.operation)} <Id value={row.transactionId} short />
                </>
              ),
          },
          { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
          { header: t.route, cell: (row) => `${row.originCountry} → ${row.receivingCountry}` },
          { header: t.recipient, cell: (row) => <bdi>{row.recipientName ?? row.recipient ?? <None />}</bdi> },
          {
            header: t.decision,
            cell: ({ decision, decidedBy }) => (
              <>
                <StatusBadge status={decision} label={word(decision)} />{" "}
                <span className="text-xs text-muted">
                  {decidedBy === "rules" ? t.byRules : <Person id={decidedBy} />}
                </span>
              </>
            ),
          },
          { header: t.stands, cell: ({ status }) => status && <StatusBadge status={status} /> },
          { header: t.asked, cell: (row) => <Time at={row.askedAt} /> },
        ]}
      />
    </Section>
  );
}
