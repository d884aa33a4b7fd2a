import { Approval as WireApproval } from "../../../proto/gen/identity/v1/approvals.js";
import { Approval } from "../../platform/events/shapes/approval-shape.js";
import { readerOf } from "../../platform/events/shapes/codec.js";
import { eventRow } from "../../platform/events/row.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import { screeningKinds, type ApprovalRecord } from "../domain/approvals.js";
import type { CustomerRecord } from "../domain/people.js";
import { approvalToWire } from "./approvals.js";

const approvalOf = readerOf(Approval);

type Cause = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/**
 * Tells that somebody became a customer. Who they are is told to nobody: names and contacts are
 * read where they are kept, and erased there.
 */
export function registeredRow(cause: Cause, { customer, createdAt }: CustomerRecord): NewRow {
  const { id: customerId, code: customerCode, country, agentId } = customer;
  const status = customer.standing?.status ?? "PENDING";
  const data = {
    customerId,
    customerCode,
    country,
    ...(agentId !== undefined && { agentId }),
    status,
    createdAt: createdAt.toISOString(),
  };
  const about = { subjectId: customerId, version: 0, at: createdAt, customerId };
  return eventRow(cause, { type: "customer.registered", ...about, data });
}

/**
 * Tells that an approval was asked for. Those of screening reach nobody who may not know of hits.
 */
export function approvalRequestRows(cause: Cause, approval: ApprovalRecord): NewRow[] {
  const { decidedAt: _at, decidedBy: _by, decidedBecause: _why, ...requested } = approval;
  return approvalRows(cause, "approval.asked", { ...requested, status: "PENDING" }, 1, approval.askedAt);
}

/** Tells what became of it: decided by somebody, by an amount below the limit, or by time. */
export function decidedRows(cause: Cause, approval: ApprovalRecord): NewRow[] {
  return approvalRows(cause, "approval.decided", approval, 2, approval.decidedAt ?? approval.askedAt);
}

/** None of what concerns a user: they must not learn of it, and whoever may read events would. */
function approvalRows(
  cause: Cause,
  type: "approval.asked" | "approval.decided",
  approval: ApprovalRecord,
  version: number,
  at: Date,
): NewRow[] {
  if (approval.concernedUserId !== undefined) return [];
  const { approvalId: subjectId, kind, customerId } = approval;
  const shown = approvalOf(WireApproval.fromPartial(approvalToWire(approval)));
  // Why somebody asked or decided, and for what in its parts, is read
  // where it is kept, and erased there.
  const { askedBecause: _because, decidedBecause: _decided, changes: _changes, moreChanges: _more, ...data } = shown;
  const isConfidential = screeningKinds.includes(kind);
  return [eventRow(cause, { type, subjectId, version, at, customerId, isConfidential, data })];
}
