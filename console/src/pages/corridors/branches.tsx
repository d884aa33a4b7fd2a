import { Plus } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useOrganisation } from "../../lib/organisation";
import { useFilters } from "../../lib/url-state";
import { useMay } from "../../lib/use-session";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Dialog } from "../../ui/dialog";
import { None } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { plain } from "../../ui/options";
import { Empty } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { BranchDialog } from "./branch-dialog";
import { History } from "./history";
import { AllocatedTo } from "./payout-points";
import { placeTexts } from "./place-texts";
import { RowActions } from "./row-actions";
import type { Branch } from "./types";

type Open = { kind: "new" } | { kind: "change" | "history"; branch: Branch };

/** The organisation's own branches. */
export function Branches() {
  const t = useTexts(placeTexts);
  const may = useMay();
  const { countries } = useOrganisation();
  const filters = useFilters(["country"]);
  const [open, setOpen] = useState<Open>();
  const columns: readonly Column<Branch>[] = [
    { header: t.code, cell: (row) => <span className="font-mono text-[0.75rem]">{row.code}</span> },
    { header: t.name, cell: (row) => row.name },
    { header: t.country, cell: (row) => row.country },
    { header: t.city, cell: (row) => [row.address, row.city].filter(Boolean).join(", ") || <None /> },
    { header: t.phone, cell: (row) => row.phoneNumber ?? <None /> },
    { header: t.hours, cell: (row) => row.openingHours ?? <None /> },
    { header: t.allocatedTo, cell: (row) => <AllocatedTo owner={row.allocatedTo} /> },
    { header: t.status, cell: (row) => (row.enabled ? <Badge tone="good">{t.on}</Badge> : <Badge>{t.off}</Badge>) },
    {
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
              options: plain(countries),
            },
          ]}
        />
        {may("putBranch") && (
          <Button icon={Plus} variant="primary" onClick={() => setOpen({ kind: "new" })}>
            {t.addBranch}
          </Button>
        )}
      </div>
      <DataTable
        label={t.branches}
        area="corridors"
        operation="listBranches"
        list={api.branches.list}
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
