import { Decision as WireDecision } from "../../../proto/gen/compliance/v1/compliance.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { outgoing, type Client } from "../../shared/grpc/client.js";
import type { NewRow, RowHandler } from "../../shared/outbox/index.js";
import type { KeptDecision, StatusChange } from "./index.js";

/** Kinds of outbox rows. */
export const rowKinds = {
  decideTransaction: "remittance.decide-transaction",
  noteStatus: "identity.note-status",
  reconsider: "customer.reconsider",
  sendVerification: "verification.send",
} as const;

/** Who is behind a change, for rows and history. */
export interface Origin {
  tenantId: string;
  interactionId: string;
  actor: string;
}

/** Tells remittance what was decided on a transaction that waited. */
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

/** Tells identity what was come to of a customer. In a lane of its own: what else waits for the customer does not hold it up. */
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

type DecisionPayload = Pick<
  KeptDecision,
  "transactionId" | "decision" | "reasonCode" | "message" | "outstandingRequirements" | "policyVersion"
>;

/** What compliance tells identity. */
export function statusNews(
  identity: Pick<Client<IdentityServiceDefinition>, "noteCustomerStatus">,
): Record<string, RowHandler> {
  return {
    async [rowKinds.noteStatus](row, { signal }) {
      const { customerId, status, sequence, at } = row.payload as unknown as StatusChange;
      await identity.noteCustomerStatus({ customerId, status, sequence, at }, outgoing({ ...row, signal }));
      crashPoint("compliance.status.told");
    },
  };
}

/** What compliance tells remittance. */
export function decisionNews(
  remittance: Pick<Client<RemittanceServiceDefinition>, "decideTransaction">,
): Record<string, RowHandler> {
  return {
    async [rowKinds.decideTransaction](row, { signal }) {
      const { decision, ...rest } = row.payload as unknown as DecisionPayload;
      const request = { ...rest, decision: WireDecision[`DECISION_${decision}`] };
      await remittance.decideTransaction(request, outgoing({ ...row, signal }));
      crashPoint("compliance.decision.told");
    },
  };
}
