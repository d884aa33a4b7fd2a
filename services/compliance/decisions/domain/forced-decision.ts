/** What a sandbox was told to decide, in place of what its rules say. */
export type ForcedDecision = "REVIEW" | "REJECT" | "SCREENING_UNAVAILABLE";
