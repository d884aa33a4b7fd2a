import { useState } from "react";
import { Link } from "../../app/link";
import { Person } from "../../app/people";
import { useMay } from "../../app/use-session";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { useAction } from "../../lib/use-action";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { DataTable, type Column } from "../../ui/data-table";
import { Dialog, DialogActions } from "../../ui/dialog";
import { Id, Time } from "../../ui/figures";
import { Form, SelectField, SubmitButton, TextArea, TextField, useActionForm } from "../../ui/form";
import { Empty } from "../../ui/panels";
import { useOptions, useWord } from "../compliance/codes";
import { texts } from "./texts";

type Override = Awaited<ReturnType<ReturnType<typeof api.compliance.listOverrides>["page"]>>["items"][number];
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
        load={(query, options) => api.compliance.listOverrides(query, options).page()}
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
      key: "customer",
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
    { key: "to", header: t.becomes, cell: (row) => word(row.customerStatus) },
    { key: "reason", header: t.reason, cell: (row) => row.reason },
    { key: "status", header: t.status, cell: (row) => <StatusBadge status={row.status} label={word(row.status)} /> },
    { key: "askedBy", header: t.askedBy, cell: (row) => <Person id={row.requestedBy} /> },
    { key: "asked", header: t.asked, cell: (row) => <Time at={row.requestedAt} /> },
    {
      key: "decidedBy",
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
  const ask = useAction({
    operation: "requestComplianceOverride",
    run: (input: Input, options) => api.compliance.requestOverride(input, options),
    stales: ["reviews", "approvals", "customers"],
    done: t.overrideAsked,
    onDone: onClose,
  });
  const form = useActionForm({
    defaults: { customerId: "", customerStatus: "", reason: "" },
    action: ask,
    toInput: ({ customerId, customerStatus, reason }): Input => ({
      customerId: customerId.trim(),
      customerStatus: customerStatus as Input["customerStatus"],
      reason: reason.trim(),
    }),
  });
  return (
    <Dialog title={t.askOverride} onClose={onClose}>
      <p className="mb-4 text-muted">{t.overrideHint}</p>
      <Form of={form}>
        <TextField form={form.form} name="customerId" label={t.customerId} isRequired />
        <SelectField
          form={form.form}
          name="customerStatus"
          label={t.becomes}
          isRequired
          nothing={t.choose}
          options={optionsOf(["CONFIRMED", "BLOCKED"])}
        />
        <TextArea form={form.form} name="reason" label={t.reason} hint={t.reasonHint} isRequired />
        <DialogActions>
          <Button onClick={onClose}>{t.leave}</Button>
          <SubmitButton of={form}>{t.askOverride}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
