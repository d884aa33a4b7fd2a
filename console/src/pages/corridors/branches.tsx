import { Plus } from "lucide-react";
import { useState } from "react";
import { useOrganisation } from "../../app/organisation";
import { useMay } from "../../app/use-session";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useFilters } from "../../lib/url-state";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Dialog } from "../../ui/dialog";
import { None } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Empty } from "../../ui/panels";
import { BranchDialog } from "./branch-dialog";
import { History } from "./history";
import { AllocatedTo } from "./payout-points";
import { placeTexts } from "./place-texts";
import { RowActions } from "./row-actions";

export type Branch = Awaited<ReturnType<ReturnType<typeof api.branches.list>["page"]>>["items"][number];
type Open = { kind: "new" } | { kind: "change" | "history"; branch: Branch };

/** The organisation's own branches. */
export function Branches() {
  const t = useTexts(placeTexts);
  const may = useMay();
  const { countries } = useOrganisation();
  const filters = useFilters(["country"]);
  const [open, setOpen] = useState<Open>();
  const columns: readonly Column<Branch>[] = [
    { key: "code", header: t.code, cell: (row) => <span className="font-mono text-[0.75rem]">{row.code}</span> },
    { key: "name", header: t.name, cell: (row) => row.name },
    { key: "country", header: t.country, cell: (row) => row.country },
    { key: "city", header: t.city, cell: (row) => [row.address, row.city].filter(Boolean).join(", ") || <None /> },
    { key: "phone", header: t.phone, cell: (row) => row.phoneNumber ?? <None /> },
    { key: "hours", header: t.hours, cell: (row) => row.openingHours ?? <None /> },
    { key: "for", header: t.allocatedTo, cell: (row) => <AllocatedTo owner={row.allocatedTo} /> },
    {
      key: "status",
      header: t.status,
      cell: (row) => (row.enabled ? <Badge tone="good">{t.on}</Badge> : <Badge>{t.off}</Badge>),
    },
    {
      key: "actions",
      header: t.actions,
      cell: (branch) => (
        <RowActions
          code={branch.code}
          onChange={may("putBranch") ? () => setOpen({ kind: "change", branch }) : undefined}
          onHistory={may("listSettingChanges") ? () => setOpen({ kind: "history", branch }) : undefined}
        />
      ),
    },
  ];
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <FilterBar
          filters={filters}
          fields={[
            {
              name: "country",
              label: t.country,
              kind: "select",
              options: countries.map((value) => ({ value, label: value })),
            },
          ]}
        />
        {may("putBranch") && (
          <Button icon={Plus} look="primary" onClick={() => setOpen({ kind: "new" })}>
            {t.addBranch}
          </Button>
        )}
      </div>
      <DataTable
        label={t.branches}
        area="corridors"
        operation="listBranches"
        load={(query, options) => api.branches.list(query as object, options).page()}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.code}
        empty={<Empty title={t.noBranches}>{t.noBranchesHint}</Empty>}
      />
      {open?.kind === "new" && <BranchDialog branch={undefined} onClose={close} />}
      {open?.kind === "change" && <BranchDialog branch={open.branch} onClose={close} />}
      {open?.kind === "history" && (
        <Dialog wide title={t.historyOf(open.branch.code)} onClose={close}>
          <History kind="BRANCH" settingKey={open.branch.code} />
        </Dialog>
      )}
    </div>
  );
}
