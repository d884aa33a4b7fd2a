import { Decision as WireDecision } from "../../proto/gen/compliance/v1/compliance.js";
import type { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../shared/crash-point.js";
import { outgoing, type Client } from "../shared/grpc/client.js";
import type { NewRow, RowHandler } from "../shared/outbox/index.js";
import type { KeptDecision } from "./store.js";

/** Kinds of outbox rows. */
export const rowKinds = {
  decideTransaction: "remittance.decide-transaction",
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

/** What compliance tells others. */
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
