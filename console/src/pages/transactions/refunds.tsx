import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { Money, Time } from "../../ui/figures";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import { texts } from "./texts";
import type { Transaction } from "./types";

export function Refunds({ refunds }: { refunds: NonNullable<Transaction["refunds"]> }) {
  const t = useTexts(texts);
  return (
    <Rows
      label={t.refunds}
      rows={refunds}
      rowKey={({ id }) => id}
      empty={t.noRefunds}
      columns={[
        { header: t.when, cell: (row) => <Time at={row.askedAt} /> },
        { header: t.amount, isNumber: true, cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
        { header: t.askedBy, cell: (row) => <Person id={row.askedBy} /> },
        { header: t.refundReason, cell: (row) => row.refusedBecause ?? row.reason },
        {
          header: t.status,
          cell: ({ status }) => <StatusBadge status={status} {...(status === "DONE" && { tone: "good" })} />,
        },
      ]}
    />
  );
}
