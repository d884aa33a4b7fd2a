import { editCost, fullEdit } from "./edit-cost.js";
import { givenNameGroups } from "./given-names.js";
import type { NameKind, NameToken } from "./name.js";

/** What differs besides spelling, in quarters of an edit. */
export const differences = {
  soundsAlike: 1,
  looksAlike: 1,
  vowelsUnwritten: 2,
  fewConsonants: 5,
  shortForm: 3,
  servantOf: 3,
  initial: 5,
} as const;

/** The most that two words may differ in and still be taken for one name. */
export const mostCost = 10;

/**
 * How far two words of a name are apart, in quarters of an edit; more than `mostCost` where they are different names, or where they
 * are further apart than the `most` that is asked for.
 */
export function wordCost(ours: NameToken, theirs: NameToken, kind: NameKind, most: number = mostCost): number {
  if (ours.latin === theirs.latin) return 0;
  if (ours.role === "SMALL" || theirs.role === "SMALL") return mostCost + 1;
  if (ours.role === "INITIAL" || theirs.role === "INITIAL") return initialCost(ours, theirs, kind);
  const limit = Math.min(most, costLimit(ours.latin.length, theirs.latin.length));
  let cost = editCost(ours.latin, theirs.latin, limit);
  const isFolded = ours.folded !== ours.latin || theirs.folded !== theirs.latin;
  if (isFolded && cost > differences.soundsAlike) cost = Math.min(cost, soundCost(ours, theirs, cost - 1));
  if (ours.drawing === theirs.drawing) cost = Math.min(cost, differences.looksAlike);
  if (ours.isAbjad !== theirs.isAbjad) cost = Math.min(cost, consonantCost(ours, theirs));
  if (kind === "PERSON") cost = Math.min(cost, personCost(ours, theirs));
  return cost > limit ? mostCost + 1 : cost;
}

function soundCost(ours: NameToken, theirs: NameToken, limit: number): number {
  return editCost(ours.folded, theirs.folded, limit - differences.soundsAlike) + differences.soundsAlike;
}

// Half of the longer word may differ, and never more than two and a half edits; of a short one, as syllables of Chinese and Korean
// names are, an edit or half of one.
function costLimit(ours: number, theirs: number): number {
  if (Math.max(ours, theirs) <= 4) return Math.max(ours, theirs) === 4 ? fullEdit : fullEdit / 2;
  return Math.min(mostCost, (Math.max(ours, theirs) * fullEdit) >> 1);
}

function initialCost(ours: NameToken, theirs: NameToken, kind: NameKind): number {
  const isInitial = kind === "PERSON" && ours.latin[0] === theirs.latin[0] && ours.role !== theirs.role;
  return isInitial ? differences.initial : mostCost + 1;
}

function consonantCost(ours: NameToken, theirs: NameToken): number {
  const shorter = Math.min(ours.consonants.length, theirs.consonants.length);
  if (shorter < 2) return mostCost + 1;
  if (shorter === 2) return ours.consonants === theirs.consonants ? differences.fewConsonants : mostCost + 1;
  const limit = shorter >= 4 ? 2 : 0;
  const cost = editCost(ours.consonants, theirs.consonants, limit);
  return cost > limit ? mostCost + 1 : cost + differences.vowelsUnwritten;
}

function personCost(ours: NameToken, theirs: NameToken): number {
  const groups = givenNameGroups(ours.latin);
  if (groups.length > 0 && givenNameGroups(theirs.latin).some((group) => groups.includes(group)))
    return differences.shortForm;
  return isServantOf(ours, theirs) || isServantOf(theirs, ours) ? differences.servantOf : mostCost + 1;
}

// "Abdulaziz" is called "Aziz".
function isServantOf(longer: NameToken, shorter: NameToken): boolean {
  return (
    longer.latin.length - shorter.latin.length === 3 &&
    longer.latin.startsWith("abd") &&
    longer.latin.endsWith(shorter.latin)
  );
}
