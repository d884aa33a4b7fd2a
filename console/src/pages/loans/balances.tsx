import { useTexts } from "../../lib/language";
import { StatusBadge, Badge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Day, Figure, Id, Money, Time } from "../../ui/figures";
import { Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { isPositive } from "./codes";
import { CustomerLink } from "./list";
import { texts } from "./texts";
import type { Loan } from "./types";

/** What is owed by part, and what is beside it. */
export function Balances({ loan }: { loan: Loan }) {
  const t = useTexts(texts);
  const { outstanding, currency } = loan;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const whereAny = (amount: string) => (isPositive(amount) ? <strong>{money(amount)}</strong> : money(amount));
  return (
    <Section title={t.balances}>
      <KeyValue
        columns={3}
        facts={[
          { label: t.principal, value: money(outstanding.principal) },
          { label: t.interest, value: money(outstanding.interest) },
          { label: t.fees, value: money(outstanding.fees) },
          { label: t.penalties, value: money(outstanding.penalties) },
          { label: t.totalPayable, value: <strong>{money(loan.totalPayable)}</strong> },
          { label: t.accrued, value: money(loan.accruedInterest) },
          { label: t.waiting, value: whereAny(loan.waitingForVerification) },
          { label: t.overpaid, value: whereAny(loan.overpaid) },
          { label: t.writtenOff, value: whereAny(loan.writtenOff) },
          { label: t.recovered, value: whereAny(loan.recovered) },
          { label: t.begins, value: <Day at={loan.disbursedAt} /> },
          { label: t.ended, value: <Day at={loan.closedAt} /> },
          { label: t.customer, value: <CustomerLink id={loan.customerId} /> },
          { label: t.account, value: <Id value={loan.accountId} /> },
        ]}
      />
    </Section>
  );
}

/** How late it is. */
export function Delinquency({ loan }: { loan: Loan }) {
  const t = useTexts(texts);
  const isLate = loan.daysPastDue > 0;
  return (
    <Section title={t.delinquency}>
      <KeyValue
        columns={2}
        facts={[
          { label: t.overdue, value: <Money amount={loan.overdueAmount} currency={loan.currency} /> },
          { label: t.daysLate, value: <Figure value={loan.daysPastDue} /> },
          {
            label: t.bucket,
            value: <Badge tone={isLate ? "bad" : "good"}>{inWords(loan.delinquencyBucket)}</Badge>,
          },
          {
            label: t.status,
            value: loan.delinquencyPaused ? <Badge tone="warn">{t.paused}</Badge> : <Badge>{t.running}</Badge>,
          },
          { label: t.nextDue, value: <Day at={loan.nextDueDate} /> },
          { label: t.amount, value: <Money amount={loan.nextDueAmount} currency={loan.currency} /> },
          { label: t.thirdParty, value: loan.thirdPartyCollection ? t.yes : t.no },
        ]}
      />
    </Section>
  );
}

type Payback = Loan["paybacks"][number];

/** What went back of what was overpaid. */
export function Paybacks({ loan }: { loan: Loan }) {
  const t = useTexts(texts);
  if (loan.paybacks.length === 0 && !isPositive(loan.overpaid)) return null;
  const columns: readonly Column<Payback>[] = [
    { header: t.when, cell: (row) => <Time at={row.createdAt} /> },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={loan.currency} /> },
    { header: t.paidTo, cell: (row) => inWords(row.paidTo) },
    {
      header: t.status,
      cell: (row) => (
        <>
          <StatusBadge status={row.status} {...(row.status === "DONE" && { tone: "good" as const })} />
          {row.failure && <div>{row.failure}</div>}
        </>
      ),
    },
  ];
  return (
    <Section title={t.paybacks} flush>
      <Rows label={t.paybacks} rows={loan.paybacks} columns={columns} rowKey={(row) => row.id} empty={t.noPaybacks} />
    </Section>
  );
}
