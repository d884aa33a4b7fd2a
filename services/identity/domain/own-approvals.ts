import { listed, type ApprovalChange } from "../../platform/approvals/approval-changes.js";
import type { ApprovalRecord } from "./approvals.js";

const lifeMs = 7 * 86_400_000;

type Requested = Pick<
  ApprovalRecord,
  "approvalId" | "kind" | "subject" | "customerId" | "summary" | "payloadJson" | "askedBy" | "askedBecause" | "askedAt"
>;

/** What identity asks a second manager about what is its own: it waits for a week. */
export function ownApproval({ changes, ...rest }: Requested & { changes: readonly ApprovalChange[] }): ApprovalRecord {
  const expiresAt = new Date(rest.askedAt.getTime() + lifeMs);
  return { ...rest, ...listed(changes), service: "identity", status: "PENDING", expiresAt };
}
