import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { inWords } from "../../ui/words";
import { DataTable, type Column } from "../../ui/data-table";
import { Day, Figure, Money } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import { texts } from "./texts";

type Movements = ReturnType<typeof api.investments.readStatement>;
type Movement = Awaited<ReturnType<Movements["page"]>>["items"][number];

/** What was paid for a holding and what it paid, the oldest first. */
export function Statement({ holdingId }: { holdingId: string }) {
  const t = useTexts(texts);
  const money = (key: string, header: string, of: (row: Movement) => string): Column<Movement> => ({
    key,
    header,
    isNumber: true,
    cell: (row) => <Money amount={of(row)} />,
  });
  const columns: readonly Column<Movement>[] = [
    { key: "date", header: t.date, cell: (row) => <Day at={row.date} /> },
    { key: "kind", header: t.kind, cell: (row) => inWords(row.kind) },
    { key: "units", header: t.units, isNumber: true, cell: (row) => <Figure value={row.numberOfUnits} /> },
    money("principal", t.principal, (row) => row.principal),
    money("interest", t.interest, (row) => row.interest),
    money("penalty", t.penalty, (row) => row.penalty),
    money("tax", t.tax, (row) => row.tax),
    {
      key: "paid",
      header: t.paid,
      isNumber: true,
      cell: (row) => <Money amount={row.paidAmount} currency={row.currency} />,
    },
    { key: "unitsAfter", header: t.unitsAfter, isNumber: true, cell: (row) => <Figure value={row.unitsAfter} /> },
    money("after", t.principalAfter, (row) => row.principalAfter),
  ];
  return (
    <section aria-label={t.statement} className="flex flex-col gap-2">
      <h2 className="font-semibold">{t.statement}</h2>
      <DataTable
        label={t.statement}
        area="investments"
        operation="readInvestmentStatement"
        query={{ holdingId }}
        load={({ holdingId: _inPath, ...place }, options) =>
          api.investments.readStatement(holdingId, place as object, options).page()
        }
        columns={columns}
        rowKey={(row) => row.movementId}
        empty={<Empty title={t.noMovements} />}
      />
    </section>
  );
}
