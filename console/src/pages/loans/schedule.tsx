import { useTexts } from "../../i18n/language";
import { sum } from "../../lib/exact";
import type { Column } from "../../ui/data-table";
import { Day, Money } from "../../ui/figures";
import { Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import type { Instalment } from "./codes";
import { texts } from "./texts";

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
  const figure = (key: string, header: string, of: (row: Instalment) => string): Column<Instalment> => ({
    key,
    header,
    isNumber: true,
    cell: (row) => <Money amount={of(row)} />,
  });
  const columns: readonly Column<Instalment>[] = [
    { key: "number", header: t.number, cell: (row) => row.number },
    { key: "due", header: t.due, cell: (row) => <Day at={row.dueOn} /> },
    figure("principal", t.principal, ({ charged }) => charged.principal),
    figure("interest", t.interest, ({ charged }) => charged.interest),
    figure("fees", t.fees, ({ charged }) => charged.fees),
    figure("penalties", t.penalties, ({ charged }) => charged.penalties),
    figure("charged", t.charged, ({ charged }) => totalOf(charged)),
    ...(isOffer
      ? []
      : [figure("paid", t.paid, ({ paid }) => totalOf(paid)), figure("left", t.left, (row) => row.outstanding)]),
    figure("balance", t.balance, (row) => row.balance),
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
