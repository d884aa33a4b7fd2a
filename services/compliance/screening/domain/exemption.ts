import type { Match } from "./hit.js";
import type { ListSource } from "../../lists/domain/list-entry.js";
import type { SubjectRef } from "../../common/domain/subject.js";

/** An entry that is no hit for a subject until a day, as long as neither of them changes. */
export interface Exemption {
  exemptionId: string;
  subject: SubjectRef;
  name: string;
  source: ListSource;
  entryId: string;
  /** Of the subject's name and date of birth, and of the entry, as they were then. */
  identityFingerprint: string;
  entryFingerprint: string;
  reason: string;
  until: Date;
  madeBy: string;
  madeAt: Date;
  /** Of the hit that it comes from. */
  screeningId: string;
  hitId: string;
  ended?: { at: Date; by: string; reason: string };
  /** When the subject or the entry was found to have changed. */
  voidAt?: Date;
}

export const exemptionStates = ["VALID", "OVER", "VOID", "ENDED"] as const;
export type ExemptionState = (typeof exemptionStates)[number];

/** `identity` is the subject's name and date of birth as they are now, where they are known. */
export function stateOf(exemption: Exemption, now: Date, identity?: string): ExemptionState {
  if (exemption.ended !== undefined) return "ENDED";
  const isOther = identity !== undefined && identity !== exemption.identityFingerprint;
  if (exemption.voidAt !== undefined || isOther) return "VOID";
  return exemption.until <= now ? "OVER" : "VALID";
}

/** Whether an exemption speaks of the entry of a match at all. */
export function isOfEntry({ source, entryId }: Exemption, match: Pick<Match, "source" | "entry">): boolean {
  return source === match.source && entryId === match.entry.entryId;
}

/** Of a subject's exemptions, what they say of one match. */
export interface ExemptionsOfMatch {
  /** The one by which it is no hit. */
  holding?: Exemption;
  /**
   * Those of the entry that speak of somebody, or of an entry, who is no more as
   * they were: to be noted as void.
   */
  outdated: Exemption[];
}

/** `now` is business time; the fingerprints are of the subject and the entry as they are now. */
export function exemptionsOfMatch(
  exemptions: readonly Exemption[],
  match: Pick<Match, "source" | "entry">,
  { now, identity, entryFingerprint }: { now: Date; identity: string; entryFingerprint: string },
): ExemptionsOfMatch {
  const live = exemptions.filter((one) => one.ended === undefined && one.voidAt === undefined && one.until > now);
  const ofEntry = live.filter((one) => isOfEntry(one, match));
  const isSame = (one: Exemption) => one.identityFingerprint === identity && one.entryFingerprint === entryFingerprint;
  const holding = ofEntry.find(isSame);
  return { ...(holding !== undefined && { holding }), outdated: ofEntry.filter((one) => !isSame(one)) };
}
