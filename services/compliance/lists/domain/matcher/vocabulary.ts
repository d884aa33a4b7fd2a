import { fullEdit } from "../../../../kernel/names/edit-cost.js";
import { givenNameGroups } from "../../../../kernel/names/given-names.js";
import {
  createKeyIndexBuilder,
  editKeys,
  lettersMissing,
  letterSet,
  soundKeys,
  unwrittenKeys,
  soundSet,
  type KeyIndex,
} from "./keys.js";
import type { NameKind, NameToken } from "../../../../kernel/names/name.js";
import { differences, wordCost } from "../../../../kernel/names/word-cost.js";

/** The distinct words of a list's names, and those that may be a given word, spelt otherwise. */
export interface Vocabulary {
  words: readonly NameToken[];
  /** How many letters each has. */
  letters: Uint8Array;
  /**
   * Words within the cost (quarters of an edit) of one: those that sound alike, with one letter
   * another one, of the same group of given names.
   */
  likeWords(token: NameToken, most: number): readonly number[];
  /** False where a word is surely further apart. */
  queryWord(token: NameToken): QueryWord;
  mayBeLike(requested: QueryWord, number: number, most: number): boolean;
  /**
   * What was found of one word, by the numbers of others, within the same
   * cost: to be read and added to.
   */
  costsOf(token: NameToken, most: number): Map<number, number>;
  bytes: number;
}

/** A word that is looked for, with what tells most others apart at a glance. */
export interface QueryWord {
  token: NameToken;
  /** The number of the same word; -1 where no name of the list has it. */
  same: number;
  letters: number;
  sounds: number;
  marks: number;
  /** Words of the same groups of given names. */
  grouped?: ReadonlySet<number>;
}

interface Lookups {
  kind: NameKind;
  words: readonly NameToken[];
  numbers: ReadonlyMap<string, number>;
  letterSets: Uint32Array;
  soundSets: Uint8Array;
  lengths: Uint8Array;
  marks: Uint8Array;
  bySound: KeyIndex;
  byEdit: KeyIndex;
  byGroup: ReadonlyMap<number, readonly number[]>;
}

/** About what a word and its spellings take in memory. */
const bytesPerWord = 300;
/** Words whose like are remembered. */
const mostKnown = 4_096;
const bytesPerKnown = 200;
/**
 * Words whose costs are remembered: those of frequent names are many, and
 * are asked for again and again.
 */
const mostCosts = 128;
const bytesPerCosts = 16_000;

export function createVocabularyBuilder(kind: NameKind) {
  const words: NameToken[] = [];
  const numbers = new Map<string, number>();
  const [bySound, byEdit] = [createKeyIndexBuilder(), createKeyIndexBuilder()];
  const byGroup = new Map<number, number[]>();

  function add(token: NameToken): number {
    const key = keyOf(token);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const role = token.role === "INITIAL" ? "INITIAL" : "WORD";
    const number = words.push({ ...token, written: "", role, part: "NAME" }) - 1;
    numbers.set(key, number);
    for (const sound of wordKeys(token)) bySound.add(sound, number);
    for (const edit of editKeys(token.latin)) byEdit.add(edit, number);
    for (const group of givenNameGroups(keyOf(token))) byGroup.set(group, [...(byGroup.get(group) ?? []), number]);
    return number;
  }

  function finish(): Vocabulary {
    const letterSets = Uint32Array.from(words, (word) => letterSet(word.folded));
    const soundSets = Uint8Array.from(words, (word) => soundSet(word.folded));
    const lengths = Uint8Array.from(words, (word) => word.folded.length);
    const letters = Uint8Array.from(words, (word) => word.latin.length);
    const markings = Uint8Array.from(words, marksOf);
    const keys = { bySound: bySound.finish(), byEdit: byEdit.finish() };
    const lookups = { kind, words, numbers, letterSets, soundSets, lengths, marks: markings, byGroup, ...keys };
    const bytes = bytesPerWord * words.length + letterSets.byteLength + keys.bySound.bytes + keys.byEdit.bytes;
    const known = new Map<string, readonly number[]>();
    const costs = new Map<string, Map<number, number>>();
    return {
      words,
      letters,
      bytes: bytes + letters.byteLength + mostKnown * bytesPerKnown + mostCosts * bytesPerCosts,
      // The same given names come again and again; names without spaces do not.
      likeWords: (token, most) => {
        if (token.written === "") return likeWords(lookups, token, most);
        const key = `${keyOf(token)} ${most}`;
        const found = known.get(key) ?? likeWords(lookups, token, most);
        if (known.size >= mostKnown) known.clear();
        known.set(key, found);
        return found;
      },
      queryWord: (token) => queryWordOf(lookups, token),
      mayBeLike: (requested, number, most) => mayBeLike(lookups, requested, number, most),
      costsOf: (token, most) => {
        const key = `${keyOf(token)} ${token.role} ${most}`;
        const found = costs.get(key) ?? new Map<number, number>();
        // The ones asked for last stay.
        costs.delete(key);
        if (costs.size >= mostCosts) costs.delete(costs.keys().next().value!);
        costs.set(key, found);
        return found;
      },
    };
  }

  return { add, finish, size: () => words.length };
}

/** Keys of the sounds that a word may have. */
function wordKeys({ folded, letters }: NameToken): number[] {
  return letters === undefined ? soundKeys(folded) : unwrittenKeys(letters);
}

function keyOf({ latin, letters }: NameToken): string {
  return letters ?? latin;
}

const marks = { abjad: 1, initial: 2, servant: 4 } as const;

function marksOf({ isAbjad, latin, role }: NameToken): number {
  const isServant = latin.startsWith("abd");
  return (isAbjad ? marks.abjad : 0) | (role === "INITIAL" ? marks.initial : 0) | (isServant ? marks.servant : 0);
}

function queryWordOf({ byGroup, numbers }: Lookups, token: NameToken): QueryWord {
  const grouped = givenNameGroups(keyOf(token)).flatMap((group) => byGroup.get(group) ?? []);
  const sets = { letters: letterSet(token.folded), sounds: soundSet(token.folded), marks: marksOf(token) };
  const same = numbers.get(keyOf(token)) ?? -1;
  return { token, same, ...sets, ...(grouped.length > 0 && { grouped: new Set(grouped) }) };
}

/**
 * Another letter costs half an edit at least and brings one letter on either side that the other
 * side may not have; another consonant that sounds otherwise costs a whole one.
 */
function mayBeLike(lookups: Lookups, requested: QueryWord, number: number, most: number): boolean {
  const { letterSets, soundSets } = lookups;
  const isNear =
    lettersMissing(letterSets[number]!, requested.letters) <= most >> 1 &&
    lettersMissing(requested.letters, letterSets[number]!) <= most >> 1 &&
    lettersMissing(soundSets[number]!, requested.sounds) <= Math.max(1, most >> 2) &&
    lettersMissing(requested.sounds, soundSets[number]!) <= Math.max(1, most >> 2) &&
    Math.abs(lookups.lengths[number]! - requested.token.folded.length) <= (most >> 1) + 1;
  if (isNear) return true;
  const marked = lookups.marks[number]!;
  const isOtherScript = ((marked ^ requested.marks) & marks.abjad) !== 0;
  const isSpecial = ((marked | requested.marks) & (marks.initial | marks.servant)) !== 0;
  return isOtherScript || isSpecial || requested.grouped?.has(number) === true;
}

function likeWords(lookups: Lookups, token: NameToken, most: number): number[] {
  const { byEdit, byGroup, bySound, kind, numbers, words } = lookups;
  const found = new Set<number>();
  const same = [numbers.get(keyOf(token)), numbers.get(token.latin)];
  for (const number of same) if (number !== undefined) found.add(number);
  if (token.role === "INITIAL" || most === 0) return [...found];
  const requested = queryWordOf(lookups, token);
  const consider = (number: number) => {
    if (!found.has(number) && wordCost(token, words[number]!, kind, most) <= most) found.add(number);
  };
  for (const key of wordKeys(token)) {
    for (const number of bySound.membersOf(key)) {
      if (mayBeLike(lookups, requested, number, most)) consider(number);
    }
  }
  if (most >= fullEdit) for (const key of editKeys(token.latin)) byEdit.membersOf(key).forEach(consider);
  if (kind === "PERSON" && most >= differences.shortForm) {
    for (const group of givenNameGroups(keyOf(token))) byGroup.get(group)?.forEach((number) => found.add(number));
    const other = token.latin.startsWith("abd") ? token.latin.slice(3) : `abd${token.latin}`;
    const servant = numbers.get(other);
    if (servant !== undefined) found.add(servant);
  }
  return [...found];
}
