import { Refusal } from "../../../kernel/refusal.js";
import { createTurns } from "../../../kernel/time/turns.js";
import type { Match } from "../domain/hit.js";
import type { ScreeningPolicy } from "../domain/policy.js";
import type { ScreenedSubject } from "../domain/screened-subject.js";
import type { SubjectRef } from "../../common/domain/subject.js";
import type { ScreeningEngine } from "./engine.js";

export interface ScreeningTrial {
  /** How many were compared. */
  subjects: number;
  hitsNow: number;
  hitsByDraft: number;
  differences: { subject: SubjectRef; name: string; entriesNow: string[]; entriesByDraft: string[] }[];
}

export interface TrialLimits {
  /** Ends the trial, with what there is by then. */
  maxMs: number;
  signal: AbortSignal;
}

const maxDifferences = 200;
// Decisions of the same process wait no longer than for two people, each by both policies.
const comparisonsPerTurn = 4;

/**
 * Compares subjects by two policies and says what would differ. Exemptions are not looked at: both
 * policies meet the same ones. Refuses STATE_CONFLICT where a list that the draft turns on is away.
 */
export async function tryScreeningPolicies(
  engine: Pick<ScreeningEngine, "comparisonOf" | "screenBy">,
  tenantId: string,
  policies: { now: ScreeningPolicy; draft: ScreeningPolicy },
  subjects: AsyncIterable<ScreenedSubject>,
  { maxMs, signal }: TrialLimits,
): Promise<ScreeningTrial> {
  const { state, reason } = engine.comparisonOf(tenantId, policies.draft);
  if (state === "UNAVAILABLE") throw new Refusal("STATE_CONFLICT", `nobody can be compared by the draft: ${reason}`);
  const trial: ScreeningTrial = { subjects: 0, hitsNow: 0, hitsByDraft: 0, differences: [] };
  const endsAt = performance.now() + maxMs;
  const turns = createTurns("screening trial", comparisonsPerTurn);
  for await (const { subject, party } of subjects) {
    const [entriesNow, entriesByDraft] = [policies.now, policies.draft].map((policy) =>
      engine.screenBy(tenantId, policy, party).matches.map(entryName).toSorted(),
    ) as [string[], string[]];
    trial.subjects += 1;
    trial.hitsNow += entriesNow.length;
    trial.hitsByDraft += entriesByDraft.length;
    if (entriesNow.join() !== entriesByDraft.join() && trial.differences.length < maxDifferences) {
      trial.differences.push({ subject, name: party.names[0] ?? "", entriesNow, entriesByDraft });
    }
    if (performance.now() > endsAt || signal.aborted) break;
    await turns.spent(2);
  }
  turns.end();
  return trial;
}

function entryName({ source, entry }: Match): string {
  return `${source}:${entry.entryId}`;
}
