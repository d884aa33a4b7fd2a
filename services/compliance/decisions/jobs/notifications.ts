import { Decision as WireDecision } from "../../../../proto/gen/compliance/v1/compliance.js";
import type { IdentityServiceDefinition } from "../../../../proto/gen/identity/v1/identity.js";
import type { RemittanceServiceDefinition } from "../../../../proto/gen/remittance/v1/remittance.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { outgoing, type Client } from "../../../kernel/grpc/client.js";
import type { RowHandler } from "../../../kernel/outbox/index.js";
import type { StatusChange } from "../domain/customer.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import { rowKinds } from "../../common/store/outbox-rows.js";

type DecisionPayload = Pick<
  RecordedDecision,
  "transactionId" | "decision" | "reasonCode" | "message" | "outstandingRequirements" | "policyVersion"
> & { transparencyMembers: string[]; asksByFunding: boolean };

/** Tells identity each status of a customer. */
export function statusNotifications(
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

/** Takes back what was asked of identity for nothing. */
export function approvalWithdrawals(
  identity: Pick<Client<IdentityServiceDefinition>, "withdrawApproval">,
): Record<string, RowHandler> {
  return {
    async [rowKinds.withdrawApproval](row, { signal }) {
      const { approvalId } = row.payload as { approvalId: string };
      const reason = "withdrawn: it was decided by another way meanwhile";
      await identity.withdrawApproval({ approvalId, reason }, outgoing({ ...row, signal }));
    },
  };
}

/** Tells remittance each decision on a transaction that waited. */
export function decisionNotifications(
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
