import { rowKindsOf, type NewRow, type RowKind } from "../../../kernel/outbox/index.js";
import type { CaseJoin } from "../domain/case-join.js";
import type { StatusChange } from "../../decisions/domain/customer.js";
import type { RecordedDecision } from "../../decisions/domain/recorded-decision.js";
import type { Origin } from "../domain/origin.js";

/** Kinds of outbox rows. */
export const rowKinds = rowKindsOf({
  decideTransaction: "remittance.decide-transaction",
  noteStatus: "identity.note-status",
  reconsider: "customer.reconsider",
  sendVerification: "verification.send",
  /** Its payload is a CaseJoin. */
  caseJoin: "case.join",
  /** Decides anew on what hits, or missing lists, kept waiting. */
  reconsiderScreened: "customer.reconsider-screened",
  /** Has payouts looked at that wait for what their partner is to be told. */
  resumePayouts: "remittance.resume-payouts",
  /** Decides anew on what waits for documents or details, by a policy that was published. */
  reconsiderByPolicy: "policy.reconsider",
  /** Tell remittance and wallet what a confirmed hit stops, and what is released again. */
  blockTransactions: "remittance.block-transactions",
  releaseTransactions: "remittance.release-transactions",
  freezeWallets: "wallet.freeze-customer",
  unfreezeWallets: "wallet.unfreeze-customer",
  /** Takes back an approval that somebody else was faster than. */
  withdrawApproval: "identity.withdraw-approval",
  /** Compares a tenant's subjects with what is new in its lists or its policy. */
  rescreen: "screening.rescreen",
  /** Asks the tenant's own partner whether a customer is who their document says. */
  checkIdentity: "customer.check-identity",
});

/** Tells remittance the decision on a transaction that waited. */
export function decisionRow({ tenantId, interactionId, actor }: Origin, recorded: RecordedDecision): NewRow {
  const { transactionId, version, decision, reasonCode, message, outstandingRequirements, policyVersion } = recorded;
  const { members: transparencyMembers = [], asksByFunding = false } = recorded.transparency ?? {};
  const requested = { transparencyMembers, asksByFunding };
  return {
    tenantId,
    interactionId,
    actor,
    aggregate: `transaction:${transactionId}`,
    seq: version,
    kind: rowKinds.decideTransaction,
    payload: { transactionId, decision, reasonCode, message, outstandingRequirements, policyVersion, ...requested },
  };
}

/**
 * Tells identity a customer's status, under an aggregate of its own, so that other rows of the
 * customer do not hold it up.
 */
export function statusRow({ tenantId, interactionId, actor }: Origin, change: StatusChange): NewRow {
  const { customerId, status, sequence, at } = change;
  return {
    tenantId,
    interactionId,
    actor,
    aggregate: `customer-status:${customerId}`,
    seq: sequence,
    kind: rowKinds.noteStatus,
    payload: { customerId, status, sequence, at },
  };
}

/** Has identity end an approval that waits for nobody any more. */
export function withdrawalRow({ tenantId, interactionId, actor }: Origin, approvalId: string): NewRow {
  const aggregate = `approval-withdrawal:${approvalId}`;
  return {
    tenantId,
    interactionId,
    actor,
    aggregate,
    seq: 1,
    kind: rowKinds.withdrawApproval,
    payload: { approvalId },
  };
}

/** Rows of one customer run one after the other. */
export function customerRow(
  { tenantId, interactionId, actor }: Origin,
  customerId: string,
  version: number,
  kind: RowKind,
  payload: Record<string, unknown>,
): NewRow {
  return { tenantId, interactionId, actor, aggregate: `customer:${customerId}`, seq: version, kind, payload };
}

/** Tells remittance that more is known of a customer; nothing else of them waits for it. */
export function moreKnownRow(
  { tenantId, interactionId, actor }: Origin,
  { customerId, version }: { customerId: string; version: number },
): NewRow {
  const aggregate = `customer-payouts:${customerId}`;
  return {
    tenantId,
    interactionId,
    actor,
    aggregate,
    seq: version,
    kind: rowKinds.resumePayouts,
    payload: { customerId },
  };
}

/**
 * Has a customer's identity checked, by the version of theirs that made it a question; looks count
 * from 1, and each has a row. `pending` is the reference that the partner has not decided yet.
 */
export function identityCheckRow(
  { tenantId, interactionId, actor }: Origin,
  { customerId, version, look, pending }: { customerId: string; version: number; look: number; pending?: string },
): NewRow {
  const payload = { customerId, version, ...(pending !== undefined && { pending }) };
  const aggregate = `identity-check:${customerId}:${version}`;
  return { tenantId, interactionId, actor, aggregate, seq: look, kind: rowKinds.checkIdentity, payload };
}

/**
 * Has something join its subject's case. `source` is what it is about, such as `transaction:ID` or
 * `screening:ID`; `seq` rises with every row of the same source.
 */
export function caseJoinRow(
  { tenantId, interactionId, actor }: Origin,
  source: string,
  seq: number,
  join: CaseJoin,
): NewRow {
  return {
    tenantId,
    interactionId,
    actor,
    aggregate: `case-join:${source}`,
    seq,
    kind: rowKinds.caseJoin,
    payload: { ...join },
  };
}

/**
 * Compares the tenant's subjects with what is new. `source` is what has changed, such as `policy`
 * or `list:EU`; `seq` rises with every row of the same source.
 */
export function rescreenRow({ tenantId, interactionId, actor }: Origin, source: string, seq: number): NewRow {
  return {
    tenantId,
    interactionId,
    actor,
    aggregate: `screening-rescreen:${source}`,
    seq,
    kind: rowKinds.rescreen,
    payload: { source, seq },
  };
}

/**
 * Has all that waits decided anew by a version of the policy; `after` is the last transaction that
 * was, and each page has a row.
 */
export function policyRow(
  { tenantId, interactionId, actor }: Origin,
  version: number,
  { page = 1, after = "" }: { page?: number; after?: string } = {},
): NewRow {
  const aggregate = `policy-reconsider:${version}`;
  const payload = { version, page, after };
  return { tenantId, interactionId, actor, aggregate, seq: page, kind: rowKinds.reconsiderByPolicy, payload };
}
