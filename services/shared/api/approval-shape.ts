import { z } from "zod";
import type { Approval as WireApproval } from "../../../proto/gen/identity/v1/approvals.js";
import { decimalText, instant } from "./schema.js";
import { absentIfEmpty, moneyText, timeText } from "./wire.js";

export const approvalStatuses = ["PENDING", "APPROVED", "REFUSED", "EXPIRED"] as const;

/** What waits for a second person, or was decided. */
export const Approval = z
  .object({
    id: z.string(),
    kind: z.string(),
    subject: z.string(),
    summary: z.string(),
    amount: decimalText.optional(),
    currency: z.string().optional(),
    status: z.enum(approvalStatuses),
    askedBy: z.string(),
    askedBecause: z.string(),
    askedAt: instant,
    expiresAt: instant,
    decidedBy: z.string().optional(),
    decidedBecause: z.string().optional(),
    decidedAt: instant.optional(),
  })
  .meta({ id: "Approval" });

export function approvalFromWire(approval: WireApproval): z.output<typeof Approval> {
  const { approvalId, kind, subject, summary, amount, status, askedBy, askedBecause, decidedAt } = approval;
  return {
    id: approvalId,
    kind,
    subject,
    summary,
    ...(amount && { amount: moneyText(amount, "approval.amount"), currency: amount.currency }),
    status: status as z.output<typeof Approval>["status"],
    askedBy,
    askedBecause,
    askedAt: timeText(approval.askedAt, "approval.asked_at"),
    expiresAt: timeText(approval.expiresAt, "approval.expires_at"),
    decidedBy: absentIfEmpty(approval.decidedBy),
    decidedBecause: absentIfEmpty(approval.decidedBecause),
    ...(decidedAt && { decidedAt: decidedAt.toISOString() }),
  };
}
