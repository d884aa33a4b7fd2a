import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { Time } from "../../ui/figures";
import { TextArea, TextField, useActionForm } from "../../ui/form";
import { FormDialog } from "../../ui/form-dialog";
import { Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import { amendmentTexts } from "./amendment-texts";
import type { Transaction } from "./types";

/** The server decides; this only keeps a button away that surely leads nowhere. */
export const mayBeAmended = (status: string) => /^(AWAITING_COMPLIANCE|AWAITING_PAYMENT|PAID)$/.test(status);

/** The same of what a partner has. */
export const mayBeTraced = (status: string) => /^(PROCESSING|READY_FOR_PICKUP)$/.test(status);

interface DialogProps {
  transaction: Transaction;
  /** Where a partner has it already, the partner is asked. */
  isTrace?: boolean;
  onClose: () => void;
}

/** Asks for other names of who is paid; a second person decides. */
export function AmendmentDialog({ transaction, isTrace = false, onClose }: DialogProps) {
  const t = useTexts(amendmentTexts);
  const form = useActionForm({
    operation: isTrace ? "traceTransaction" : "amendTransaction",
    run: async (input: Parameters<typeof api.transactions.trace>[1], options): Promise<{ approvalStatus?: string }> =>
      isTrace
        ? api.transactions.trace(transaction.id, input, options)
        : api.transactions.amend(transaction.id, input, options),
    stales: ["transactions", "approvals"],
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.asked : isTrace ? t.traceDone : t.done),
    onDone: onClose,
    defaults: { firstName: "", lastName: "", accountHolderName: "", reason: "" },
    toInput: ({ firstName, lastName, accountHolderName, reason }) => ({
      reason: reason.trim(),
      ...(`${firstName}${lastName}`.trim() !== "" && { recipient: { firstName, lastName } }),
      ...(accountHolderName.trim() !== "" && { accountHolderName }),
    }),
  });
  return (
    <FormDialog
      title={isTrace ? t.trace : t.amend}
      of={form}
      submit={t.ask}
      intro={<p className="mb-4 text-muted">{isTrace ? t.traceHint : t.hint}</p>}
      onClose={onClose}
    >
      <TextField form={form.form} name="firstName" label={t.firstName} hint={t.recipientHint} />
      <TextField form={form.form} name="lastName" label={t.lastName} />
      <TextField form={form.form} name="accountHolderName" label={t.holder} hint={t.holderHint} />
      <TextArea form={form.form} name="reason" label={t.reason} isRequired />
    </FormDialog>
  );
}

/** What was put right, and what waits for a second person, with the names before and after. */
export function AmendmentsSection({ transactionId }: { transactionId: string }) {
  const t = useTexts(amendmentTexts);
  const amendments = useQuery(
    read("transactions", "listAmendments", { transactionId }, (options) =>
      api.transactions.listAmendments(transactionId, options),
    ),
  );
  return (
    <Section title={t.title} flush>
      <Loaded query={amendments} lines={2}>
        {(rows) => (
          <Rows
            label={t.title}
            rows={rows}
            rowKey={({ amendmentId }) => amendmentId}
            empty={t.none}
            columns={[
              { header: t.when, cell: (row) => <Time at={row.askedAt} /> },
              { header: t.from, cell: ({ before }) => <Names of={before} /> },
              { header: t.to, cell: ({ after }) => <Names of={after} /> },
              { header: t.askedBy, cell: (row) => <Person id={row.askedBy} /> },
              { header: t.reason, cell: (row) => row.refusedBecause ?? row.reason },
              { header: t.status, cell: ({ status }) => <StatusBadge status={status} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** What the partner was asked to put right, and what it said. */
export function Traces({ rows }: { rows: AnswerOf<typeof api.transactions.readTransparency>["traces"] }) {
  const t = useTexts(amendmentTexts);
  return (
    <Rows
      label={t.traces}
      rows={rows}
      rowKey={({ traceId }) => traceId}
      empty={t.noTraces}
      columns={[
        { header: t.when, cell: (row) => <Time at={row.askedAt} /> },
        { header: t.from, cell: ({ before }) => <Names of={before} /> },
        { header: t.to, cell: ({ after }) => <Names of={after} /> },
        { header: t.askedBy, cell: (row) => <Person id={row.askedBy} /> },
        { header: t.reason, cell: (row) => row.partnerReason ?? row.refusedBecause ?? row.reason },
        { header: t.status, cell: ({ status }) => <StatusBadge status={status} /> },
      ]}
    />
  );
}

function Names({ of }: { of: { recipientName: string; accountHolderName?: string } }) {
  const { recipientName, accountHolderName = "" } = of;
  const isOther = accountHolderName !== "" && accountHolderName !== recipientName;
  return <>{isOther ? `${recipientName} (${accountHolderName})` : recipientName}</>;
}
