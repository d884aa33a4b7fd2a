import type { ListEntry, ListSource } from "../../lists/domain/list-entry.js";

/** An entry that a party resembles, and why. */
export interface Match {
  source: ListSource;
  entry: ListEntry;
  /** The name of the entry that fits best, as the list writes it. */
  matchedName: string;
  /** Per mille. */
  score: number;
  parts: readonly MatchPart[];
}

export interface MatchPart {
  part:
    "GIVEN" | "FAMILY" | "PATRONYMIC" | "NAME" | "COMPANY_FORM" | "DATE_OF_BIRTH" | "GENDER" | "COUNTRY" | "DOCUMENT";
  ours: string;
  theirs: string;
  /** Per mille, of this part by itself. */
  score: number;
  /**
   * What it adds to the whole score, per mille; negative where it lowers.
   * The effects add up to the score.
   */
  effect: number;
  /** Why it takes nothing that it would take else; or that letters look alike. */
  note?: string;
}
