/** What a sandbox was told to decide, in place of what its rules say. */
export type ForcedDecision = "REVIEW" | "REJECT" | "SCREENING_UNAVAILABLE";

/**
 * A forced decision as it is kept. It stays when it is used up: told again under its id it is not
 * new.
 */
export interface KeptForced {
  outcomeId: string;
  decision: ForcedDecision;
  /** Id of a transaction or a customer; empty for the next one. */
  subject: string;
  reason: string;
  /** As it was told; 0 where it stands until it is taken back. */
  times: number;
  /** How often it still holds; -1 for as long as it stands, 0 once it is over. */
  left: number;
  createdAt: Date;
}
