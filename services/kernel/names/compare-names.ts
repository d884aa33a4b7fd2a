import { readName, type NameKind } from "./name.js";
import { scoreNames, type NameScore } from "./name-score.js";

/** What has the name; UNKNOWN where nobody says whether it is a person or a company. */
export type NamedKind = "PERSON" | "COMPANY" | "UNKNOWN" | "VESSEL" | "OTHER";

const noLikeness: NameScore = { score: 0, parts: [] };

/**
 * Compares two names as they are written. Per mille; 1000 for the same name; the effects of
 * the parts add up to the score.
 */
export function compareNames(ours: string, theirs: string, kind: NamedKind): NameScore {
  let best = noLikeness;
  for (const reading of readingsOf(kind)) {
    for (const our of readName(ours, reading)) {
      for (const their of readName(theirs, reading)) {
        const found = scoreNames(our, their);
        if (found !== undefined && found.score > best.score) best = found;
      }
    }
  }
  return best;
}

/** A name is read as a person's, as a company's, or both ways where nobody knows. */
export function readingsOf(kind: NamedKind): readonly NameKind[] {
  if (kind === "PERSON") return ["PERSON"];
  return kind === "UNKNOWN" ? ["PERSON", "COMPANY"] : ["COMPANY"];
}
