import type { PastFigures } from "./figures.js";

/**
 * Counters beside a customer's record, which say whether a history that was worked out before still
 * holds.
 */
export interface HistoryVersion {
  /** Raised when a day other than the last one changes. */
  pastChanges: number;
  /** The last day on which anything was decided. */
  lastDay: string;
}

/** What decisions need of a customer's days before today: small, however long the past was. */
export interface CustomerHistory {
  policyVersion: number;
  /** Of the days before this one. */
  day: string;
  figures: PastFigures;
  /** Some of those the customer has sent to. */
  recipients: ReadonlySet<string>;
  version: HistoryVersion;
}

/** Whether a history says what the days before `day` come to now, for a customer who is locked. */
export function isHistoryCurrent(
  history: CustomerHistory,
  now: { version: HistoryVersion; policyVersion: number; day: string },
): boolean {
  return (
    history.policyVersion === now.policyVersion &&
    history.day === now.day &&
    history.version.pastChanges === now.version.pastChanges &&
    // Until something is decided on a day, a late decision on the one before goes unnoticed.
    history.version.lastDay === history.day
  );
}
