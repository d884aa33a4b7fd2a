import { amountChangeOf, changeOf } from "../../platform/approvals/approval-changes.js";
import { setEffects, type ApprovalEffect } from "../../platform/approvals/approval-effects.js";
import type { OutcomeHandler } from "../../platform/approvals/approval-outcomes.js";
import { Refusal } from "../../kernel/refusal.js";
import { decideAmendment, keptAmendments } from "../domain/amendment.js";
import { approvedTrace, decideTrace } from "../domain/trace.js";
import { nameOfCorridor } from "../domain/corridor-change.js";
import { differencesOf } from "../domain/corridor-differences.js";
import { nameOfPair } from "../domain/guard-band.js";
import type { Transaction } from "../domain/transaction.js";
import { corridorKeyOf } from "../domain/corridor.js";
import type { HeldRate } from "../domain/guard-band.js";
import { payoutOf } from "../domain/payout.js";
import { decideOutcome } from "../domain/payout-decision.js";
import { differencesOfDisclosure, shippedTemplate } from "../domain/disclosure-template.js";
import { decideRefund, keptRefunds } from "../domain/refund.js";
import { nextVersion } from "../store/versioned-store.js";
import { amendmentAggregate, traceAggregate } from "../sagas/outbox-rows.js";
import { rowKinds } from "../row-kinds.js";
import { putRates } from "../store/put-rates.js";
import type { Session, TenantStore } from "../store/index.js";
import type { RemittanceDeps } from "./deps.js";

type OutcomeDeps = Pick<RemittanceDeps, "store" | "clock" | "times" | "steps" | "outbox">;

/** What two people decided, carried out in the transaction that remembers it. */
export function approvalOutcomes(deps: OutcomeDeps) {
  const [refund, corridor] = [refundOutcome(deps), corridorOutcome(deps)];
  return {
    REFUND: refund,
    REVERSAL: refund,
    LIMIT_CHANGE: corridor,
    PARTNER_CHANGE: corridor,
    CORRIDOR_CHANGE: corridor,
    RATE_CHANGE: rateOutcome(deps),
    SETTING_CHANGE: disclosureOutcome(deps),
    PAYOUT_OUTCOME: payoutOutcome(deps),
    AMENDMENT: amendmentOutcome(deps),
  };
}

/** What identity tells of refunds: approved, refused, or that nobody decided. */
function refundOutcome({ store, steps, clock }: OutcomeDeps): OutcomeHandler {
  return async ({ payload, status, decidedBy, approvalId, subject }, session, call, effects) => {
    const { transactionId, refundId } = payload;
    const before = await store.forTenant(call.tenantId).findTransaction(String(transactionId), session);
    if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    const decision = { approved: status === "APPROVED", decidedBy, approvalId };
    const step = decideRefund(before, String(refundId), decision, clock.now());
    const by = { actor: decidedBy, interactionId: call.interactionId };
    const after = step && (await steps.write(call.tenantId, before, step, by, session));
    if (status === "APPROVED") effects.add(refundEffect(after, String(refundId)) ?? { kind: "NOTHING_DONE", subject });
  };
}

/** From the recipient's wallet all that was paid goes back to the sender. */
function refundEffect(after: Transaction | undefined, refundId: string): ApprovalEffect | undefined {
  const refund = after && keptRefunds.find(after, refundId);
  if (after === undefined || refund?.status !== "APPROVED") return undefined;
  return { kind: "MONEY_REFUNDED", subject: `transaction:${after.transactionId}`, amount: refund.amount };
}

/**
 * What two persons agreed on holds, unless the corridors were changed meanwhile: that was not what
 * they had seen.
 */
function corridorOutcome({ store, clock }: OutcomeDeps): OutcomeHandler {
  return async ({ payload, status, decidedBy, subject }, session, call, effects) => {
    const tenant = store.forTenant(call.tenantId);
    const changeId = String(payload["changeId"]);
    const change = await tenant.corridorChanges.find({ changeId }, session);
    if (change?.status !== "ASKED") return effects.add({ kind: "NOTHING_DONE", subject });
    if (status !== "APPROVED") return tenant.corridorChanges.note(changeId, { status, decidedBy }, session);
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
      const before = new Map(held.map((corridor) => [nameOfCorridor(corridor), corridor]));
      effects.add(...setEffects("CORRIDOR_SET", subject, differencesOf(change.corridors, before)));
    } else effects.add({ kind: "NOTHING_DONE", subject });
    await tenant.corridorChanges.note(changeId, { status: isFresh ? "APPROVED" : "STALE", decidedBy }, session);
  };
}

/** What two persons agreed on holds, unless the template was changed meanwhile. */
function disclosureOutcome({ store, clock }: Pick<OutcomeDeps, "store" | "clock">): OutcomeHandler {
  return async ({ payload, status, decidedBy, subject }, session, call, effects) => {
    const { disclosureChanges, disclosureTemplates } = store.forTenant(call.tenantId);
    const changeId = String(payload["changeId"]);
    const change = await disclosureChanges.find({ changeId }, session);
    if (change?.status !== "ASKED") return effects.add({ kind: "NOTHING_DONE", subject });
    if (status !== "APPROVED") return disclosureChanges.note(changeId, { status, decidedBy }, session);
    const { content, basedOn, askedBy } = change;
    const { profile } = content;
    const held = (await disclosureTemplates.find({ profile }, session)) ?? shippedTemplate(profile);
    const isFresh = held.version === basedOn;
    if (isFresh) {
      const stamp = { changedAt: clock.now(), changedBy: askedBy, approvedBy: decidedBy };
      await disclosureTemplates.putMany([nextVersion({ key: { profile }, content }, held, stamp)], session);
      effects.add(...setEffects("SETTING_SET", subject, differencesOfDisclosure(held, content)));
    } else effects.add({ kind: "NOTHING_DONE", subject });
    await disclosureChanges.note(changeId, { status: isFresh ? "APPROVED" : "STALE", decidedBy }, session);
  };
}

/**
 * A rate that jumped: approved, it is put for as long as its source said it, unless the pair has
 * another rate by now, which whoever decided had not seen. Rejected, it is not asked about
 * again. The source is read at once.
 */
function rateOutcome({ store, clock, times }: OutcomeDeps): OutcomeHandler {
  return async ({ payload, status, decidedBy, subject }, session, { tenantId, interactionId }, effects) => {
    const tenant = store.forTenant(tenantId);
    const heldId = String(payload["heldId"]);
    const held = await tenant.findHeldRate({ heldId }, session);
    if (held?.status !== "WAITING") return effects.add({ kind: "NOTHING_DONE", subject });
    const closed = { decidedBy, isOpen: false, closedAt: clock.now() };
    if (status === "EXPIRED") return tenant.noteHeldRate(heldId, { ...closed, status: "CLOSED" }, session);
    if (status === "REFUSED") return tenant.noteHeldRate(heldId, { decidedBy, status: "REJECTED" }, session);
    const now = (await times.forTenant(tenantId, interactionId)).now();
    const current = (await tenant.findRate(held, now, session)) ?? (await tenant.findLastRate(held, session));
    await tenant.hurryRateFeed(held.installationId, clock.now(), session);
    if (current?.rate !== held.beforeRate) {
      effects.add({ kind: "NOTHING_DONE", subject });
      return tenant.noteHeldRate(heldId, { ...closed, status: "CLOSED" }, session);
    }
    const isPut = await putHeld(tenant, held, { createdAt: now, createdBy: decidedBy }, session);
    // Said too long ago it is not put, but counts when its source says it again.
    const change = changeOf(`${nameOfPair(held)}.rate`, current?.rate, held.rate);
    effects.add(...setEffects(isPut ? "RATE_SET" : "RATE_ACCEPTED", subject, change));
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
  await putRates(tenant, [{ rate: content, statedFrom: validFrom }], by, session);
  return true;
}

/** What identity tells of how a payout ended: approved, refused, or that nobody decided. */
function payoutOutcome({ store, steps, clock }: OutcomeDeps): OutcomeHandler {
  return async ({ payload, status, decidedBy, approvalId, subject }, session, call, effects) => {
    const { transactionId, outcomeId } = payload;
    const before = await store.forTenant(call.tenantId).findTransaction(String(transactionId), session);
    if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    const decision = { approved: status === "APPROVED", decidedBy, approvalId };
    const step = decideOutcome(before, String(outcomeId), decision, clock.now());
    const by = { actor: decidedBy, interactionId: call.interactionId };
    const after = step && (await steps.write(call.tenantId, before, step, by, session));
    if (status === "APPROVED") effects.add(...endEffects(after, approvalId, subject));
  };
}

/**
 * What identity tells of names that are to be put right. Lists are asked about them first, so a row
 * does it, or notes why it is too late.
 */
function amendmentOutcome(deps: OutcomeDeps): OutcomeHandler {
  const { store, steps, outbox } = deps;
  const trace = traceOutcome(deps);
  return async (outcome, session, call, effects) => {
    const { payload, status, decidedBy, approvalId, subject } = outcome;
    const { tenantId, interactionId } = call;
    if (payload["traceId"] !== undefined) return trace(outcome, session, call, effects);
    const [transactionId, amendmentId] = [String(payload["transactionId"]), String(payload["amendmentId"])];
    const before = await store.forTenant(tenantId).findTransaction(transactionId, session);
    if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    const decision = { isApproved: status === "APPROVED", decidedBy, approvalId };
    const step = decideAmendment(before, amendmentId, decision);
    const after = step && (await steps.write(tenantId, before, step, { actor: decidedBy, interactionId }, session));
    const isApproved = after !== undefined && keptAmendments.find(after, amendmentId)?.status === "APPROVED";
    if (isApproved) {
      const aggregate = amendmentAggregate(amendmentId);
      const row = { tenantId, aggregate, seq: 1, kind: rowKinds.applyAmendment, interactionId, actor: decidedBy };
      await outbox.add({ ...row, payload: { transactionId, amendmentId } }, session);
    }
    if (status === "APPROVED") effects.add({ kind: isApproved ? "TRANSACTION_AMENDED" : "NOTHING_DONE", subject });
  };
}

/** The same of names that a partner is to be asked to put right: a row asks it. */
function traceOutcome({ store, steps, outbox, clock }: OutcomeDeps): OutcomeHandler {
  return async ({ payload, status, decidedBy, approvalId, subject }, session, call, effects) => {
    const { tenantId, interactionId } = call;
    const [transactionId, traceId] = [String(payload["transactionId"]), String(payload["traceId"])];
    const before = await store.forTenant(tenantId).findTransaction(transactionId, session);
    if (before === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no such transaction");
    const decision = { isApproved: status === "APPROVED", decidedBy, approvalId };
    const step = decideTrace(before, traceId, decision, clock.now());
    const after = step && (await steps.write(tenantId, before, step, { actor: decidedBy, interactionId }, session));
    const isApproved = after !== undefined && approvedTrace(after, traceId) !== undefined;
    if (isApproved) {
      const aggregate = traceAggregate(traceId);
      const row = { tenantId, aggregate, seq: 1, kind: rowKinds.sendTrace, interactionId, actor: decidedBy };
      await outbox.add({ ...row, payload: { transactionId, traceId } }, session);
    }
    if (status === "APPROVED") effects.add({ kind: isApproved ? "PARTNER_ASKED_TO_AMEND" : "NOTHING_DONE", subject });
  };
}

/** How it ends, and what the partner kept of it; nothing where money was given back meanwhile. */
function endEffects(after: Transaction | undefined, approvalId: string, subject: string): ApprovalEffect[] {
  const decided = after && payoutOf(after).decided;
  if (after === undefined || decided?.approvalId !== approvalId) return [{ kind: "NOTHING_DONE", subject }];
  const { receive } = after.price;
  const ended = { kind: "PAYOUT_ENDED" as const, subject: `transaction:${after.transactionId}`, amount: receive };
  const { kept } = decided;
  return [
    { ...ended, change: { field: "outcome", before: "", after: decided.outcome, currency: "" } },
    ...(kept === undefined ? [] : amountChangeOf("kept", undefined, kept.minor, kept.currency)).map((change) => ({
      ...ended,
      change,
    })),
  ];
}
