import type { Faults } from "../text/faults.js";
import { parseName } from "../text/one-line.js";
import { invalidInput } from "../refusal.js";

// Modifier letters stand for apostrophes and lengths of sounds: alone they are no name.
const letter = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u;
const digit = /\p{N}/u;
/** What somebody with one name writes where forms ask for two. */
const noSuchPart = /^[-.–—]$/u;

/** Most characters of a whole name, by ISO 20022: networks and banks carry no more. */
export const longestName = 70;

/** What is said of a name without one. */
export const letterNeeded = "must have a letter, of any script";

/**
 * Whether a name of a person or company has a letter: signs, digits and marks alone can be compared
 * with no list. "7-Eleven" and "3M" have one. Pure.
 */
export function hasLetter(name: string): boolean {
  return letter.test(name.normalize("NFKC"));
}

/**
 * A person's name as parseName takes it. Refuses INVALID_INPUT at the path where it has no letter.
 */
export function parsePersonsName(text: string, path: string): string {
  const name = parseName(text, path, longestName);
  if (!hasLetter(name)) throw invalidInput(path, letterNeeded);
  return name;
}

/**
 * The same of a first or a last name: digits, or one dash or dot, may be a part of a
 * name that has a letter elsewhere.
 */
export function parseNamePart(text: string, path: string): string {
  const part = parseName(text, path, longestName);
  assertNamePart(part, path);
  return part;
}

export function assertNamePart(part: string, path: string): void {
  if (!hasLetter(part) && !digit.test(part) && !noSuchPart.test(part)) throw invalidInput(path, letterNeeded);
}

/**
 * Adds a fault at the path where no part of a name has a letter, or all parts together are too
 * long. A part that is undefined has its fault already.
 */
export function checkParts(parts: readonly (string | undefined)[], path: string, faults: Pick<Faults, "add">): void {
  if (parts.includes(undefined)) return;
  const name = parts.join(" ");
  if (!hasLetter(name)) faults.add(path, letterNeeded);
  if ([...name].length > longestName) faults.add(path, `must be at most ${longestName} characters with the other name`);
}
