import type { HitSummary } from "../../../../proto/gen/compliance/v1/screening.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { hitsInOrder, listOf, type FoundHit } from "../domain/hit-order.js";
import type { Screening } from "../domain/screening.js";
import { subjectToWire } from "./screenings.js";

const hitsInRow = 5;

/** Those that matter most. */
export function bestHitsToWire(screenings: readonly Screening[]): WirePartial<HitSummary>[] {
  return hitsInOrder(screenings).slice(0, hitsInRow).map(hitSummaryToWire);
}

export function hitSummaryToWire({ screening, hit }: FoundHit): WirePartial<HitSummary> {
  const { screeningId, subject, name, screenedAt, policyVersion } = screening;
  const { hitId, source, entry, matchedName, score, parts, state } = hit;
  return {
    screeningId,
    hitId,
    subject: subjectToWire(subject, name),
    screenedAt,
    policyVersion,
    source,
    listVersion: listOf(screening, hit)?.version ?? 0,
    entryId: entry.entryId,
    matchedName,
    score,
    parts: [...parts],
    state,
  };
}
