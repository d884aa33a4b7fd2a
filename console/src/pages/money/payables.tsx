import { useState } from "react";
import { payableTypes } from "../../generated/enums";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useFilters } from "../../lib/url-state";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { DataTable } from "../../ui/data-table";
import { Money, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { worded } from "../../ui/options";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { texts } from "./texts";

type Payable = RowOf<typeof api.payments.listPayables>;

/** The server decides; this only keeps buttons away that surely lead nowhere. */
const mayBeTakenBack = (status: string) => status === "OPEN";

export function Payables() {
  const t = useTexts(texts);
  const filters = useFilters(["type"]);
  const [cancelling, setCancelling] = useState<Payable>();
  const columns: readonly Column<Payable>[] = [
    { header: t.made, cell: (row) => <Time at={row.createdAt} /> },
    { header: t.kind, cell: (row) => inWords(row.type) },
    { header: t.payee, cell: (row) => row.payeeName },
    { header: t.reference, cell: (row) => row.reference ?? row.description },
    { header: t.total, isNumber: true, cell: (row) => <Money amount={row.total} currency={row.currency} /> },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
    {
      header: t.action,
      cell: (row) => mayBeTakenBack(row.status) && <Button onClick={() => setCancelling(row)}>{t.takeBack}</Button>,
    },
  ];
  return (
    <Stack>
      <FilterBar
        filters={filters}
        fields={[
          {
            name: "type",
            label: t.kind,
            kind: "select",
            options: worded(payableTypes),
          },
        ]}
      />
      <DataTable
        label={t.payables}
        area="wallets"
        operation="listPayables"
        list={api.payments.listPayables}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.payableId}
        empty={<Empty title={t.noPayables}>{t.noPayablesHint}</Empty>}
      />
      {cancelling && <TakeBack payable={cancelling} onClose={() => setCancelling(undefined)} />}
    </Stack>
  );
}

function TakeBack({ payable, onClose }: { payable: Payable; onClose: () => void }) {
  const t = useTexts(texts);
  const cancel = useAction({
    operation: "cancelPayable",
    run: (_reason: string, options) => api.payments.cancelPayable(payable.payableId, options),
    stales: ["wallets"],
    done: t.takenBack,
  });
  return (
    <ConfirmDialog title={t.takeBackTitle} confirm={t.takeBack} danger reason="none" action={cancel} onClose={onClose}>
      <p className="font-medium">
        {payable.payeeName} · <Money amount={payable.total} currency={payable.currency} />
      </p>
      <p className="text-muted">{t.takeBackHint}</p>
    </ConfirmDialog>
  );
}
