import { useState } from "react";
import { approvalStatuses } from "../../generated/enums";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Money, Time } from "../../ui/figures";
import { Empty } from "../../ui/panels";
import { Person, useStaffNames } from "../../ui/person";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { Done } from "./decision";
import { texts } from "./texts";
import type { Approval } from "./types";

export const decidedStatuses = approvalStatuses.filter((status) => status !== "PENDING");

/** What was decided, by whom and why. */
export function Decided({ status }: { status: (typeof decidedStatuses)[number] }) {
  const t = useTexts(texts);
  const named = useStaffNames();
  const [shown, setShown] = useState<Approval>();
  const columns: readonly Column<Approval>[] = [
    { header: t.summary, cell: (row) => named(row.summary) || inWords(row.kind) },
    { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
    { header: t.askedBy, cell: (row) => <Person id={row.askedBy} /> },
    { header: t.because, cell: (row) => row.askedBecause },
    { header: t.decidedBy, cell: (row) => <Person id={row.decidedBy} /> },
    { header: t.because, cell: (row) => row.decidedBecause },
    ...(status === "APPROVED"
      ? [{ header: t.effects, cell: (row: Approval) => <Button onClick={() => setShown(row)}>{t.show}</Button> }]
      : []),
    { header: t[status], cell: (row) => <Time at={row.decidedAt ?? row.expiresAt} /> },
  ];
  return (
    <>
      <DataTable
        label={t[status]}
        area="approvals"
        operation="listApprovals"
        query={{ status }}
        list={api.approvals.list}
        columns={columns}
        rowKey={(row) => row.id}
        empty={<Empty title={t.noneSo}>{t.noneSoHint}</Empty>}
      />
      {shown && <Done approval={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
