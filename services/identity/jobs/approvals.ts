import type { Connection } from "mongoose";
import type { Clock } from "../../shared/clocks/clock.js";
import { outgoing } from "../../shared/grpc/client.js";
import type { ServiceName } from "../../shared/grpc/context.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import type { NewRow, Outbox, OutboxRow, RowHandler } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import type { ApprovalKind, ApprovalRecord } from "../domain/approvals.js";
import { rowKinds } from "./row-kinds.js";
import type { OutcomeClients } from "../clients/neighbours.js";
import type { IdentityStore } from "../store/index.js";
import { approvalToWire } from "../wire/approvals.js";
import { decidedRows } from "../wire/told.js";

type RowOrigin = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/** Names the row that lets an approval expire, so that a decision cancels it. */
export function approvalExpiryOf(approvalId: string) {
  return { aggregate: `approval:${approvalId}:expiry`, kind: rowKinds.approvalExpires };
}

/** Lets an approval expire that nobody decides in time. */
export function approvalExpiryRow(
  of: RowOrigin,
  { _id: approvalId, expiresAt: dueAt }: Pick<ApprovalRecord, "_id" | "expiresAt">,
): NewRow {
  return { ...of, ...approvalExpiryOf(approvalId), seq: 1, payload: { approvalId }, dueAt };
}

/** Tells the service that asked what became of its approval. */
export function approvalOutcomeRow(of: RowOrigin, approvalId: string): NewRow {
  return {
    ...of,
    aggregate: `approval:${approvalId}`,
    seq: 1,
    kind: rowKinds.approvalOutcome,
    payload: { approvalId },
  };
}

/**
 * What follows from approvals: they expire, and whoever asked hears of the outcome until they have
 * taken it.
 */
export function approvalRows(deps: {
  db: Connection;
  store: IdentityStore;
  outbox: Outbox;
  outcomes: OutcomeClients;
  /** What identity does about its own, by kind. */
  own: Partial<Record<ApprovalKind, (approval: ApprovalRecord, row: OutboxRow) => Promise<void>>>;
  clock: Clock;
}): Record<string, RowHandler> {
  const { db, store, outbox, outcomes, own, clock } = deps;
  return {
    async [rowKinds.approvalExpires]({ tenantId, payload, interactionId }) {
      const { approvalId } = payload as { approvalId: string };
      const ofTenant = store.forTenant(tenantId);
      const decision = {
        status: "EXPIRED" as const,
        decidedBy: "identity",
        decidedBecause: "nobody decided in time",
        decidedAt: clock.now(),
      };
      await inTransaction(
        db,
        async (session) => {
          // Null where somebody has decided meanwhile, or this ran before.
          const expired = await ofTenant.decideApproval(approvalId, decision, session);
          if (expired === null) return true;
          const origin = { tenantId, interactionId, actor: "identity" };
          await outbox.addAll([approvalOutcomeRow(origin, approvalId), ...decidedRows(origin, expired)], session);
          return true;
        },
        { readBack: async () => undefined },
      );
      outbox.wake();
    },

    async [rowKinds.approvalOutcome](row, { signal }) {
      const { tenantId, payload, interactionId } = row;
      const { approvalId } = payload as { approvalId: string };
      const approval = await store.forTenant(tenantId).findApproval(approvalId);
      if (approval === null) throw new Error(`approval ${approvalId} is gone`);
      if (approval.service === "identity") {
        const carryOut = own[approval.kind];
        if (carryOut === undefined) throw new Error(`identity asks for no ${approval.kind}`);
        return carryOut(approval, row);
      }
      const client = outcomes[approval.service as ServiceName];
      if (client === undefined) throw new Refusal("UNAVAILABLE", `identity has no address of ${approval.service}`);
      await client.decideApproval(
        { approval: approvalToWire(approval), payloadJson: approval.payloadJson },
        outgoing({ tenantId, interactionId, signal }),
      );
    },
  };
}
