import { Plus, Upload } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useLanguage, useTexts } from "../../lib/language";
import { grouped } from "../../lib/money";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Figure } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { keyOf, useDeliveryText } from "./codes";
import { CorridorDialog } from "./corridor-dialog";
import { CsvDialog } from "./csv-dialog";
import { FeeText } from "./fees";
import { texts } from "./texts";
import type { Corridor } from "./types";

/** Where money can be sent, and what it costs. */
export default function Corridors() {
  const t = useTexts(texts);
  const language = useLanguage();
  const may = useMay();
  const deliveryText = useDeliveryText();
  const [open, setOpen] = useState<"new" | "load">();
  const columns: readonly Column<Corridor>[] = [
    {
      header: t.corridor,
      cell: (row) => `${row.originCountry} ${row.sendCurrency} → ${row.receivingCountry} ${row.receivingCurrency}`,
    },
    { header: t.deliveries, cell: (row) => deliveryText(row.types) },
    { header: t.fees, cell: (row) => <FeeText corridor={row} /> },
    {
      header: t.limits,
      isNumber: true,
      cell: (row) =>
        `${grouped(row.minimumAmount, language)} – ${grouped(row.maximumAmount, language)} ${row.sendCurrency}`,
    },
    { header: t.version, isNumber: true, cell: (row) => <Figure value={row.version} /> },
    { header: t.status, cell: (row) => (row.enabled ? <Badge tone="good">{t.on}</Badge> : <Badge>{t.off}</Badge>) },
  ];
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <>
          {may("loadCorridors") && (
            <Button icon={Upload} onClick={() => setOpen("load")}>
              {t.load}
            </Button>
          )}
          {may("putCorridor") && (
            <Button icon={Plus} variant="primary" onClick={() => setOpen("new")}>
              {t.newCorridor}
            </Button>
          )}
        </>
      }
    >
      <DataTable
        label={t.title}
        area="corridors"
        operation="listCorridors"
        list={(_query, options) => api.corridors.list(options)}
        columns={columns}
        rowKey={keyOf}
        rowLink={(row) => `/corridors/${keyOf(row)}`}
        empty={<Empty title={t.none}>{t.noneHint}</Empty>}
      />
      {open === "new" && <CorridorDialog corridor={undefined} onClose={close} />}
      {open === "load" && (
        <CsvDialog
          operation="loadCorridors"
          load={(body, options) => api.corridors.load(body, options)}
          takesReason
          columns="originCountry,sendCurrency,receivingCountry,receivingCurrency,types,minimumAmount,maximumAmount,enabled,feeName,feeFixed,feeRateBps,feeMinimum,feeMaximum,feeTaxBps,partner,estimateMinutes,deliveryDays,payeeCheck"
          onClose={close}
        />
      )}
    </Page>
  );
}
