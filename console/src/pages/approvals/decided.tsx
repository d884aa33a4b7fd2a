import { useState } from "react";
import { Person } from "../../app/people";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { Button } from "../../ui/button";
import { inWords } from "../../ui/words";
import { DataTable, type Column } from "../../ui/data-table";
import { Money, Time } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import { Done } from "./decision";
import type { Approval } from "./queue";
import { texts } from "./texts";

export const decidedStatuses = ["APPROVED", "REFUSED", "EXPIRED"] as const;

/** What was decided, by whom and why. */
export function Decided({ status }: { status: (typeof decidedStatuses)[number] }) {
  const t = useTexts(texts);
  const [shown, setShown] = useState<Approval>();
  const columns: readonly Column<Approval>[] = [
    { key: "summary", header: t.summary, cell: (row) => row.summary || inWords(row.kind) },
    {
      key: "amount",
      header: t.amount,
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    },
    { key: "askedBy", header: t.askedBy, cell: (row) => <Person id={row.askedBy} /> },
    { key: "because", header: t.because, cell: (row) => row.askedBecause },
    { key: "decidedBy", header: t.decidedBy, cell: (row) => <Person id={row.decidedBy} /> },
    { key: "decidedBecause", header: t.because, cell: (row) => row.decidedBecause },
    ...(status === "APPROVED"
      ? [
          {
            key: "effects",
            header: t.effects,
            cell: (row: Approval) => <Button onClick={() => setShown(row)}>{t.show}</Button>,
          },
        ]
      : []),
    { key: "at", header: t[status], cell: (row) => <Time at={row.decidedAt ?? row.expiresAt} /> },
  ];
  return (
    <>
      <DataTable
        label={t[status]}
        area="approvals"
        operation="listApprovals"
        query={{ status }}
        load={(query, options) => api.approvals.list({ ...query, status }, options).page()}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<Empty title={t.noneSo}>{t.noneSoHint}</Empty>}
      />
      {shown && <Done approval={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
