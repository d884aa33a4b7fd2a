import { exemptionsOfMatch, type Exemption } from "./exemption.js";
import type { Match } from "./hit.js";
import { hitNameOf, isOpen, type Hit, type Screening, type Trigger } from "./screening.js";
import type { SubjectHold } from "./subject-hold.js";

/** A match with the fingerprint of its entry, as the list has it now. */
export interface FoundMatch extends Match {
  entryFingerprint: string;
}

/** What is known of a subject when it was compared with lists. */
export interface Judged {
  matches: readonly FoundMatch[];
  /** Of the subject, newest first. */
  earlier: readonly Screening[];
  /** Those that hold, and the hits that any came from: "<screeningId>.<hitId>". */
  exemptions: readonly Exemption[];
  exempted: ReadonlySet<string>;
  identityFingerprint: string;
  trigger: Trigger;
  /** Business time. */
  now: Date;
}

export interface Judgement {
  /** Of a new screening: what nobody has looked at, then what is exempt. */
  hits: Hit[];
  /** Exemptions of somebody, or of an entry, who is no more as they were. */
  outdated: Exemption[];
}

/** A record of more would outgrow what services say at once; what is beyond stops the next time. */
const maxHits = 200;
const maxExempt = 20;

/**
 * What of the matches is new: an entry that another screening of the subject holds open or
 * confirmed stands there, and one that a person has told apart stays so for the same person and the
 * same entry: as long as they said, or until everybody is looked at anew after some days. One who
 * was released with CONTINUE may be paid; to give money back (REFUND) says nothing of the next
 * payment. The best are first. Pure.
 */
export function judge({
  matches,
  earlier,
  exemptions,
  exempted,
  identityFingerprint,
  trigger,
  now,
}: Judged): Judgement {
  const known = earlier.flatMap((screening) => screening.hits.map((hit) => ({ hit, screening })));
  const opened: Omit<Hit, "hitId">[] = [];
  const exempt: Omit<Hit, "hitId">[] = [];
  const outdated = new Map<string, Exemption>();
  for (const match of matches) {
    const { entryFingerprint } = match;
    const applicable = exemptionsOfMatch(exemptions, match, { now, identity: identityFingerprint, entryFingerprint });
    for (const one of applicable.outdated) outdated.set(one.exemptionId, one);
    const ofEntry = known.filter(({ hit }) => isOfSameEntry(hit, match));
    if (ofEntry.some(({ hit }) => stillHolds(hit))) continue;
    if (applicable.holding !== undefined) {
      const { exemptionId, until } = applicable.holding;
      exempt.push({ ...match, state: "EXEMPT", exemption: { exemptionId, until } });
      continue;
    }
    const wasCleared = ofEntry.some(
      ({ hit, screening }) =>
        (hit.state === "FALSE_POSITIVE" || (hit.state === "RELEASED" && hit.release?.way === "CONTINUE")) &&
        !exempted.has(hitNameOf(screening, hit)) &&
        hit.entryFingerprint === entryFingerprint &&
        screening.identityFingerprint === identityFingerprint &&
        trigger !== "RESCREENED",
    );
    if (wasCleared) continue;
    opened.push({ ...match, state: "OPEN" });
  }
  const hits = [...opened.slice(0, maxHits), ...exempt.slice(0, maxExempt)];
  return {
    hits: hits.map((hit, index) => ({ ...hit, hitId: String(index + 1) })),
    outdated: [...outdated.values()],
  };
}

/** What hits of a subject come to. */
export function holdStatusOf(hits: readonly Pick<Hit, "state">[]): SubjectHold["status"] | undefined {
  if (hits.some(({ state }) => state === "CONFIRMED")) return "CONFIRMED";
  return hits.some(isOpen) ? "OPEN" : undefined;
}

function stillHolds(hit: Pick<Hit, "state">): boolean {
  return isOpen(hit) || hit.state === "CONFIRMED";
}

function isOfSameEntry(a: Pick<Match, "source" | "entry">, b: Pick<Match, "source" | "entry">): boolean {
  return a.source === b.source && a.entry.entryId === b.entry.entryId;
}
