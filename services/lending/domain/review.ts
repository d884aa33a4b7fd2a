import type { Application } from "./application.js";

// Soon at first, for whoever waits at a screen; then by how long it has waited already.
const soonestMs = 15_000;
const latestMs = 3_600_000;
const shareOfAge = 10;

/** When compliance is asked again about an application that it has not decided. */
export function nextReviewAt({ createdAt }: Pick<Application, "createdAt">, now: Date): Date {
  const ageMs = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.min(latestMs, Math.max(soonestMs, ageMs / shareOfAge)));
}

/**
 * What becomes of an application that waited for compliance. Where compliance approves it, the
 * product says whether that is enough or staff look too; affordability was found when it was made.
 */
export function reviewed(
  application: Application,
  check: { decision: string; outstandingRequirements: readonly string[] },
  approvedAtOnce: boolean,
  now: Date,
): Application {
  const { askAgainAt: _askAgainAt, ...rest } = application;
  const next = { ...rest, version: application.version + 1 };
  switch (check.decision) {
    case "DECISION_APPROVED":
      return approvedAtOnce
        ? { ...next, status: "APPROVED", reasonCode: "", reason: "", outstandingRequirements: [], decidedAt: now }
        : { ...next, outstandingRequirements: [] };
    case "DECISION_REJECTED": {
      const why = { reasonCode: "COMPLIANCE", reason: "the application was not approved" };
      return { ...next, ...why, status: "REJECTED", decidedAt: now };
    }
    default: {
      const { outstandingRequirements } = check;
      return { ...next, outstandingRequirements, askAgainAt: nextReviewAt(application, now) };
    }
  }
}
