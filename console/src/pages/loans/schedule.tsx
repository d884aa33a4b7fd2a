import { sum } from "../../lib/exact";
import { useTexts } from "../../lib/language";
import { Day, Money } from "../../ui/figures";
import { Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import type { Column } from "../../ui/table";
import { texts } from "./texts";
import type { Instalment } from "./types";

interface Props {
  instalments: readonly Instalment[];
  currency: string;
  /** Nothing can be paid yet. */
  isOffer: boolean;
}

const totalOf = ({ principal, interest, fees, penalties }: Instalment["charged"]) =>
  sum(sum(principal, interest), sum(fees, penalties));

/** What falls due when, and what is paid of it. */
export function Schedule({ instalments, currency, isOffer }: Props) {
  const t = useTexts(texts);
  const figure = (header: string, of: (row: Instalment) => string): Column<Instalment> => ({
    header,
    isNumber: true,
    cell: (row) => <Money amount={of(row)} />,
  });
  const columns: readonly Column<Instalment>[] = [
    { header: t.number, cell: (row) => row.number },
    { header: t.due, cell: (row) => <Day at={row.dueOn} /> },
    figure(t.principal, ({ charged }) => charged.principal),
    figure(t.interest, ({ charged }) => charged.interest),
    figure(t.fees, ({ charged }) => charged.fees),
    figure(t.penalties, ({ charged }) => charged.penalties),
    figure(t.charged, ({ charged }) => totalOf(charged)),
    ...(isOffer ? [] : [figure(t.paid, ({ paid }) => totalOf(paid)), figure(t.left, (row) => row.outstanding)]),
    figure(t.balance, (row) => row.balance),
  ];
  return (
    <Section title={`${t.schedule} · ${currency}`} flush>
      <Rows
        label={t.schedule}
        rows={instalments}
        columns={columns}
        rowKey={(row) => String(row.number)}
        empty={t.nothing}
      />
    </Section>
  );
}
