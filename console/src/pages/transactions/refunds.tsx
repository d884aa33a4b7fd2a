import { useTexts } from "../../lib/language";
import { StatusBadge } from "../../ui/badge";
import { Money, Time } from "../../ui/figures";
import { Person } from "../../ui/person";
import { texts } from "./texts";
import type { Transaction } from "./types";

export function Refunds({ refunds }: { refunds: NonNullable<Transaction["refunds"]> }) {
  const t = useTexts(texts);
  if (refunds.length === 0) return <p className="p-4 text-muted">{t.noRefunds}</p>;
  return (
    <table className="table as-cards" aria-label={t.refunds}>
      <thead>
        <tr>
          <th scope="col">{t.when}</th>
          <th scope="col" className="is-number">
            {t.amount}
          </th>
          <th scope="col">{t.askedBy}</th>
          <th scope="col">{t.refundReason}</th>
          <th scope="col">{t.status}</th>
        </tr>
      </thead>
      <tbody>
        {refunds.map((refund) => (
          <tr key={refund.id}>
            <td data-label={t.when}>
              <Time at={refund.askedAt} />
            </td>
            <td data-label={t.amount} className="is-number">
              <Money amount={refund.amount} currency={refund.currency} />
            </td>
            <td data-label={t.askedBy}>
              <Person id={refund.askedBy} />
            </td>
            <td data-label={t.refundReason}>{refund.refusedBecause ?? refund.reason}</td>
            <td data-label={t.status}>
              <StatusBadge status={refund.status} {...(refund.status === "DONE" && { tone: "good" })} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
