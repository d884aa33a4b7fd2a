import { strengthOf, unwrittenCost } from "./abjad.js";
import { isSameChinese } from "./chinese-syllables.js";
import { editCost, fullEdit } from "./edit-cost.js";
import { givenNameGroups } from "./given-names.js";
import type { NameKind, NameToken } from "./name.js";

/** What differs besides spelling, in quarters of an edit. */
export const differences = {
  soundsAlike: 1,
  looksAlike: 1,
  vowelsUnwritten: 2,
  shortForm: 3,
  servantOf: 3,
  initial: 5,
  furtherInitial: 2,
} as const;

/** The most that two words may differ in and still be taken for one name. */
export const mostCost = 10;

/**
 * How far two words of a name are apart, in quarters of an edit; more than `mostCost` where they
 * are different names, or where they are further apart than the `most` that is asked for.
 */
export function wordCost(ours: NameToken, theirs: NameToken, kind: NameKind, most: number = mostCost): number {
  if (ours.latin === theirs.latin && ours.isAbjad === theirs.isAbjad) return 0;
  if (ours.role === "SMALL" || theirs.role === "SMALL") return mostCost + 1;
  if (isUnwritten(ours, theirs)) return scriptsCost(ours, theirs, kind);
  if (ours.role === "INITIAL" || theirs.role === "INITIAL") return initialCost(ours, theirs, kind);
  const limit = Math.min(most, costLimit(ours.latin.length, theirs.latin.length));
  if (areOtherSyllables(ours.latin, theirs.latin)) return mostCost + 1;
  let cost = editCost(ours.latin, theirs.latin, limit);
  const isFolded = ours.folded !== ours.latin || theirs.folded !== theirs.latin;
  if (isFolded && cost > differences.soundsAlike) cost = Math.min(cost, soundCost(ours, theirs, cost - 1));
  if (ours.drawing === theirs.drawing) cost = Math.min(cost, differences.looksAlike);
  if (kind === "PERSON") cost = Math.min(cost, personCost(ours, theirs));
  if (cost > differences.shortForm && kind === "PERSON" && isSameChinese(ours.latin, theirs.latin))
    return differences.shortForm;
  // Lee and Ri are one name, short as they are.
  if (cost > limit && kind === "PERSON" && isGrouped(ours.latin, theirs.latin)) return differences.shortForm;
  return cost > limit ? mostCost + 1 : cost;
}

/** Whether one of two words is of a script that writes no vowels, and the other is not. */
export function isUnwritten(ours: NameToken, theirs: NameToken): boolean {
  return (ours.letters === undefined) !== (theirs.letters === undefined);
}

// What the vowels take that are not written is taken once of a name, not of each word.
function scriptsCost(ours: NameToken, theirs: NameToken, kind: NameKind): number {
  const [abjad, latin] = ours.letters === undefined ? [theirs, ours] : [ours, theirs];
  if (ours.role === "INITIAL" || theirs.role === "INITIAL") return mostCost + 1;
  // "عمر" is no "Mr".
  if (latin.role === "TITLE" && !/[aeiou]/.test(latin.latin)) return mostCost + 1;
  const letters = abjad.letters!;
  const strength = strengthOf(letters);
  const limit = strength >= 4 ? fullEdit : strength === 3 ? 3 : 2;
  let cost = unwrittenCost(letters, latin.latin, limit);
  if (cost > 0 && abjad.hasArticle && /^[ae]l.{3}/.test(latin.latin))
    cost = Math.min(cost, unwrittenCost(letters, latin.latin.slice(2), limit));
  if (kind === "PERSON" && cost > differences.shortForm) {
    const groups = givenNameGroups(letters);
    if (groups.length > 0 && givenNameGroups(latin.latin).some((group) => groups.includes(group)))
      cost = differences.shortForm;
  }
  return cost > limit ? mostCost + 1 : cost;
}

// Yong and Jong are two syllables of Korean and Chinese names, however alike they are spelt.
export function areOtherSyllables(ours: string, theirs: string): boolean {
  return (
    ours[0] !== theirs[0] &&
    [ours, theirs].every((word) => /^[jy][aeou]{1,2}ng?$/.test(word)) &&
    !isGrouped(ours, theirs)
  );
}

function isGrouped(ours: string, theirs: string): boolean {
  const groups = givenNameGroups(ours);
  return groups.length > 0 && givenNameGroups(theirs).some((group) => groups.includes(group));
}

function soundCost(ours: NameToken, theirs: NameToken, limit: number): number {
  return editCost(ours.folded, theirs.folded, limit - differences.soundsAlike) + differences.soundsAlike;
}

// Half of the longer word may differ, and never more than two and a half edits; of a short one, as
// syllables of Chinese and Korean names are, an edit or half of one.
function costLimit(ours: number, theirs: number): number {
  if (Math.max(ours, theirs) <= 4) return Math.max(ours, theirs) === 4 ? fullEdit : fullEdit / 2;
  return Math.min(mostCost, (Math.max(ours, theirs) * fullEdit) >> 1);
}

// What the first one takes more is taken once of a name.
function initialCost(ours: NameToken, theirs: NameToken, kind: NameKind): number {
  const isInitial = kind === "PERSON" && ours.latin[0] === theirs.latin[0] && ours.role !== theirs.role;
  return isInitial ? differences.furtherInitial : mostCost + 1;
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
