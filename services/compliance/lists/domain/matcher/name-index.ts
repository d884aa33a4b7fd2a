import { foldSpelling } from "../../../../kernel/names/fold.js";
import type { Name, NameKind, NameToken } from "../../../../kernel/names/name.js";
import { createPostingsBuilder, type Postings } from "./postings.js";
import { createKeyIndexBuilder, soundKeys, type KeyIndex } from "./keys.js";
import { createVocabularyBuilder, type Vocabulary } from "./vocabulary.js";

/** All names of a list that are read in one way, by numbers. */
export interface NameIndex {
  kind: NameKind;
  size: number;
  vocabulary: Vocabulary;
  /**
   * Words of a name lie from its start to the next one's: the word's
   * number times 4, and its weight.
   */
  words: Uint32Array;
  starts: Uint32Array;
  /**
   * What each of these words is in its name: a number of `roles`, and
   * whether it is a father's name.
   */
  roles: Uint8Array;
  /** The legal form of each name, by its place in `formNames`. */
  forms: Uint16Array;
  formNames: readonly string[];
  /** How many of its words are names by themselves. */
  named: Uint8Array;
  /** How many may be missing: titles. */
  optional: Uint8Array;
  letters: Uint8Array;
  isWeak: Uint8Array;
  entries: Uint32Array;
  /** Which of the entry's names it is. */
  listed: Uint16Array;
  namesOfWord: Postings;
  /** Short names by the sound of their letters without spaces. */
  joined: KeyIndex;
  bytes: number;
}

const roles: readonly NameToken["role"][] = ["WORD", "INITIAL", "SMALL", "TITLE", "HALF_TITLE"];
const fathers = 8;

/** What a word says: a name, one that may be missing, or next to nothing. */
export const wordWeights = { named: 0, optional: 1, small: 2 } as const;

export interface NameIndexBuilder {
  add(name: Name, entry: number, listed: number, isWeak: boolean): void;
  finish(): NameIndex;
}

const mostJoinedWords = 4;
const [leastJoined, mostJoined] = [6, 32];

export function createNameIndexBuilder(kind: NameKind): NameIndexBuilder {
  const vocabulary = createVocabularyBuilder(kind);
  const namesOfWord = createPostingsBuilder();
  const joined = createKeyIndexBuilder();
  const [words, starts, named, optional] = [[] as number[], [0], [] as number[], [] as number[]];
  const [letters, isWeak, entries, listed] = [[] as number[], [] as number[], [] as number[], [] as number[]];
  const [rolesOf, forms] = [[] as number[], [] as number[]];
  const formNumbers = new Map<string, number>();

  function add(name: Name, entry: number, number: number, weak: boolean): void {
    const own = entries.length;
    for (const token of name.tokens) {
      const word = vocabulary.add(token);
      const weight = weightOf(token);
      words.push(4 * word + weight);
      rolesOf.push(roles.indexOf(token.role) + (token.part === "PATRONYMIC" ? fathers : 0));
      if (weight === wordWeights.named) namesOfWord.add(word, own);
    }
    starts.push(words.length);
    const form = formNumbers.get(name.form) ?? formNumbers.size;
    formNumbers.set(name.form, form);
    forms.push(form);
    named.push(countOf(name, wordWeights.named));
    optional.push(countOf(name, wordWeights.optional));
    letters.push(Math.min(255, lettersOf(name)));
    isWeak.push(weak ? 1 : 0);
    entries.push(entry);
    listed.push(number);
    const whole = joinedLetters(name);
    if (whole !== undefined) for (const key of soundKeys(foldSpelling(whole))) joined.add(key, own);
  }

  function finish(): NameIndex {
    const numbers = {
      words: Uint32Array.from(words),
      starts: Uint32Array.from(starts),
      roles: Uint8Array.from(rolesOf),
      forms: Uint16Array.from(forms),
      named: Uint8Array.from(named),
      optional: Uint8Array.from(optional),
      letters: Uint8Array.from(letters),
      isWeak: Uint8Array.from(isWeak),
      entries: Uint32Array.from(entries),
      listed: Uint16Array.from(listed),
    };
    const index = {
      kind,
      size: entries.length,
      vocabulary: vocabulary.finish(),
      formNames: [...formNumbers.keys()],
      ...numbers,
      namesOfWord: namesOfWord.finish(vocabulary.size()),
      joined: joined.finish(),
    };
    const arrays = [...Object.values(numbers), index.namesOfWord.starts, index.namesOfWord.members];
    const bytes = arrays.reduce((sum, array) => sum + array.byteLength, index.vocabulary.bytes + index.joined.bytes);
    return { ...index, bytes };
  }

  return { add, finish };
}

/** A name as it is compared: as it was read, without how the list writes its words. */
export function comparedName(
  { formNames, forms, kind, roles: marks, starts, vocabulary, words }: NameIndex,
  name: number,
): Name {
  const tokens: NameToken[] = [];
  for (let place = starts[name]!; place < starts[name + 1]!; place++) {
    const word = vocabulary.words[words[place]! >> 2]!;
    const role = roles[marks[place]! & (fathers - 1)]!;
    const part = (marks[place]! & fathers) === 0 ? "NAME" : "PATRONYMIC";
    // One object for a word wherever it stands, so that what it costs is
    // found again; not twice in one name.
    const isWord = role === word.role && part === word.part && !tokens.includes(word);
    tokens.push(isWord ? word : { ...word, role, part });
  }
  return { kind, tokens, form: formNames[forms[name]!]!, formWritten: "" };
}

/** The readings of one of an entry's names. */
export function readingsOf(index: NameIndex, entry: number, listed: number): Name[] {
  const { entries, listed: places } = index;
  const found: Name[] = [];
  // Names were added entry by entry.
  for (let name = firstOf(entries, entry); entries[name] === entry; name++) {
    if (places[name] === listed) found.push(comparedName(index, name));
  }
  return found;
}

/** Where a number begins among numbers that grow. */
function firstOf(numbers: Uint32Array, wanted: number): number {
  let [from, until] = [0, numbers.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    if (numbers[middle]! < wanted) from = middle + 1;
    else until = middle;
  }
  return from;
}

function countOf({ tokens }: Name, weight: number): number {
  return tokens.filter((token) => weightOf(token) === weight).length;
}

/** Titles and words such as "of" may be on one side only. */
export function weightOf({ role }: NameToken): number {
  if (role === "SMALL") return wordWeights.small;
  return role === "WORD" || role === "INITIAL" ? wordWeights.named : wordWeights.optional;
}

/** Of all words that count in some way. */
export function lettersOf(name: Name): number {
  return name.tokens.reduce((sum, token) => sum + (token.role === "SMALL" ? 0 : token.latin.length), 0);
}

/**
 * The letters of a name of a few words without its spaces, where they can be compared as one word.
 */
export function joinedLetters({ tokens }: Name): string | undefined {
  const counted = tokens.filter((token) => token.role !== "TITLE");
  const whole = counted.map((token) => token.latin).join("");
  const isJoined = counted.length > 1 && counted.length <= mostJoinedWords;
  return isJoined && whole.length >= leastJoined && whole.length <= mostJoined ? whole : undefined;
}
