import type { Match } from "./hit.js";
import type { SubjectRef, UsedList } from "../../common/domain/subject.js";

export const triggers = ["REGISTERED", "CHANGED", "TRANSACTION", "LIST_UPDATED", "MANUAL", "RESCREENED"] as const;
export type Trigger = (typeof triggers)[number];

export const screeningStatuses = ["NO_HIT", "IN_REVIEW", "CONFIRMED_HIT", "ERROR"] as const;
export type ScreeningStatus = (typeof screeningStatuses)[number];

export type HitState = "OPEN" | "FALSE_POSITIVE" | "CONFIRMATION_ASKED" | "CONFIRMED" | "EXEMPT" | "RELEASED";

/** An entry that a subject resembles, and what people said of it. */
export interface Hit extends Match {
  /** "1", "2"… of the screening. */
  hitId: string;
  /** Of the entry, as it was then. */
  entryFingerprint: string;
  state: HitState;
  /** Who told it apart, or said that it is the same. */
  decidedBy?: string;
  reason?: string;
  decidedAt?: Date;
  /** Of several that were confirmed with one word: the first of them, whose block holds all. */
  blockOf?: string;
  /** Of a confirmation: the second person's word. */
  agreed?: Word;
  /** Of identity: the last one that was asked about this hit. */
  approvalId?: string;
  /** Once it is asked for. */
  release?: HitRelease;
  /**
   * The version of its list that was the first found without the
   * entry; absent while the list has it.
   */
  offListSince?: number;
  /**
   * The exemption that was made with it, or that it is EXEMPT by, and until when it was to hold.
   */
  exemption?: { exemptionId: string; until: Date };
}

/** What a person said, why, and when (business time). */
export interface Word {
  by: string;
  reason: string;
  at: Date;
}

/** How what a confirmed hit stopped is let go. */
export interface HitRelease {
  /** What becomes of the transactions. */
  way: "CONTINUE" | "REFUND";
  asked: Word;
  /** The second person's word. */
  agreed?: Word;
  approvalId: string;
}

/**
 * Somebody compared with lists at a time, where it found something or was asked for by a person.
 */
export interface Screening {
  screeningId: string;
  subject: SubjectRef;
  /** As it was screened. */
  name: string;
  trigger: Trigger;
  lists: UsedList[];
  policyVersion: number;
  /** Of lists and policy: basisOf. */
  basis: string;
  /** Of who was screened: all of it, and name with date of birth. */
  fingerprint: string;
  identityFingerprint: string;
  status: ScreeningStatus;
  hits: Hit[];
  /** What waits for it. */
  transactionIds: string[];
  /** Of a search: it resembles more entries than were asked for. */
  isCut?: true;
  screenedAt: Date;
  /** Why it is ERROR. */
  reason?: string;
  /** Raised by every change. */
  version: number;
}

/** What a screening comes to by its hits. */
export function statusOf(hits: readonly Pick<Hit, "state">[]): ScreeningStatus {
  if (hits.some(({ state }) => state === "CONFIRMED")) return "CONFIRMED_HIT";
  return hits.some(isOpen) ? "IN_REVIEW" : "NO_HIT";
}

/** Whether nobody has said yet what it is. */
export function isOpen({ state }: Pick<Hit, "state">): boolean {
  return state === "OPEN" || state === "CONFIRMATION_ASKED";
}

/**
 * Whether it still stops somebody although its list has not the entry any
 * more: a person says what follows.
 */
export function isOffList({ state, offListSince }: Pick<Hit, "state" | "offListSince">): boolean {
  return offListSince !== undefined && (state === "CONFIRMED" || isOpen({ state }));
}

/** Names a hit among those of all screenings. */
export function hitNameOf({ screeningId }: Pick<Screening, "screeningId">, { hitId }: Pick<Hit, "hitId">): string {
  return `${screeningId}.${hitId}`;
}

/**
 * Names the block that a confirmed hit makes, for remittance and wallet: one for all
 * that were confirmed with one word.
 */
export function blockIdOf(
  { screeningId }: Pick<Screening, "screeningId">,
  { hitId, blockOf = hitId }: Pick<Hit, "hitId" | "blockOf">,
): string {
  return hitNameOf({ screeningId }, { hitId: blockOf });
}

/**
 * Names lists in their versions, and the policy: whoever was screened by
 * the same is not screened again.
 */
export function basisOf(policyVersion: number, lists: readonly UsedList[]): string {
  return [`policy ${policyVersion}`, ...lists.map(({ source, listId }) => `${source} ${listId}`).toSorted()].join(", ");
}
