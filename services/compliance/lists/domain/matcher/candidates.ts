import type { Name, NameToken } from "../../../../kernel/names/name.js";
import { editDeduction, nameDeductions } from "../../../../kernel/names/name-score.js";
import { joinedLetters, lettersOf, weightOf, wordWeights, type NameIndex } from "./name-index.js";
import { membersOf } from "./postings.js";
import { isSameJoined, mayBeJoined } from "./joined.js";
import { fullEdit } from "../../../../kernel/names/edit-cost.js";
import { foldSpelling } from "../../../../kernel/names/fold.js";
import { soundKeys } from "./keys.js";
import type { QueryWord } from "./vocabulary.js";
import { differences, mostCost, wordCost } from "../../../../kernel/names/word-cost.js";

/** A name of the list that may reach the score that is needed, and the most that it can reach. */
export interface Candidate {
  name: number;
  atMost: number;
}

/** What a search may cost, whatever is asked. */
export const searchBounds = {
  /** Words of a name that are looked for. */
  words: 16,
  /** Names of a list, per name that is asked for, whose words are compared. */
  names: 6_000,
};

/**
 * What a search costs: how many names were compared by their words, and how many entries were read.
 */
export interface SearchWork {
  names: number;
  entries: number;
}

interface Query {
  index: NameIndex;
  tokens: readonly NameToken[];
  named: readonly NameToken[];
  optional: number;
  letters: number;
  /** Quarters of an edit. */
  budget: number;
  /** One word is looked for, whatever else stands in a name. */
  byWord: boolean;
  words: readonly QueryWord[];
  costs: Map<number, number>[];
}

/**
 * Names of the list that may be the one that is asked for. One is looked at where a word of it is
 * within one edit of one asked for (of two words or more that are alike, one is), or its letters
 * without spaces are. `needed` is the score that a name must reach, per mille, and `weakAlias` what
 * a weak one loses of which so many words are compared.
 */
export function findCandidates(
  index: NameIndex,
  name: Name,
  needed: number,
  weakAlias: (words: number) => number,
  work: SearchWork,
  byWord = false,
): Candidate[] {
  const named = name.tokens.filter((token) => weightOf(token) === wordWeights.named);
  const budget = budgetOf(lettersOf(name), needed);
  const query: Query = {
    index,
    tokens: name.tokens,
    named,
    optional: name.tokens.filter((token) => weightOf(token) === wordWeights.optional).length,
    letters: lettersOf(name),
    budget,
    byWord,
    words: name.tokens.map(index.vocabulary.queryWord),
    costs: name.tokens.map((token) => index.vocabulary.costsOf(token, budget)),
  };
  const found: Candidate[] = [];
  const seen = new Set<number>();
  for (const joined of joinedNames(query, name)) {
    found.push({ name: joined, atMost: 1000 });
    seen.add(joined);
  }
  const most = Math.min(named.length === 1 ? 2 * fullEdit : fullEdit, named.length === 1 ? budget : budget >> 1);
  for (const word of likeWords(query, most)) {
    for (const each of membersOf(index.namesOfWord, word)) {
      if (seen.has(each)) continue;
      if (seen.size >= searchBounds.names) return found;
      seen.add(each);
      const lost = index.isWeak[each] === 1 ? weakAlias(Math.min(named.length, index.named[each]!)) : 0;
      const atMost = highestScore(query, each, needed + lost, work);
      if (atMost >= needed + lost) found.push({ name: each, atMost: atMost - lost });
    }
  }
  return found;
}

// The quarters of an edit that a name may differ in and still reach the score.
function budgetOf(letters: number, needed: number): number {
  return Math.min(mostCost, Math.floor((fullEdit * (1000 - needed)) / editDeduction(letters + fullEdit)));
}

/** Words of the list like those that are asked for, those of the fewest names first. */
function likeWords({ index, named }: Query, most: number): number[] {
  const written = named.filter((token) => token.role === "WORD");
  const queryWords = (written.length > 0 ? written : named).slice(0, searchBounds.words);
  const words = new Set(queryWords.flatMap((token) => index.vocabulary.likeWords(token, most)));
  const { starts } = index.namesOfWord;
  const namesOf = (word: number) => starts[word + 1]! - starts[word]!;
  return [...words].sort((a, b) => namesOf(a) - namesOf(b));
}

// "Friedrich Buchenberg" where the other side writes it as one word, or divides it elsewhere.
function joinedNames({ index, named }: Query, name: Name): number[] {
  const whole = joinedLetters(name) ?? (named.length === 1 ? named[0]!.latin : undefined);
  if (whole === undefined) return [];
  const folded = foldSpelling(whole);
  const found = soundKeys(folded).flatMap((key) => [...index.joined.membersOf(key)]);
  if (named.length > 1) {
    const token = {
      ...named[0]!,
      latin: whole,
      written: "",
      folded,
      consonants: "",
      drawing: "",
      role: "WORD",
    } as const;
    for (const word of index.vocabulary.likeWords(token, differences.shortForm))
      found.push(...membersOf(index.namesOfWord, word));
  }
  return [...new Set(found)].filter((each) => isSameJoined(whole, index, each));
}

/** The most that a name can score; less than needed as soon as it cannot. */
function highestScore(query: Query, name: number, needed: number, work: SearchWork): number {
  const { index, named } = query;
  const alone = leastAlone(query, name);
  const most = 1000 - alone - needed;
  if (most < 0) return 0;
  work.names++;
  const perEdit = editDeduction(Math.max(query.letters, index.letters[name]!) + fullEdit);
  const [from, until] = [index.starts[name]!, index.starts[name + 1]!];
  const isOursShorter = named.length <= index.named[name]!;
  const count = isOursShorter ? query.tokens.length : until - from;
  let lost = 0;
  for (let at = 0; at < count; at++) {
    const cost = isOursShorter ? leastOfOurs(query, at, from, until) : leastOfTheirs(query, index.words[from + at]!);
    lost += cost > mostCost ? nameDeductions.differentName : (cost * perEdit) / fullEdit;
    if (lost > most) return mayBeJoined(query.tokens, index, name) ? 1000 : 0;
  }
  return 1000 - alone - lost;
}

// The least that words on one side only take. A title may be a name to the other side.
function leastAlone({ byWord, index, named, optional }: Query, name: number): number {
  if (byWord) return 0;
  const difference = named.length - index.named[name]!;
  const missing = difference > 0 ? difference - index.optional[name]! : -difference - optional;
  if (missing <= 0) return 0;
  if (index.kind === "COMPANY") return nameDeductions.leastAloneWord * missing;
  const found = Math.min(named.length, index.named[name]!);
  // Every one of them may be a father's name, which counts half.
  if (found <= 1) return (nameDeductions.aloneBesideOne * missing) / 2;
  return nameDeductions.aloneNames * (missing / 2 / found) ** 2;
}

function leastOfOurs(query: Query, at: number, from: number, until: number): number {
  if (weightOf(query.tokens[at]!) !== wordWeights.named) return 0;
  const { same } = query.words[at]!;
  // Most names have one of the words as it is asked for: the others need not be compared with it.
  for (let place = from; place < until; place++) {
    const word = query.index.words[place]!;
    if (word >> 2 === same && (word & 3) !== wordWeights.small) return 0;
  }
  let least = mostCost + 1;
  for (let place = from; place < until && least > 0; place++) {
    const word = query.index.words[place]!;
    if ((word & 3) !== wordWeights.small) least = Math.min(least, costOf(query, at, word >> 2));
  }
  return least;
}

function leastOfTheirs(query: Query, word: number): number {
  if ((word & 3) !== wordWeights.named) return 0;
  let least = mostCost + 1;
  for (let at = 0; at < query.tokens.length && least > 0; at++) {
    if (weightOf(query.tokens[at]!) !== wordWeights.small) least = Math.min(least, costOf(query, at, word >> 2));
  }
  return least;
}

function costOf({ words: queryWords, budget, costs, index, tokens }: Query, at: number, word: number): number {
  if (!index.vocabulary.mayBeLike(queryWords[at]!, word, budget)) return mostCost + 1;
  const known = costs[at]!.get(word);
  if (known !== undefined) return known;
  const cost = wordCost(tokens[at]!, index.vocabulary.words[word]!, index.kind, budget);
  costs[at]!.set(word, cost);
  return cost;
}
