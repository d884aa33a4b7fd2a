import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Ago, Money } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { AssignDialog } from "./assign-dialog";
import { texts } from "./texts";
import type { Credit } from "./types";

/** Bank transfers that nobody was found for. */
export function Credits() {
  const t = useTexts(texts);
  const may = useMay();
  const [assigning, setAssigning] = useState<Credit>();
  const columns: readonly Column<Credit>[] = [
    { header: t.arrived, cell: (row) => <Ago at={row.receivedAt} /> },
    { header: t.sender, cell: (row) => `${row.senderName} · ${row.senderAccountNumber}` },
    { header: t.reference, cell: (row) => row.reference },
    { header: t.because, cell: (row) => row.reason },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    {
      header: t.action,
      cell: (row) => may("assignCredit") && <Button onClick={() => setAssigning(row)}>{t.assign}</Button>,
    },
  ];
  return (
    <>
      <DataTable
        label={t.credits}
        area="wallets"
        operation="listUnmatchedCredits"
        list={api.payments.listUnmatchedCredits}
        columns={columns}
        rowKey={(row) => row.creditId}
        empty={<Empty title={t.noCredits}>{t.noCreditsHint}</Empty>}
      />
      {assigning && <AssignDialog credit={assigning} onClose={() => setAssigning(undefined)} />}
    </>
  );
}
