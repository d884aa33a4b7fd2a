import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { useState } from "react";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Time } from "../../ui/figures";
import { SelectField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { withCurrent } from "../../ui/options";
import { Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { inWords } from "../../ui/words";
import { BranchField } from "./branch-field";
import { tillTexts } from "./till-texts";
import { cashStales } from "./tills";

type Assignment = RowOf<typeof api.cash.listBranchAssignments>;

/** Who works at which branch, and thus out of which vault. */
export function BranchAssignments() {
  const t = useTexts(tillTexts);
  const [changing, setChanging] = useState<Assignment | "new">();
  const columns: readonly Column<Assignment>[] = [
    { header: t.person, cell: (row) => <Person id={row.userId} /> },
    { header: t.branch, cell: (row) => row.branchCode ?? t.house },
    { header: t.who, cell: (row) => <Person id={row.assignedBy} /> },
    { header: t.since, cell: (row) => <Time at={row.assignedAt} /> },
    { header: t.doIt, cell: (row) => <Button onClick={() => setChanging(row)}>{t.change}</Button> },
  ];
  return (
    <Stack>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted">{t.branchesAbout}</p>
        <Button icon={UserPlus} onClick={() => setChanging("new")}>
          {t.assign}
        </Button>
      </div>
      <DataTable
        label={t.branches}
        area="wallets"
        operation="listBranchAssignments"
        list={api.cash.listBranchAssignments}
        columns={columns}
        rowKey={({ userId }) => userId}
        empty={<Empty title={t.noAssignments}>{t.noAssignmentsHint}</Empty>}
      />
      {changing && (
        <AssignDialog {...(changing !== "new" && { before: changing })} onClose={() => setChanging(undefined)} />
      )}
    </Stack>
  );
}

function AssignDialog({ before, onClose }: { before?: Assignment; onClose: () => void }) {
  const t = useTexts(tillTexts);
  const { data: staff = [] } = useQuery(
    read("staff", "listStaffUsers", { all: true }, (options) =>
      api.people.listStaffUsers({}, options).toArray({ max: 500 }),
    ),
  );
  const atDesks = staff.filter(({ role, disabled }) => !disabled && (role === "CASHIER" || role === "AGENT"));
  const form = useActionForm({
    operation: "putBranchAssignment",
    run: ({ userId, branchCode }: { userId: string; branchCode: string }, options) =>
      api.cash.putBranchAssignment(userId, branchCode === "" ? {} : { branchCode }, options),
    stales: cashStales,
    done: t.assigned,
    onDone: onClose,
    defaults: { userId: before?.userId ?? "", branchCode: before?.branchCode ?? "" },
    toInput: (values: { userId: string; branchCode: string }) => values,
  });
  return (
    <FormDialog title={t.assign} of={form} submit={t.save} onClose={onClose}>
      <SelectField
        form={form.form}
        name="userId"
        label={t.person}
        nothing={t.choose}
        options={withCurrent(
          atDesks.map(({ userId, name, role }) => ({ value: userId, label: `${name} · ${inWords(role)}` })),
          form.form.watch("userId"),
        )}
        isRequired
      />
      <BranchField form={form.form} name="branchCode" label={t.branch} />
    </FormDialog>
  );
}
