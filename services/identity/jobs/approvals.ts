import type { Connection } from "mongoose";
import { createEffectLog, effectFromWire, type ApprovalEffect } from "../../platform/approvals/approval-effects.js";
import type { Clock } from "../../kernel/time/clock.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { NewRow, Outbox, OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { ApprovalRecord } from "../domain/approvals.js";
import { outcomeClientOf, ownOutcomeOf, type OwnOutcomes } from "./foresee.js";
import { rowKinds } from "../row-kinds.js";
import type { OutcomeClients } from "../clients/neighbours.js";
import type { IdentityStore } from "../store/index.js";
import { approvalWithEffects } from "../wire/approvals.js";
import { decidedRows } from "../wire/event-rows.js";

type RowOrigin = Pick<NewRow, "tenantId" | "interactionId" | "actor">;

/** Names the row that lets an approval expire, so that a decision cancels it. */
export function approvalExpiryOf(approvalId: string) {
  return { aggregate: `approval:${approvalId}:expiry`, kind: rowKinds.approvalExpires };
}

/** Lets an approval expire that nobody decides in time. */
export function approvalExpiryRow(
  of: RowOrigin,
  { approvalId, expiresAt: dueAt }: Pick<ApprovalRecord, "approvalId" | "expiresAt">,
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

/** Lists on an approval what was done beyond what was approved; safe to repeat. */
export async function recordEffects(
  { db, store }: { db: Connection; store: IdentityStore },
  tenantId: string,
  approvalId: string,
  effects: readonly ApprovalEffect[],
): Promise<void> {
  if (effects.length === 0) return;
  await inTransaction(
    db,
    async (session) => {
      await store.forTenant(tenantId).joinEffects(approvalId, effects, session);
      return true;
    },
    { readBack: async () => undefined },
  );
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
  own: OwnOutcomes;
  clock: Clock;
}): Record<string, RowHandler> {
  const { db, store, outbox, outcomes, own, clock } = deps;

  /** Once for one approval, however often it runs. */
  async function carryOutOwn(approval: ApprovalRecord, { tenantId, interactionId }: OutboxRow): Promise<void> {
    await inTransaction(
      db,
      async (session) => {
        if (!(await store.forTenant(tenantId).beginCarryingOut(approval.approvalId, clock.now(), session))) return true;
        const { log, effects } = createEffectLog();
        await ownOutcomeOf(own, approval)(approval, { tenantId, interactionId }, session, log);
        await store.forTenant(tenantId).joinEffects(approval.approvalId, effects, session);
        return true;
      },
      { readBack: async () => undefined },
    );
    outbox.wake();
    if (approval.kind === "PARTNER_CHANGE") crashPoint("identity.plugin.carried-out");
  }

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
          // Undefined where somebody has decided meanwhile, or this ran before.
          const expired = await ofTenant.decideApproval(approvalId, decision, session);
          if (expired === undefined) return true;
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
      if (approval === undefined) throw new Error(`approval ${approvalId} is gone`);
      if (approval.service === "identity") {
        await carryOutOwn(approval, row);
        return;
      }
      const client = outcomeClientOf(outcomes, approval);
      const { effects } = await client.decideApproval(
        { approval: approvalWithEffects(approval, undefined), payloadJson: approval.payloadJson },
        outgoing({ tenantId, interactionId, signal }),
      );
      await recordEffects({ db, store }, tenantId, approvalId, effects.map(effectFromWire));
    },
  };
}
