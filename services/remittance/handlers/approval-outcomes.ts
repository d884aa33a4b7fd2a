import type { OutcomeHandler } from "../../shared/approvals.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { Refusal } from "../../shared/refusal.js";
import { nameOfCorridor } from "../domain/corridor-change.js";
import { corridorKeyOf } from "../domain/corridor.js";
import { decideRefund } from "../domain/refund.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import type { RemittanceStore } from "../store/index.js";
import type { RemittanceDeps } from "./deps.js";

/** What identity tells of refunds: approved, refused, or that nobody decided. */
export function refundOutcome(deps: { store: RemittanceStore; steps: PayoutSteps; clock: Clock }): OutcomeHandler {
  const { store, steps, clock } = deps;
  return async ({ payload, status, decidedBy, approvalId }, session, call) => {
    const { transactionId, refundId } = payload;
    const before = await store.forTenant(call.tenantId).findTransaction(String(transactionId), session);
    if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    const decision = { approved: status === "APPROVED", decidedBy, approvalId };
    const step = decideRefund(before, String(refundId), decision, clock.now());
    const by = { actor: decidedBy, interactionId: call.interactionId };
    if (step !== undefined) await steps.write(call.tenantId, before, step, by, session);
  };
}

/**
 * What two persons agreed on holds, unless the corridors were changed meanwhile: that was not what
 * they had seen.
 */
export function corridorOutcome({ store, clock }: Pick<RemittanceDeps, "store" | "clock">): OutcomeHandler {
  return async ({ payload, status, decidedBy }, session, call) => {
    const tenant = store.forTenant(call.tenantId);
    const changeId = String(payload["changeId"]);
    const change = await tenant.findCorridorChange({ changeId }, session);
    if (change?.status !== "ASKED") return;
    if (status !== "APPROVED") return tenant.noteCorridorChange(changeId, { status, decidedBy }, session);
    const held = await tenant.findCorridors(
      change.corridors.map(({ content }) => corridorKeyOf(content)),
      session,
    );
    const versions = new Map(held.map((corridor) => [nameOfCorridor(corridor), corridor.version]));
    const isFresh = change.corridors.every(
      ({ content, basedOn }) => (versions.get(nameOfCorridor(content)) ?? 0) === basedOn,
    );
    if (isFresh) {
      const stamp = { changedAt: clock.now(), changedBy: change.askedBy, approvedBy: decidedBy };
      const next = change.corridors.map(({ content, basedOn }) => ({ ...content, version: basedOn + 1, ...stamp }));
      await tenant.putCorridors(next, session);
    }
    await tenant.noteCorridorChange(changeId, { status: isFresh ? "APPROVED" : "STALE", decidedBy }, session);
  };
}
