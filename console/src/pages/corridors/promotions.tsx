import { History as HistoryIcon, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button, IconButton } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Dialog } from "../../ui/dialog";
import { Figure, Money, None, Time } from "../../ui/figures";
import { Page } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { History } from "./history";
import { PromotionDialog } from "./promotion-dialog";
import { promotionTexts } from "./promotion-texts";
import type { Promotion } from "./types";

type Open = { kind: "new" } | { kind: "change" | "history"; promotion: Promotion };

/** Promo codes and how often they were used. */
export default function Promotions() {
  const t = useTexts(promotionTexts);
  const may = useMay();
  const [open, setOpen] = useState<Open>();
  const columns: readonly Column<Promotion>[] = [
    { header: t.code, cell: (row) => <span className="font-mono">{row.code}</span> },
    { header: t.discount, isNumber: true, cell: (row) => <Figure value={row.feeDiscountBps} unit="bps" /> },
    { header: t.bonus, isNumber: true, cell: (row) => <Figure value={row.rateBonusBps} unit="bps" /> },
    {
      header: t.uses,
      isNumber: true,
      cell: (row) => `${row.uses}${row.maxUses === undefined ? "" : ` / ${row.maxUses}`}`,
    },
    {
      header: t.least,
      isNumber: true,
      cell: (row) =>
        row.minimumAmount ? <Money amount={row.minimumAmount} currency={row.minimumCurrency} /> : <None />,
    },
    { header: t.countries, cell: (row) => row.receivingCountries.join(", ") || t.everywhere },
    { header: t.from, cell: (row) => <Time at={row.validFrom} /> },
    { header: t.until, cell: (row) => <Time at={row.validUntil} /> },
    { header: t.status, cell: (row) => (row.enabled ? <Badge tone="good">{t.on}</Badge> : <Badge>{t.off}</Badge>) },
    {
      header: t.actions,
      cell: (promotion) => (
        <span className="-my-1 flex">
          {may("putPromotion") && (
            <IconButton
              icon={Pencil}
              label={t.change(promotion.code)}
              onClick={() => setOpen({ kind: "change", promotion })}
            />
          )}
          {may("listSettingChanges") && (
            <IconButton
              icon={HistoryIcon}
              label={t.historyOf(promotion.code)}
              onClick={() => setOpen({ kind: "history", promotion })}
            />
          )}
        </span>
      ),
    },
  ];
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        may("putPromotion") && (
          <Button icon={Plus} variant="primary" onClick={() => setOpen({ kind: "new" })}>
            {t.add}
          </Button>
        )
      }
    >
      <DataTable
        label={t.title}
        area="corridors"
        operation="listPromotions"
        list={(_query, options) => api.promotions.list(options)}
        columns={columns}
        rowKey={(row) => row.code}
        empty={<Empty title={t.none}>{t.noneHint}</Empty>}
      />
      {open?.kind === "new" && <PromotionDialog promotion={undefined} onClose={close} />}
      {open?.kind === "change" && <PromotionDialog promotion={open.promotion} onClose={close} />}
      {open?.kind === "history" && (
        <Dialog wide title={t.historyOf(open.promotion.code)} onClose={close}>
          <History kind="PROMOTION" settingKey={open.promotion.code} like={open.promotion.minimumAmount} />
        </Dialog>
      )}
    </Page>
  );
}
