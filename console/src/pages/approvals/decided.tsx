import { Person } from "../../app/people";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useFilters } from "../../lib/url-state";
import { inWords, StatusBadge } from "../../ui/badge";
import { DataTable, type Column } from "../../ui/data-table";
import { Money, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty } from "../../ui/panels";
import type { Approval } from "./queue";
import { texts } from "./texts";

const statuses = ["APPROVED", "REFUSED", "EXPIRED"];

/** What was decided, by whom and why. */
export function Decided() {
  const t = useTexts(texts);
  const filters = useFilters(["status"]);
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
    { key: "status", header: t.status, cell: (row) => <StatusBadge status={row.status} /> },
    { key: "decidedBy", header: t.decidedBy, cell: (row) => <Person id={row.decidedBy} /> },
    { key: "decidedBecause", header: t.because, cell: (row) => row.decidedBecause },
    { key: "at", header: t.decided, cell: (row) => <Time at={row.decidedAt ?? row.askedAt} /> },
  ];
  return (
    <>
      <FilterBar
        filters={filters}
        fields={[
          {
            name: "status",
            label: t.status,
            kind: "select",
            options: statuses.map((value) => ({ value, label: inWords(value) })),
          },
        ]}
      />
      <div className="mt-3">
        <DataTable
          label={t.decided}
          area="approvals"
          operation="listApprovals"
          load={(query, options) =>
            api.approvals
              .list({ status: "APPROVED", ...query } as Parameters<typeof api.approvals.list>[0], options)
              .page()
          }
          filters={filters}
          columns={columns}
          rowKey={(row) => row.id}
          empty={<Empty title={t.empty}>{t.emptyHint}</Empty>}
        />
      </div>
    </>
  );
}
