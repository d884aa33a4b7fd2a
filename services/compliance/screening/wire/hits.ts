import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { releaseWays, type ReleaseWay } from "../domain/hit-decision.js";
import type { SubjectKind } from "../../common/domain/subject.js";

export const hitDecisions = ["FALSE_POSITIVE", "CONFIRMED"] as const;
export type HitDecision = (typeof hitDecisions)[number];

/** As identity takes it with an approval. */
const maxExemptDays = 731;
const maxHits = 50;
const dayMs = 86_400_000;

/** Refuses INVALID_INPUT for anything else. */
export function decisionFromWire(decision: string): HitDecision {
  const found = hitDecisions.find((one) => one === decision);
  if (found === undefined) throw invalidInput("decision", `must be one of ${hitDecisions.join(", ")}`);
  return found;
}

/** Refuses INVALID_INPUT for anything else. */
export function releaseWayFromWire(transactions: string): ReleaseWay {
  const found = releaseWays.find((one) => one === transactions);
  if (found === undefined) throw invalidInput("transactions", `must be one of ${releaseWays.join(", ")}`);
  return found;
}

/** Each once, as many as a screening can have. Refuses INVALID_INPUT. */
export function hitIdsFromWire(hitIds: readonly string[]): string[] {
  if (hitIds.length === 0) throw invalidInput("hitIds", "must name at least one hit");
  if (hitIds.length > maxHits) throw invalidInput("hitIds", `must have at most ${maxHits}`);
  return hitIds.map((hitId, index) => {
    const path = `hitIds.${index}`;
    if (hitIds.indexOf(hitId) !== index) throw invalidInput(path, "is named twice");
    return idFromWire(hitId, path);
  });
}

/**
 * Until when an entry is to be no hit for a subject: within two years, of somebody who is screened
 * again, and of FALSE_POSITIVE alone. Refuses INVALID_INPUT. `now` is business time.
 */
export function assertExemptible(
  until: Date | undefined,
  { decision, kind, now }: { decision: HitDecision; kind: SubjectKind; now: Date },
): void {
  if (until === undefined) return;
  const refuse = (message: string) => invalidInput("exemptUntil", message);
  if (decision !== "FALSE_POSITIVE") throw refuse("is for FALSE_POSITIVE alone");
  if (kind === "SEARCH") throw refuse("is not for a search: nobody is compared by it again");
  if (!(until > now)) throw refuse("must be in the future");
  if (until.getTime() - now.getTime() > maxExemptDays * dayMs) throw refuse(`must be within ${maxExemptDays} days`);
}
