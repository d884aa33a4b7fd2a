import { useState } from "react";
import { useMay } from "../../app/use-session";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Ago, Money } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import { AssignDialog } from "./assign-dialog";
import { texts } from "./texts";

export type Credit = Awaited<ReturnType<ReturnType<typeof api.payments.listUnmatchedCredits>["page"]>>["items"][number];

/** Bank transfers that nobody was found for. */
export function Credits() {
  const t = useTexts(texts);
  const may = useMay();
  const [assigning, setAssigning] = useState<Credit>();
  const columns: readonly Column<Credit>[] = [
    { key: "at", header: t.arrived, cell: (row) => <Ago at={row.receivedAt} /> },
    { key: "sender", header: t.sender, cell: (row) => `${row.senderName} · ${row.senderAccountNumber}` },
    { key: "reference", header: t.reference, cell: (row) => row.reference },
    { key: "reason", header: t.because, cell: (row) => row.reason },
    {
      key: "amount",
      header: t.amount,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    {
      key: "assign",
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
        load={(query, options) => api.payments.listUnmatchedCredits(query, options).page()}
        columns={columns}
        rowKey={(row) => row.creditId}
        empty={<Empty title={t.noCredits}>{t.noCreditsHint}</Empty>}
      />
      {assigning && <AssignDialog credit={assigning} onClose={() => setAssigning(undefined)} />}
    </>
  );
}
