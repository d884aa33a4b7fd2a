import type { Faults } from "../text/faults.js";
import { parseName } from "../text/one-line.js";
import { invalidInput } from "../refusal.js";

// Modifier letters stand for apostrophes and lengths of sounds: alone they are no name.
const letter = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u;
const digit = /\p{N}/u;
/** What somebody with one name writes where forms ask for two. */
const noSuchPart = /^[-.–—]$/u;

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
  const name = parseName(text, path);
  if (!hasLetter(name)) throw invalidInput(path, letterNeeded);
  return name;
}

/**
 * The same of a first or a last name: digits, or one dash or dot, may be a part of a
 * name that has a letter elsewhere.
 */
export function parseNamePart(text: string, path: string): string {
  const part = parseName(text, path);
  assertNamePart(part, path);
  return part;
}

export function assertNamePart(part: string, path: string): void {
  if (!hasLetter(part) && !digit.test(part) && !noSuchPart.test(part)) throw invalidInput(path, letterNeeded);
}

/**
 * Adds a fault at the path where no part of a name has a letter. A part that is
 * undefined has its fault already.
 */
export function checkParts(parts: readonly (string | undefined)[], path: string, faults: Pick<Faults, "add">): void {
  if (!parts.some((part) => part === undefined || hasLetter(part))) faults.add(path, letterNeeded);
}
