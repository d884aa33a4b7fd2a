import { Plus, Upload } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { useOrganisation } from "../../lib/organisation";
import { useFilters, type Filters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Dialog } from "../../ui/dialog";
import { None } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { plain } from "../../ui/options";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { CsvDialog } from "./csv-dialog";
import { History } from "./history";
import { placeTexts } from "./place-texts";
import { PointDialog } from "./point-dialog";
import { RowActions } from "./row-actions";
import type { Point } from "./types";

type Open = { kind: "new" | "load" } | { kind: "change" | "history"; point: Point };

/** The points that are offered to who sends from one country to another. */
export function PayoutPoints() {
  const t = useTexts(placeTexts);
  const may = useMay();
  const { countries } = useOrganisation();
  const filters = useFilters(["tradeOriginatingCountry", "destinationCountry"]);
  const [open, setOpen] = useState<Open>();
  const options = plain(countries);
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <FilterBar
          filters={filters}
          fields={[
            { name: "tradeOriginatingCountry", label: t.originCountry, kind: "select", options },
            { name: "destinationCountry", label: t.country, kind: "select", options },
          ]}
        />
        <div className="flex flex-wrap gap-2">
          {may("loadPayoutPoints") && (
            <Button icon={Upload} onClick={() => setOpen({ kind: "load" })}>
              {t.load}
            </Button>
          )}
          {may("putPayoutPoint") && (
            <Button icon={Plus} variant="primary" onClick={() => setOpen({ kind: "new" })}>
              {t.addPoint}
            </Button>
          )}
        </div>
      </div>
      <PointTable filters={filters} onOpen={setOpen} />
      {open?.kind === "new" && <PointDialog point={undefined} onClose={close} />}
      {open?.kind === "change" && <PointDialog point={open.point} onClose={close} />}
      {open?.kind === "history" && (
        <Dialog wide title={t.historyOf(open.point.code)} onClose={close}>
          <History kind="PAYOUT_POINT" settingKey={open.point.code} like={open.point.maximumAmount} />
        </Dialog>
      )}
      {open?.kind === "load" && (
        <CsvDialog
          operation="loadPayoutPoints"
          load={(body, given) => api.payoutPoints.load(body, given)}
          columns="code,name,type,country,currency,city,address,openingHours,mobileOperator,minimumAmount,maximumAmount,allocatedTo,partner,enabled"
          onClose={close}
        />
      )}
    </div>
  );
}

interface TableProps {
  filters: Filters<"tradeOriginatingCountry" | "destinationCountry">;
  onOpen: (open: Open) => void;
}

function PointTable({ filters, onOpen }: TableProps) {
  const t = useTexts(placeTexts);
  const language = useLanguage();
  const may = useMay();
  const { tradeOriginatingCountry, destinationCountry } = filters.values;
  if (!tradeOriginatingCountry || !destinationCountry) {
    return (
      <div className="card">
        <Empty title={t.chooseCountry}>{t.chooseCountryHint}</Empty>
      </div>
    );
  }
  const columns: readonly Column<Point>[] = [
    { header: t.code, cell: (row) => <span className="font-mono text-[0.75rem]">{row.code}</span> },
    { header: t.name, cell: (row) => row.name },
    { header: t.type, cell: (row) => inWords(row.type) },
    {
      header: t.limits,
      isNumber: true,
      cell: (row) =>
        `${grouped(row.minimumAmount, language)} – ${grouped(row.maximumAmount, language)} ${row.currency}`,
    },
    { header: t.city, cell: (row) => [row.address, row.city].filter(Boolean).join(", ") || <None /> },
    { header: t.hours, cell: (row) => row.openingHours ?? <None /> },
    { header: t.allocatedTo, cell: (row) => <AllocatedTo owner={row.allocatedTo} /> },
    {
      header: t.actions,
      cell: (point) => (
        <RowActions
          code={point.code}
          onChange={may("putPayoutPoint") ? () => onOpen({ kind: "change", point }) : undefined}
          onHistory={may("listSettingChanges") ? () => onOpen({ kind: "history", point }) : undefined}
        />
      ),
    },
  ];
  return (
    <DataTable
      label={t.points}
      area="corridors"
      operation="listAllocatedPayoutPoints"
      of={`${tradeOriginatingCountry} ${destinationCountry}`}
      list={(query, options) =>
        api.payoutPoints.listAllocated({ tradeOriginatingCountry, destinationCountry }, query, options)
      }
      columns={columns}
      rowKey={(row) => row.id}
      empty={<Empty title={t.noPoints}>{t.noPointsHint}</Empty>}
    />
  );
}

export function AllocatedTo({ owner }: { owner: string }) {
  const t = useTexts(placeTexts);
  return owner === "TENANT" ? t.everybody : <Person id={owner} />;
}
