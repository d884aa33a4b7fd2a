import { listed, type ApprovalChange } from "../../platform/approvals/approval-changes.js";
import type { ApprovalRecord } from "./approvals.js";

const lifeMs = 7 * 86_400_000;

type Asked = Pick<
  ApprovalRecord,
  | "_id"
  | "tenantId"
  | "kind"
  | "subject"
  | "customerId"
  | "summary"
  | "payloadJson"
  | "askedBy"
  | "askedBecause"
  | "askedAt"
>;

/** What identity asks a second manager about what is its own: it waits for a week. */
export function ownApproval({ changes, ...asked }: Asked & { changes: readonly ApprovalChange[] }): ApprovalRecord {
  const expiresAt = new Date(asked.askedAt.getTime() + lifeMs);
  return { ...asked, ...listed(changes), service: "identity", status: "PENDING", expiresAt };
}
