import type { NewRow } from "../../shared/outbox/index.js";
import type { CaseJoin } from "../domain/case-join.js";
import type { StatusChange } from "../domain/customer.js";
import type { KeptDecision } from "../domain/kept-decision.js";
import type { Origin } from "../domain/origin.js";

/** Kinds of outbox rows. */
export const rowKinds = {
  decideTransaction: "remittance.decide-transaction",
  noteStatus: "identity.note-status",
  reconsider: "customer.reconsider",
  sendVerification: "verification.send",
  /** Its payload is a CaseJoin. */
  caseJoin: "case.join",
} as const;

/** Tells remittance the decision on a transaction that waited. */
export function decisionRow({ tenantId, interactionId, actor }: Origin, kept: KeptDecision): NewRow {
  const { transactionId, version, decision, reasonCode, message, outstandingRequirements, policyVersion } = kept;
  return {
    tenantId,
    interactionId,
    actor,
    aggregate: `transaction:${transactionId}`,
    seq: version,
    kind: rowKinds.decideTransaction,
    payload: { transactionId, decision, reasonCode, message, outstandingRequirements, policyVersion },
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

/** Rows of one customer run one after the other. */
export function customerRow(
  { tenantId, interactionId, actor }: Origin,
  customerId: string,
  version: number,
  kind: string,
  payload: Record<string, unknown>,
): NewRow {
  return { tenantId, interactionId, actor, aggregate: `customer:${customerId}`, seq: version, kind, payload };
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
