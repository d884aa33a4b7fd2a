import type { DecisionKind, ReasonCode } from "./decision.js";
import { isOpen, type Hit, type Screening } from "./screening/screening.js";
import type { TransactionFacts } from "./transaction.js";

/** A name, or why there is none: ERASED with the person, or nobody has told it yet. */
export type Named = { state: "KNOWN"; name: string } | { state: "ERASED" | "UNKNOWN"; name: "" };

/** A transaction as an officer judges it. */
export interface CaseTransaction {
  transactionId: string;
  facts: TransactionFacts;
  /** When compliance was asked first. */
  askedAt: Date;
  decision: DecisionKind;
  reasonCode: ReasonCode;
  decidedBy: string;
  decidedAt: Date;
  /** Of a remittance, as remittance has it; absent where it did not answer. */
  standing?: Standing;
}

/** Where a remittance stands. */
export interface Standing {
  transactionCode: string;
  /** As managers see it. */
  status: string;
  since?: Date;
  recipientName: string;
}

/** What an officer needs beside the case itself: whom it is about, what was found, what money it is about. */
export interface CaseContent {
  subject: Named;
  /** Newest first. */
  screenings: Screening[];
  hitCount: number;
  /** Newest first. */
  transactions: CaseTransaction[];
  transactionCount: number;
}

/** A hit with the screening that found it. */
export interface FoundHit {
  screening: Screening;
  hit: Hit;
}

/** Hits in the order in which they want to be looked at: undecided ones, confirmed ones, the others; the best match first. */
export function hitsInOrder(screenings: readonly Screening[]): FoundHit[] {
  return screenings
    .flatMap((screening) => screening.hits.map((hit) => ({ screening, hit })))
    .toSorted((a, b) => weightOf(a.hit) - weightOf(b.hit) || b.hit.score - a.hit.score);
}

function weightOf(hit: Hit): number {
  if (isOpen(hit)) return 0;
  return hit.state === "CONFIRMED" ? 1 : 2;
}

/** The version of the list that the entry of a hit was read from; undefined where the screening does not say. */
export function listOf({ lists }: Screening, { source }: Pick<Hit, "source">) {
  return lists.find((one) => one.source === source);
}
