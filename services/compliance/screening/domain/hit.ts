import type { ComparedPart } from "../../../kernel/names/name-score.js";
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

/** A part of a score: of the name, or of what else is known. */
export interface MatchPart extends Omit<ComparedPart, "part"> {
  part: ComparedPart["part"] | "DATE_OF_BIRTH" | "GENDER" | "COUNTRY" | "DOCUMENT";
}
