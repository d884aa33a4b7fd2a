import { v7 as uuidv7 } from "uuid";
import type { ApprovalOutcome, OutcomeHandler } from "../../../platform/approvals/approval-outcomes.js";
import type { Clock } from "../../../kernel/time/clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { printJson } from "../../../kernel/json.js";
import { endConfirmation, endRelease, type Agreed, type Agreement } from "../domain/hit-decision.js";
import type { Screening } from "../domain/screening.js";
import type { HitStep } from "../../decisions/checks/hit-consequences.js";
import { auditOf, begun, hitsText, type HitDeps, type HitPayload } from "./hit-deps.js";

type Deps = Pick<HitDeps, "store" | "screenings" | "consequences" | "times"> & { clock: Clock };

const words = { APPROVED: "agreed", REFUSED: "refused", EXPIRED: "not answered in time" } as const;

/** Carries out what a second manager decided on hits that somebody says are the same person. */
export function confirmationOutcome(deps: Deps): OutcomeHandler {
  return outcomeOf(deps, {
    action: "screening.confirmation",
    what: ["that it is the same", "that they are the same"],
    step: "CONFIRMED",
    end: (screening, { hitIds }, agreement) => endConfirmation(screening, hitIds, agreement),
  });
}

/** The same of the release of a confirmed hit. */
export function releaseOutcome(deps: Deps): OutcomeHandler {
  return outcomeOf(deps, {
    action: "screening.release",
    what: ["its release", "their release"],
    step: "RELEASED",
    end: (screening, { hitIds, way = "CONTINUE" }, agreement) => endRelease(screening, hitIds, { ...agreement, way }),
  });
}

interface Kind {
  action: string;
  /** Of one hit, and of several. */
  what: readonly [string, string];
  step: HitStep;
  end(screening: Screening, payload: HitPayload, agreement: Agreement): Agreed | undefined;
}

/**
 * Once per approval, in the transaction that remembers it; one that comes too
 * late is noted and changes nothing.
 */
function outcomeOf({ store, screenings, consequences, times, clock }: Deps, kind: Kind): OutcomeHandler {
  return async (outcome, session, { tenantId, interactionId }, effects) => {
    const payload = payloadOf(outcome);
    const { screeningId, country, registeredAt, way } = payload;
    const { status, decidedBy, decidedBecause, askedBy } = outcome;
    const found = await screenings.forTenant(tenantId).find(screeningId, session);
    // What was erased meanwhile is about nobody any more.
    if (found === undefined) return effects.add({ kind: "NOTHING_DONE", subject: outcome.subject });
    const at = (await times.forTenant(tenantId, interactionId)).now();
    const agreed = kind.end(found, payload, agreementOf(outcome, at));
    for (const hitId of payload.hitIds) {
      const isLate = agreed?.hitIds.includes(hitId) !== true;
      const action = `${kind.action}-${isLate ? "late" : status.toLowerCase()}`;
      const decided = auditOf(action, agreed?.screening ?? found, hitId, decidedBecause);
      const entry = {
        ...decided,
        entryId: uuidv7(),
        at: clock.now(),
        actor: decidedBy,
        role: isByPerson(outcome) ? "MANAGER" : "",
        content: printJson({ ...decided.content, askedBy, ...(way !== undefined && { transactions: way }) }),
        interactionId,
      };
      await store.forTenant(tenantId).insertAudit(entry, session);
    }
    if (agreed !== undefined) {
      const { screening, hitIds } = agreed;
      const what = kind.what[hitIds.length === 1 ? 0 : 1];
      const text = `${begun(hitsText(screening, hitIds))}: ${what}, as ${askedBy} says, was ${words[status]}: ${decidedBecause}`;
      const person =
        country === undefined || registeredAt === undefined
          ? undefined
          : { country, registeredAt: new Date(registeredAt) };
      const step = status === "APPROVED" ? kind.step : "REFUSED";
      const origin = { tenantId, interactionId, actor: decidedBy };
      await consequences.write(origin, { screening, hitIds, step, text, person, effects }, session);
    } else effects.add({ kind: "NOTHING_DONE", subject: outcome.subject });
    crashPoint("compliance.hit.agreeing");
  };
}

function payloadOf({ payload }: ApprovalOutcome): HitPayload {
  return payload as unknown as HitPayload;
}

/**
 * Only a MANAGER decides; one that expires is ended by identity, and one that is not
 * needed any more by compliance.
 */
function isByPerson({ status, decidedBy }: ApprovalOutcome): boolean {
  return status !== "EXPIRED" && decidedBy !== "compliance";
}

function agreementOf(outcome: ApprovalOutcome, at: Date): Agreement {
  const { approvalId, status, askedBy, askedBecause, decidedBy, decidedBecause } = outcome;
  return {
    approvalId,
    status,
    requested: { by: askedBy, reason: askedBecause, at },
    decided: { by: decidedBy, reason: decidedBecause, at },
  };
}
