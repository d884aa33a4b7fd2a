import { foldedName, foldedSpellings } from "../../kernel/people/person-names.js";
import { readPhoneNumber } from "../../kernel/people/phone-number.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { CustomerDetails, CustomerStatus, UserRecord } from "./people.js";

/** What a search for customers goes by. */
export interface CustomerSearch {
  /** Each begins one of the customer's words. */
  prefixes: string[];
  /** Or the customer has one of these numbers. */
  phoneNumbers: string[];
}

const asciiLetter = /^[a-z\d]$/;

/**
 * Words that a customer is found by, sorted: of their names, of what stands before the "@", and of
 * their code, each name and code also whole. Without case, accents and apostrophes, and names also
 * as passports spell them. And each pair of what two of them begin with, by which a search for two
 * words that many have goes, and of a status that few have and what each of them begins with.
 */
export function searchWordsOf({
  emailKey,
  customer: { firstName, lastName, code, standing },
}: Pick<UserRecord, "emailKey"> & {
  customer: Pick<CustomerDetails, "firstName" | "lastName" | "code" | "standing">;
}): string[] {
  const local = emailKey.slice(0, emailKey.lastIndexOf("@"));
  const names = [firstName, lastName].flatMap(foldedSpellings);
  const words = [...names, ...[local, code].map(foldedName)].flatMap((text) => {
    const whole = text.split(/\s+/u);
    return [...whole, ...whole.flatMap((word) => word.split(/[^\p{L}\p{M}\p{N}]+/u))];
  });
  // A single letter of the alphabet would find half of the tenant.
  const telling = words.filter((word) => word !== "" && !asciiLetter.test(word));
  const distinct = [...new Set([...telling, foldedName(emailKey)])].filter((word) => word !== "");
  const beginnings = distinctBeginnings(distinct);
  const status = standing?.status ?? "PENDING";
  const ofStatus = isOfFew(status) ? beginnings.map((beginning) => statusWord(status, beginning)) : [];
  return [...distinct, ...pairsOf(beginnings.slice(0, mostPaired)), ...ofStatus].toSorted();
}

/**
 * Two beginnings of words, in order. No word begins with a space, so the
 * search for a word finds no pair.
 */
const pairWord = (one: string, other: string): string => ` ${[one, other].toSorted().join(" ")}`;

// Nobody has so many; a name made of fifty words must not have a thousand pairs.
const mostPaired = 16;

function pairsOf(beginnings: readonly string[]): string[] {
  return beginnings.flatMap((one, index) => beginnings.slice(index + 1).map((other) => pairWord(one, other)));
}

/**
 * The word that everybody has whose words begin with the first two of these that
 * differ; undefined where they do not.
 */
export function pairOf(prefixes: readonly string[]): string | undefined {
  const [one, other] = distinctBeginnings(prefixes);
  return one === undefined || other === undefined ? undefined : pairWord(one, other);
}

/** Most customers are CONFIRMED: whoever is looked for among them is soon found. */
const isOfFew = (status: CustomerStatus): boolean => status !== "CONFIRMED";

// In capitals, as no other word is.
const statusWord = (status: CustomerStatus, beginning: string): string => ` ${status} ${beginning}`;

/**
 * The word that everybody of a status has whose words begin with the first of these that is long
 * enough; undefined for a status of most customers.
 */
export function statusWordOf(status: CustomerStatus, prefixes: readonly string[]): string | undefined {
  const [beginning] = distinctBeginnings(prefixes);
  return beginning === undefined || !isOfFew(status) ? undefined : statusWord(status, beginning);
}

/** The first two characters of each that has so many, once each. */
function distinctBeginnings(words: readonly string[]): string[] {
  const beginnings = words.map((word) => [...word].slice(0, 2)).filter(({ length }) => length === 2);
  return [...new Set(beginnings.map((two) => two.join("")))];
}

/** Refuses INVALID_INPUT for what is too short to be looked up. */
export function parseSearch(text: string): CustomerSearch {
  const words = foldedName(text)
    .split(/[\s,;]+/u)
    .filter((word) => word !== "");
  if (words.length > 10) throw invalidInput("search", "must have at most 10 words");
  const prefixes = words.filter((word) => !asciiLetter.test(word));
  if (prefixes.length === 0) throw invalidInput("search", "must have a word of two letters or more");
  return { prefixes, phoneNumbers: phoneNumbersOf(text) };
}

/** Words that begin so, as MongoDB orders them; an `$elemMatch` keeps both ends on one word. */
export function wordRange(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix}\u{10ffff}` };
}

/** The first of somebody's words that begins so, in the order of the database: by bytes. */
export function firstWordFound(words: readonly string[], prefix: string): string | undefined {
  const found = words.filter((word) => word.startsWith(prefix));
  return found.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))[0];
}

/** The international numbers that somebody may mean, with or without "+" or "00". */
function phoneNumbersOf(text: string): string[] {
  const number = readPhoneNumber(/^\s*[1-9]/.test(text) ? `+${text.trim()}` : text);
  return number === undefined ? [] : [number];
}
