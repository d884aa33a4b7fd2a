import { useState } from "react";
import { overrideStatuses } from "../../generated/enums";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable } from "../../ui/data-table";
import { Id, Time } from "../../ui/figures";
import { SelectField, TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Link } from "../../ui/link";
import { Empty } from "../../ui/panels";
import { Person } from "../../ui/person";
import type { Column } from "../../ui/table";
import { useOptions, useWord } from "../compliance/codes";
import { texts } from "./texts";

type Override = RowOf<typeof api.compliance.listOverrides>;
type Input = Parameters<typeof api.compliance.requestOverride>[0];

/** Other statuses than those by score, each of two managers. */
export function Overrides() {
  const t = useTexts(texts);
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      {may("requestComplianceOverride") && (
        <div className="flex justify-end">
          <Button onClick={() => setAsking(true)}>{t.askOverride}</Button>
        </div>
      )}
      <DataTable
        label={t.overrides}
        area="reviews"
        operation="listComplianceOverrides"
        list={api.compliance.listOverrides}
        columns={useColumns()}
        rowKey={({ overrideId }) => overrideId}
        empty={<Empty title={t.noOverrides}>{t.noOverridesHint}</Empty>}
      />
      {isAsking && <AskDialog onClose={() => setAsking(false)} />}
    </div>
  );
}

function useColumns(): readonly Column<Override>[] {
  const t = useTexts(texts);
  const word = useWord();
  return [
    {
      header: t.customer,
      cell: (row) => (
        <span className="inline-flex flex-wrap items-baseline gap-x-2">
          <Link to={`/customers/${row.customerId}`} className="link" data-row="">
            {t.openCustomer}
          </Link>
          <Id value={row.customerId} short />
        </span>
      ),
    },
    { header: t.becomes, cell: (row) => word(row.customerStatus) },
    { header: t.reason, cell: (row) => row.reason },
    { header: t.status, cell: (row) => <StatusBadge status={row.status} label={word(row.status)} /> },
    { header: t.askedBy, cell: (row) => <Person id={row.requestedBy} /> },
    { header: t.asked, cell: (row) => <Time at={row.requestedAt} /> },
    {
      header: t.decidedBy,
      cell: (row) => (
        <>
          <Person id={row.decidedBy} />
          {row.decisionReason && <p className="text-xs text-muted">{row.decisionReason}</p>}
        </>
      ),
    },
  ];
}

function AskDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(texts);
  const optionsOf = useOptions();
  const form = useActionForm({
    operation: "requestComplianceOverride",
    run: (input: Input, options) => api.compliance.requestOverride(input, options),
    stales: ["reviews", "approvals", "customers"],
    done: t.overrideAsked,
    onDone: onClose,
    defaults: { customerId: "", customerStatus: "", reason: "" },
    toInput: ({ customerId, customerStatus, reason }): Input => ({
      customerId: customerId.trim(),
      customerStatus: customerStatus as Input["customerStatus"],
      reason: reason.trim(),
    }),
  });
  return (
    <FormDialog
      title={t.askOverride}
      of={form}
      submit={t.askOverride}
      intro={<p className="mb-4 text-muted">{t.overrideHint}</p>}
      onClose={onClose}
    >
      <TextField form={form.form} name="customerId" label={t.customerId} isRequired />
      <SelectField
        form={form.form}
        name="customerStatus"
        label={t.becomes}
        isRequired
        nothing={t.choose}
        options={optionsOf(overrideStatuses)}
      />
      <TextArea form={form.form} name="reason" label={t.reason} hint={t.reasonHint} isRequired />
    </FormDialog>
  );
}
