import { consonantsOf, foldSpelling } from "../../kernel/names/fold.js";
import { readName } from "../../kernel/names/name.js";
import type { CustomerDetails } from "./people.js";

/** A keyed hash that nobody makes without the key, of values that are sealed. */
export type KeyedHash = (kind: "birth" | "document", text: string) => string;

/** Nobody has so many; a name made of fifty words must not have a thousand pairs. */
const mostWords = 6;
/** Of more words none are read as one: a name of many is found by pairs enough. */
const mostJoined = 4;
const fewConsonants = 3;

/**
 * Keys that a customer is found by who is looked for with names that may be misspelt, a day of
 * birth or a document: equal ones are one key, so each is looked up and none is gone along.
 */
export function findKeysOf(
  { firstName, lastName, details = {} }: Pick<CustomerDetails, "firstName" | "lastName" | "details">,
  hash: KeyedHash,
): string[] {
  const { dateOfBirth, identityDocuments = [] } = details;
  const names = Object.values(nameKeysOf(`${firstName} ${lastName}`)).flat();
  const keys: string[] = [
    ...names,
    ...(dateOfBirth === undefined ? [] : [birthKey(dateOfBirth, hash)]),
    ...identityDocuments.map(({ number }) => documentKey(number, hash)),
  ];
  return [...new Set(keys)].toSorted();
}

/** Of a name, the surest first: whoever has one of these may be meant. */
export interface NameKeys {
  /** Two words as they are spelt in Latin letters. */
  same: string[];
  /** Two words by their sound. */
  sound: string[];
  /** Two words, one by its sound and the other with a letter left out. */
  near: string[];
  /** One word as it is spelt. */
  word: string[];
  /** One word by its sound, and with a letter left out. */
  nearWord: string[];
}

/** The same of a customer and of a search, so that what is alike meets. */
export function nameKeysOf(name: string): NameKeys {
  const words = wordsOf(name);
  const pairs = words.flatMap((one, at) =>
    words.slice(at + 1).flatMap((other) => (areApart(one, other) ? [[one, other] as const] : [])),
  );
  const both = pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
  return {
    same: pairs.map(([one, other]) => `2${inOrder(one.latin, other.latin)}`),
    sound: pairs.map(([one, other]) => `3${inOrder(one.sound, other.sound)}`),
    near: both.flatMap(([one, other]) => one.parts.map((part) => `4${part} ${other.sound}`)),
    word: words.map(({ latin }) => `1${latin}`),
    // Two words as one are looked for as they sound.
    nearWord: words.flatMap(({ from, until, parts }) =>
      parts.slice(0, until - from > 1 ? 1 : undefined).map((part) => `5${part}`),
    ),
  };
}

const areApart = (one: KeyWord, other: KeyWord): boolean => one.until <= other.from || other.until <= one.from;

const inOrder = (one: string, other: string): string => [one, other].toSorted().join(" ");

export const birthKey = (day: string, hash: KeyedHash): string => `b${hash("birth", day)}`;

export const documentKey = (number: string, hash: KeyedHash): string => `d${hash("document", plainNumber(number))}`;

/** A number of a document as it is compared: without case, spaces and what stands between. */
export function plainNumber(number: string): string {
  return number
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

interface KeyWord {
  latin: string;
  sound: string;
  /** By one of these it is known, too, where one letter is another, missing or exchanged. */
  parts: string[];
  /** Where it begins and ends among the words of the name. */
  from: number;
  until: number;
}

function wordsOf(name: string): KeyWord[] {
  const [reading] = readName(name, "PERSON");
  const tokens = reading?.tokens ?? [];
  // Particles and initials are of many; of "Queen Du" nothing else is left.
  const telling = tokens.filter(({ role }) => role !== "SMALL" && role !== "INITIAL");
  const single = (telling.length > 1 ? telling : tokens)
    .slice(0, mostWords)
    .map(({ latin, folded }, at) => keyWord(latin, folded, { from: at, until: at + 1 }));
  const joined = single.slice(1).flatMap((word, at) => {
    const latin = single[at]!.latin + word.latin;
    return single.length > mostJoined ? [] : [keyWord(latin, foldSpelling(latin), { from: at, until: at + 2 })];
  });
  return [...single, ...joined];
}

function keyWord(latin: string, folded: string, place: Pick<KeyWord, "from" | "until">): KeyWord {
  const sound = soundOf(folded);
  // Vowels that meet where a consonant was left out are one, as they are where nobody wrote it.
  const spelt = [folded, ...withoutOne(folded)].map((part) => `-${part.replaceAll(/([aeiou])[aeiou]+/g, "$1")}`);
  // Few consonants are those of half of the tenant: vowels tell such words apart.
  const parts = [
    ...(sound.length >= fewConsonants ? withoutOne(sound) : []),
    ...(sound.length <= fewConsonants ? spelt : []),
  ];
  return { latin, sound, parts: [...new Set([sound, ...parts])], ...place };
}

/** The consonants, those that clerks write for each other as one. */
function soundOf(folded: string): string {
  const alike = Array.from(consonantsOf(folded), (letter) => alikeLetters.get(letter) ?? letter).join("");
  return alike.replaceAll(/(.)\1+/gu, "$1");
}

const alikeLetters = new Map(
  ["kqgc", "sz", "td", "pbf", "mn", "lr"].flatMap((letters) =>
    [...letters].map((letter) => [letter, letters[0]!] as const),
  ),
);

function withoutOne(text: string): string[] {
  return [...new Set(Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1)))];
}
