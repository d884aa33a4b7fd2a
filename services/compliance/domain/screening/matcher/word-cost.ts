import { editCost, fullEdit } from "./edit-cost.js";
import { givenNameGroups } from "./given-names.js";
import type { NameKind, NameToken } from "./name.js";

/** What differs besides spelling, in quarters of an edit. */
export const differences = { soundsAlike: 1, vowelsUnwritten: 2, shortForm: 3, servantOf: 3, initial: 5 } as const;

/** The most that two words may differ in and still be taken for one name. */
export const mostCost = 10;

/** How far two words of a name are apart, in quarters of an edit; more than `mostCost` where they are different names. */
export function wordCost(ours: NameToken, theirs: NameToken, kind: NameKind): number {
  if (ours.latin === theirs.latin) return 0;
  if (ours.role === "SMALL" || theirs.role === "SMALL") return mostCost + 1;
  if (ours.role === "INITIAL" || theirs.role === "INITIAL") return initialCost(ours, theirs, kind);
  const limit = costLimit(ours.latin.length, theirs.latin.length);
  let cost = editCost(ours.latin, theirs.latin, limit);
  const sound = ours.folded === theirs.folded ? 0 : editCost(ours.folded, theirs.folded, limit);
  cost = Math.min(cost, sound + differences.soundsAlike);
  if (ours.isAbjad !== theirs.isAbjad) cost = Math.min(cost, consonantCost(ours, theirs));
  if (kind === "PERSON") cost = Math.min(cost, personCost(ours, theirs));
  return cost > limit ? mostCost + 1 : cost;
}

// Half of the longer word may differ, and never more than two and a half edits.
function costLimit(ours: number, theirs: number): number {
  return Math.min(mostCost, (Math.max(ours, theirs) * fullEdit) >> 1);
}

function initialCost(ours: NameToken, theirs: NameToken, kind: NameKind): number {
  const isInitial = kind === "PERSON" && ours.latin[0] === theirs.latin[0] && ours.role !== theirs.role;
  return isInitial ? differences.initial : mostCost + 1;
}

function consonantCost(ours: NameToken, theirs: NameToken): number {
  if (Math.min(ours.consonants.length, theirs.consonants.length) < 2) return mostCost + 1;
  const limit = Math.max(ours.consonants.length, theirs.consonants.length) >= 4 ? 4 : 0;
  return editCost(ours.consonants, theirs.consonants, limit) + differences.vowelsUnwritten;
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
