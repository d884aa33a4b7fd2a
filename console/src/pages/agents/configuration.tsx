import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Money, Time } from "../../ui/figures";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Configuration } from "./types";

type Terms = Configuration["terms"][number];

/** How an agent sells, as it holds. */
export function ConfigurationFacts({ of }: { of: Configuration }) {
  const t = useTexts(texts);
  const modes: Readonly<Record<string, string>> = t as never;
  const money = (row: Terms, amount: string | undefined) => <Money amount={amount} currency={amount && row.currency} />;
  const columns: readonly Column<Terms>[] = [
    { header: t.currency, cell: (row) => row.currency },
    { header: t.perTransaction, isNumber: true, cell: (row) => money(row, row.perTransaction) },
    { header: t.perDay, isNumber: true, cell: (row) => money(row, row.perDay) },
    { header: t.creditLine, isNumber: true, cell: (row) => money(row, row.creditLine) },
    { header: t.plan, cell: (row) => row.commissionPlanId },
  ];
  return (
    <>
      <div className="p-4">
        <KeyValue
          columns={3}
          facts={[
            {
              label: t.status,
              value: <StatusBadge status={of.status} tone={of.status === "ACTIVE" ? "good" : "bad"} />,
            },
            { label: t.mode, value: modes[of.mode] ?? of.mode },
            { label: t.corridors, value: of.corridors.join(", ") || t.allOfThem },
            { label: t.methods, value: of.methods.map(inWords).join(", ") || t.allOfThem },
            { label: t.changed, value: <Time at={of.changedAt} /> },
            { label: t.who, value: <Person id={of.changedBy} /> },
            { label: t.reason, value: of.reason },
          ]}
        />
      </div>
      <Rows label={t.terms} rows={of.terms} columns={columns} rowKey={({ currency }) => currency} empty={t.notSet} />
    </>
  );
}
