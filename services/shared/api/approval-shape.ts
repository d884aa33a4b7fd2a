import { z } from "zod";
import type {
  Approval as WireApproval,
  ApprovalChange as WireChange,
} from "../../../proto/gen/identity/v1/approvals.js";
import { decimalText, instant } from "./schema.js";
import { absentIfEmpty, moneyText, timeText } from "./wire.js";

export const approvalStatuses = ["PENDING", "APPROVED", "REFUSED", "EXPIRED"] as const;

const ApprovalChange = z
  .object({
    field: z.string().meta({
      description:
        "As the API names it, such as perPayment or fees.0.fixed; of one of several things with its name before it, USA-USD-NGA-NGN.minimumAmount.",
    }),
    before: z.string().optional(),
    after: z.string().optional(),
    currency: z.string().optional().meta({ description: "Of amounts." }),
  })
  .meta({ id: "ApprovalChange" });

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
    changes: z.array(ApprovalChange).optional().meta({
      description:
        "What differs once it is approved, as it was when it was asked for; the first hundred. Absent of what moves money and changes nothing else.",
    }),
    moreChanges: z.number().int().optional().meta({ description: "How many more there are than these." }),
    askedAt: instant,
    expiresAt: instant,
    decidedBy: z.string().optional(),
    decidedBecause: z.string().optional(),
    decidedAt: instant.optional(),
  })
  .meta({ id: "Approval" });

export function approvalFromWire(approval: WireApproval): z.output<typeof Approval> {
  const { approvalId, kind, subject, summary, amount, status, askedBy, askedBecause, decidedAt, changes, moreChanges } =
    approval;
  return {
    id: approvalId,
    kind,
    subject,
    summary,
    ...(amount && { amount: moneyText(amount, "approval.amount"), currency: amount.currency }),
    status: status as z.output<typeof Approval>["status"],
    askedBy,
    askedBecause,
    ...(changes.length > 0 && { changes: changes.map(changeFromWire) }),
    ...(moreChanges > 0 && { moreChanges }),
    askedAt: timeText(approval.askedAt, "approval.asked_at"),
    expiresAt: timeText(approval.expiresAt, "approval.expires_at"),
    decidedBy: absentIfEmpty(approval.decidedBy),
    decidedBecause: absentIfEmpty(approval.decidedBecause),
    ...(decidedAt && { decidedAt: decidedAt.toISOString() }),
  };
}

function changeFromWire({ field, before, after, currency }: WireChange): z.output<typeof ApprovalChange> {
  return {
    field,
    before: absentIfEmpty(before),
    after: absentIfEmpty(after),
    currency: absentIfEmpty(currency),
  };
}
