import { Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Id, Money } from "../../ui/figures";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { LimitDialog } from "./limit-dialog";
import { texts } from "./texts";
import type { Limit } from "./types";

/** Limits of payments from wallets; another manager approves a change. */
export function Limits() {
  const t = useTexts(texts);
  const [changing, setChanging] = useState<Limit | "new">();
  const money = (row: Limit, amount: string | undefined) => <Money amount={amount} currency={row.currency} />;
  const columns: readonly Column<Limit>[] = [
    { header: t.wallet, cell: (row) => (row.accountId ? <Id value={row.accountId} short /> : t.allWallets) },
    { header: t.currency, cell: (row) => row.currency },
    { header: t.perPayment, isNumber: true, cell: (row) => money(row, row.perPayment) },
    { header: t.perDay, isNumber: true, cell: (row) => money(row, row.perDay) },
    { header: t.perCashIn, isNumber: true, cell: (row) => money(row, row.perCashIn) },
    { header: t.cashInPerDay, isNumber: true, cell: (row) => money(row, row.cashInPerDay) },
    { header: t.action, cell: (row) => <Button onClick={() => setChanging(row)}>{t.change}</Button> },
  ];
  return (
    <Stack>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">{t.limitsAbout}</p>
        <Button icon={Plus} onClick={() => setChanging("new")}>
          {t.newLimit}
        </Button>
      </div>
      <DataTable
        label={t.limits}
        area="wallets"
        operation="listWalletLimits"
        list={(_query, options) => api.payments.listWalletLimits(options)}
        columns={columns}
        rowKey={(row) => `${row.accountId ?? ""} ${row.currency}`}
        empty={<Empty title={t.noLimits}>{t.noLimitsHint}</Empty>}
      />
      {changing && (
        <LimitDialog {...(changing !== "new" && { limit: changing })} onClose={() => setChanging(undefined)} />
      )}
    </Stack>
  );
}
