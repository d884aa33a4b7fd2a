import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { DataTable } from "../../ui/data-table";
import { Day, Figure, Money } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { texts } from "./texts";

type Movement = RowOf<typeof api.investments.readStatement>;

/** What was paid for a holding and what it paid, the oldest first. */
export function Statement({ holdingId }: { holdingId: string }) {
  const t = useTexts(texts);
  const money = (header: string, of: (row: Movement) => string): Column<Movement> => ({
    header,
    isNumber: true,
    cell: (row) => <Money amount={of(row)} />,
  });
  const columns: readonly Column<Movement>[] = [
    { header: t.date, cell: (row) => <Day at={row.date} /> },
    { header: t.kind, cell: (row) => inWords(row.kind) },
    { header: t.units, isNumber: true, cell: (row) => <Figure value={row.numberOfUnits} /> },
    money(t.principal, (row) => row.principal),
    money(t.interest, (row) => row.interest),
    money(t.penalty, (row) => row.penalty),
    money(t.tax, (row) => row.tax),
    { header: t.paid, isNumber: true, cell: (row) => <Money amount={row.paidAmount} currency={row.currency} /> },
    { header: t.unitsAfter, isNumber: true, cell: (row) => <Figure value={row.unitsAfter} /> },
    money(t.principalAfter, (row) => row.principalAfter),
  ];
  return (
    <section aria-label={t.statement} className="flex flex-col gap-2">
      <h2 className="font-semibold">{t.statement}</h2>
      <DataTable
        label={t.statement}
        area="investments"
        operation="readInvestmentStatement"
        of={holdingId}
        list={(query, options) => api.investments.readStatement(holdingId, query, options)}
        columns={columns}
        rowKey={(row) => row.movementId}
        empty={<Empty title={t.noMovements} />}
      />
    </section>
  );
}
