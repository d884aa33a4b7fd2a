import type { ListedDate, ListEntry } from "./list-entry.js";
import { documentKey } from "./matcher/attributes.js";
import { joinDotted, plainText, wordsOf } from "../../../kernel/names/clean.js";

/** What an entry that stays has lost of what people are found by. */
export interface EntryLosses {
  /** A name that no name of its own replaces, or one that is only a weak alias now. */
  losesName: boolean;
  /**
   * Every date of birth or every document that it had; one of another
   * year, or number, replaces none.
   */
  losesDetails: boolean;
}

/**
 * Compares an entry with itself in the version before. Names are compared as the matcher
 * reads them, in any order of words.
 */
export function lossesOf(before: ListEntry, after: ListEntry): EntryLosses {
  return {
    losesName: losesName(before, after),
    losesDetails: losesDates(before, after) || losesDocuments(before, after),
  };
}

function losesName(before: ListEntry, after: ListEntry): boolean {
  const all = new Set(after.names.map(({ text }) => readAs(text)));
  const strong = new Set(after.names.filter(({ quality }) => quality !== "WEAK").map(({ text }) => readAs(text)));
  return before.names.some(({ text, quality }) => !(quality === "WEAK" ? all : strong).has(readAs(text)));
}

function readAs(text: string): string {
  const words = wordsOf(joinDotted(plainText(text))).map(({ latin }) => latin);
  return words.length === 0 ? plainText(text).toLowerCase().trim() : words.sort().join(" ");
}

function losesDates({ datesOfBirth: before }: ListEntry, { datesOfBirth: after }: ListEntry): boolean {
  return before.length > 0 && !before.some((old) => after.some((date) => areOfOneYear(old, date)));
}

function areOfOneYear(one: ListedDate, other: ListedDate): boolean {
  return one.year <= (other.untilYear ?? other.year) && other.year <= (one.untilYear ?? one.year);
}

function losesDocuments(before: ListEntry, after: ListEntry): boolean {
  const [old, now] = [before, after].map(({ documents }) => new Set(documents.map(documentKey)));
  old!.delete(undefined);
  return old!.size > 0 && old!.isDisjointFrom(now!);
}
