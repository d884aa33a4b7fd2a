import type { OutcomeHandler } from "../../shared/approvals.js";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { Refusal } from "../../shared/refusal.js";
import { nameOfCorridor } from "../domain/corridor-change.js";
import { corridorKeyOf } from "../domain/corridor.js";
import type { HeldRate } from "../domain/guard-band.js";
import { decideRefund } from "../domain/refund.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { putRates } from "../store/put-rates.js";
import type { RemittanceStore, Session, TenantStore } from "../store/index.js";
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

/**
 * A rate that jumped: approved, it is put for as long as its source said it, unless the pair has another rate by now, which whoever
 * decided had not seen. Rejected, it is not asked about again. The source is read at once.
 */
export function rateOutcome(deps: { store: RemittanceStore; clock: Clock; times: BusinessClock }): OutcomeHandler {
  const { store, clock, times } = deps;
  return async ({ payload, status, decidedBy }, session, { tenantId, interactionId }) => {
    const tenant = store.forTenant(tenantId);
    const heldId = String(payload["heldId"]);
    const held = await tenant.findHeldRate({ heldId }, session);
    if (held?.status !== "WAITING") return;
    const closed = { decidedBy, isOpen: false, closedAt: clock.now() };
    if (status === "EXPIRED") return tenant.noteHeldRate(heldId, { ...closed, status: "CLOSED" }, session);
    if (status === "REFUSED") return tenant.noteHeldRate(heldId, { decidedBy, status: "REJECTED" }, session);
    const now = (await times.forTenant(tenantId, interactionId)).now();
    const standing = (await tenant.findRate(held, now, session)) ?? (await tenant.findLastRate(held, session));
    await tenant.hurryRateFeed(held.installationId, clock.now(), session);
    if (standing?.rate !== held.beforeRate)
      return tenant.noteHeldRate(heldId, { ...closed, status: "CLOSED" }, session);
    const isPut = await putHeld(tenant, held, { createdAt: now, createdBy: decidedBy }, session);
    // Said too long ago it is not put, but counts when its source says it again.
    const noted = isPut ? closed : { decidedBy };
    await tenant.noteHeldRate(heldId, { ...noted, status: "APPROVED" }, session);
  };
}

async function putHeld(
  tenant: TenantStore,
  held: HeldRate,
  by: { createdAt: Date; createdBy: string },
  session: Session,
): Promise<boolean> {
  const { sendCurrency, receivingCurrency, rate, source, validUntil } = held;
  if (validUntil <= by.createdAt) return false;
  const validFrom = held.validFrom > by.createdAt ? held.validFrom : by.createdAt;
  const content = { sendCurrency, receivingCurrency, rate, source, validFrom, validUntil, replacesAll: true };
  await putRates(tenant, [{ rate: content, saidFrom: validFrom }], by, session);
  return true;
}
