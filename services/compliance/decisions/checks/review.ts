import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import { Refusal } from "../../../kernel/refusal.js";
import type { AuditEntry } from "../../common/domain/audit.js";
import { tooLittleLeft } from "../domain/daily-limit.js";
import { refusal, transparencyOf, type Outcome } from "../domain/decision.js";
import type { DecisionBasis } from "../domain/decision-inputs.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import type { Origin } from "../../common/domain/origin.js";
import { verdictOf, type ScreeningRun } from "../../screening/domain/summary.js";
import type { ScreeningRuns } from "../../screening/engine/runs.js";
import type { ComplianceStore } from "../store/index.js";
import { unknownTransaction } from "../store/decisions.js";
import type { Decide } from "./decide.js";
import { revise } from "./revise.js";
import type { TermsOfTenants } from "./terms.js";
import type { WhenCurrent } from "./when-current.js";

export interface ReviewDeps {
  store: ComplianceStore;
  decide: Decide;
  outbox: Outbox;
  times: TermsOfTenants;
  whenCurrent: WhenCurrent;
  screening: ScreeningRuns;
}

/** A person decides on a transaction in review. */
export function createReview({ store, decide, outbox, times, whenCurrent, screening }: ReviewDeps) {
  /**
   * Safe to repeat by the same person. Refuses TRANSACTION_NOT_FOUND, STATE_CONFLICT,
   * DAILY_LIMIT_EXCEEDED.
   */
  return async function decideReview(
    origin: Origin,
    transactionId: string,
    { approve, audit }: { approve: boolean; audit: AuditEntry },
    call: OutgoingContext,
  ): Promise<RecordedDecision> {
    const { tenantId, actor } = origin;
    const tenant = store.forTenant(tenantId);
    const time = await times.forTenant(tenantId, origin.interactionId);
    const wanted = approve ? "APPROVED" : "REJECTED";
    const found = await tenant.findDecision(transactionId);
    if (found === undefined) throw unknownTransaction();
    // Lists may have come back, or found somebody, since it was decided that a person looks at it.
    const run = found.isOpen && approve ? await screening.runAgain(origin, found, time.now()) : runOf(found);
    const isDone = (now: RecordedDecision) => now.decision === wanted && now.decidedBy === actor;
    const decided = await whenCurrent(origin, call, found.inputs.facts.customerId, () =>
      store.transaction(
        async (session) => {
          const before = await tenant.findDecision(transactionId, session);
          if (before === undefined) throw unknownTransaction();
          if (isDone(before)) return before;
          assertReviewable(before, approve);
          const basis = await decide.lockAndReadOne(
            tenantId,
            { facts: before.inputs.facts, screening: run },
            time,
            session,
          );
          const outcome = approve ? approvalOf(basis, before) : rejectionOf(before);
          const recorded = await revise({ store, outbox }, origin, { before, outcome, basis }, actor, session);
          const ofCustomer = `customer:${before.inputs.facts.customerId}`;
          await tenant.insertAudit({ ...audit, subjects: [audit.subject, ofCustomer] }, session);
          return recorded;
        },
        async () => {
          const now = await tenant.findDecision(transactionId);
          return now !== undefined && isDone(now) ? now : undefined;
        },
      ),
    );
    crashPoint("compliance.review.decided");
    outbox.wake();
    return decided;
  };
}

function assertReviewable({ isOpen, isBlocked, isPayeeBlocked, decision }: RecordedDecision, approve: boolean): void {
  if (!isOpen) throw new Refusal("STATE_CONFLICT", "this transaction does not wait for a decision");
  if (isBlocked === true || isPayeeBlocked === true) {
    throw new Refusal("STATE_CONFLICT", "a confirmed hit holds this transaction: the release of the hit decides on it");
  }
  if (approve && decision === "PENDING") {
    throw new Refusal("STATE_CONFLICT", "documents are missing: the transaction is decided on when they are accepted");
  }
}

/** A person may let pass what rules question, not what the customer's standing or limit forbids. */
function approvalOf({ policy, inputs }: DecisionBasis, { matchedRules }: RecordedDecision): Outcome {
  if (inputs.customerStatus !== "CONFIRMED") {
    throw new Refusal("STATE_CONFLICT", `the customer is ${inputs.customerStatus}`);
  }
  const verdict = verdictOf(inputs.screening);
  if (verdict === "STOPPED" || verdict === "CONFIRMED" || verdict === "UNAVAILABLE") {
    throw new Refusal("STATE_CONFLICT", "this transaction cannot be approved as it stands");
  }
  if (policy !== undefined && tooLittleLeft(policy, inputs) !== undefined) {
    throw new Refusal("DAILY_LIMIT_EXCEEDED", "the customer's daily limit leaves less than this amount");
  }
  const { asked, missing } = transparencyOf(policy, inputs);
  if (missing.length > 0) {
    throw new Refusal("STATE_CONFLICT", `what must be known of this transaction is missing: ${missing.join(", ")}`);
  }
  return {
    decision: "APPROVED",
    reasonCode: "",
    message: "",
    outstandingRequirements: [],
    matchedRules,
    ...(asked && { transparency: asked }),
  };
}

/** How it went when it was decided; nobody is compared to refuse it. */
function runOf({ inputs }: RecordedDecision): ScreeningRun {
  const { holds: _holds, ...run } = inputs.screening ?? { state: "UNKNOWN", basis: "", parties: [] };
  return run;
}

function rejectionOf({ matchedRules, inputs }: RecordedDecision): Outcome {
  return {
    decision: "REJECTED",
    reasonCode: "REVIEW_REJECTED",
    message: refusal(inputs.facts),
    outstandingRequirements: [],
    matchedRules,
  };
}
