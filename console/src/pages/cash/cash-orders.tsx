import { Plus } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { ErrorPanel, Empty } from "../../ui/panels";
import { Money, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Page } from "../../ui/page";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { EndOrderDialog, RequestOrderDialog } from "./cash-order-dialogs";
import { texts } from "./texts";
import { tillTexts } from "./till-texts";
import { cashStales } from "./tills";

type CashOrder = RowOf<typeof api.cash.listCashOrders>;

/** Cash from one vault to another: all of it for a manager, their branch's for a cashier. */
export default function CashOrdersPage() {
  const t = useTexts(tillTexts);
  const cash = useTexts(texts);
  const [isAsking, setAsking] = useState(false);
  const filters = useFilters(["open"]);
  const money = (row: CashOrder, amount: string | undefined) => <Money amount={amount} currency={row.currency} />;
  const columns: readonly Column<CashOrder>[] = [
    {
      header: t.requested,
      cell: (row) => (
        <span className="flex flex-col">
          <Time at={row.requestedAt} />
          <Person id={row.requestedBy} />
        </span>
      ),
    },
    { header: t.fromVault, cell: (row) => row.fromBranchCode ?? t.house },
    { header: t.toVault, cell: (row) => row.toBranchCode ?? t.house },
    { header: t.amount, isNumber: true, cell: (row) => money(row, row.amount) },
    {
      header: t.status,
      cell: (row) => (
        <span className="flex flex-col items-start gap-0.5">
          <StatusBadge status={row.status} />
          {row.counted !== undefined && (
            <span>
              {cash.counted} {money(row, row.counted)}
            </span>
          )}
          {row.reason && <span className="text-muted">{row.reason}</span>}
        </span>
      ),
    },
    { header: t.doIt, cell: (row) => <Actions order={row} /> },
  ];
  return (
    <Page
      title={t.orders}
      about={t.ordersAbout}
      actions={
        <Button icon={Plus} onClick={() => setAsking(true)}>
          {t.newOrder}
        </Button>
      }
    >
      <FilterBar
        filters={filters}
        fields={[{ name: "open", label: t.state, kind: "select", options: [{ value: "true", label: t.openOrders }] }]}
      />
      <DataTable
        label={t.orders}
        area="wallets"
        operation="listCashOrders"
        list={api.cash.listCashOrders}
        filters={filters}
        columns={columns}
        rowKey={({ orderId }) => orderId}
        empty={<Empty title={t.noOrders}>{t.noOrdersHint}</Empty>}
      />
      {isAsking && <RequestOrderDialog onClose={() => setAsking(false)} />}
    </Page>
  );
}

/** Who may is the service's to say: it knows at which branch somebody works. */
function Actions({ order }: { order: CashOrder }) {
  const t = useTexts(tillTexts);
  const [ending, setEnding] = useState<"RECEIVED" | "RETURNED">();
  const { orderId, status } = order;
  const send = useAction({
    operation: "sendCashOrder",
    run: (_nothing: void, options) => api.cash.sendCashOrder(orderId, options),
    stales: cashStales,
    done: t.sent,
  });
  const cancel = useAction({
    operation: "cancelCashOrder",
    run: (_nothing: void, options) => api.cash.cancelCashOrder(orderId, options),
    stales: cashStales,
    done: t.orderCancelled,
  });
  if (status !== "REQUESTED" && status !== "SENT") return null;
  return (
    <div className="flex flex-col gap-1.5">
      <span className="flex flex-wrap gap-1.5">
        {status === "REQUESTED" ? (
          <>
            <Button variant="primary" busy={send.isRunning} onClick={() => void send.run()}>
              {t.sendIt}
            </Button>
            <Button busy={cancel.isRunning} onClick={() => void cancel.run()}>
              {t.cancelOrder}
            </Button>
          </>
        ) : (
          <>
            <Button variant="primary" onClick={() => setEnding("RECEIVED")}>
              {t.receive}
            </Button>
            <Button onClick={() => setEnding("RETURNED")}>{t.returnIt}</Button>
          </>
        )}
      </span>
      <ErrorPanel error={send.error ?? cancel.error} />
      {ending && <EndOrderDialog order={order} outcome={ending} onClose={() => setEnding(undefined)} />}
    </div>
  );
}
