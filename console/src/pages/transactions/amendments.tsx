import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
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

/** Asks for other names of who is paid; a second person decides. */
export function AmendmentDialog({ transaction, onClose }: { transaction: Transaction; onClose: () => void }) {
  const t = useTexts(amendmentTexts);
  const form = useActionForm({
    operation: "amendTransaction",
    run: (input: Parameters<typeof api.transactions.amend>[1], options) =>
      api.transactions.amend(transaction.id, input, options),
    stales: ["transactions", "approvals"],
    done: ({ approvalStatus }) => (approvalStatus === "PENDING" ? t.asked : t.done),
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
      title={t.amend}
      of={form}
      submit={t.ask}
      intro={<p className="mb-4 text-muted">{t.hint}</p>}
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

function Names({ of }: { of: { recipientName: string; accountHolderName?: string } }) {
  const { recipientName, accountHolderName = "" } = of;
  const isOther = accountHolderName !== "" && accountHolderName !== recipientName;
  return <>{isOther ? `${recipientName} (${accountHolderName})` : recipientName}</>;
}
