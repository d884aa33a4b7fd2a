import { isChineseSyllable, isSameChinese } from "./chinese-syllables.js";
import { editCost, fullEdit } from "./edit-cost.js";
import type { Name, NameKind, NameToken } from "./name.js";
import { unwrittenCost } from "./abjad.js";
import { isUnwritten, mostCost, wordCost } from "./word-cost.js";

/**
 * Two words taken for one name, or for different names where the cost is above
 * `mostCost`; or a word of one side alone.
 */
export interface WordPair {
  ours?: NameToken;
  theirs?: NameToken;
  /** Quarters of an edit. */
  cost: number;
}

export interface Alignment {
  /** Words of both sides that are one name, spelt more or less alike. */
  alike: WordPair[];
  /** Words that stand against each other, as neither has a like on the other side. */
  different: WordPair[];
  /** Words of one side only. */
  alone: WordPair[];
}

/** As wordCost. */
export type WordCost = (ours: NameToken, theirs: NameToken, kind: NameKind) => number;

const counts = (token: NameToken) => token.role === "WORD" || token.role === "INITIAL";

/**
 * Finds for each word its like on the other side, wherever it stands. `costOf`
 * may remember what two words cost.
 */
export function alignNames(ours: Name, theirs: Name, costOf: WordCost = wordCost): Alignment {
  const kind = ours.kind;
  const left = joinLike(ours.tokens, theirs.tokens);
  const right = joinLike(theirs.tokens, left);
  const alike = likePairs(left, right, kind, costOf);
  const taken = new Set(alike.flatMap((pair) => [pair.ours, pair.theirs]));
  const oursLeft = left.filter((token) => !taken.has(token));
  const theirsLeft = right.filter((token) => !taken.has(token));
  const oursNamed = oursLeft.filter(counts);
  const theirsNamed = theirsLeft.filter(counts);
  const opposed = Math.min(oursNamed.length, theirsNamed.length);
  const different: WordPair[] = [];
  for (let at = 0; at < opposed; at++)
    different.push({ ours: oursNamed[at]!, theirs: theirsNamed[at]!, cost: mostCost + 1 });
  const opposedTokens = new Set(different.flatMap((pair) => [pair.ours, pair.theirs]));
  const alone = [
    ...oursLeft.filter((token) => !opposedTokens.has(token)).map((token) => ({ ours: token, cost: 0 })),
    ...theirsLeft.filter((token) => !opposedTokens.has(token)).map((token) => ({ theirs: token, cost: 0 })),
  ];
  return { alike, different, alone };
}

interface Likeness {
  ours: number;
  theirs: number;
  cost: number;
  order: number;
}

// The likest first; of equally like ones, those that stand in the same place.
function likePairs(
  ours: readonly NameToken[],
  theirs: readonly NameToken[],
  kind: NameKind,
  costOf: WordCost,
): WordPair[] {
  const found: Likeness[] = [];
  for (const [i, token] of ours.entries()) {
    for (const [j, other] of theirs.entries()) {
      const cost = costOf(token, other, kind);
      if (cost > mostCost) continue;
      const longer = Math.max(token.latin.length, other.latin.length);
      found.push({ ours: i, theirs: j, cost, order: (1000 * (cost + 1)) / (longer + 2) + Math.abs(i - j) });
    }
  }
  found.sort((a, b) => a.order - b.order || a.ours - b.ours || a.theirs - b.theirs);
  const [oursTaken, theirsTaken] = [new Set<number>(), new Set<number>()];
  const pairs: Likeness[] = [];
  for (const pair of found) {
    if (oursTaken.has(pair.ours) || theirsTaken.has(pair.theirs)) continue;
    oursTaken.add(pair.ours);
    theirsTaken.add(pair.theirs);
    pairs.push(pair);
  }
  pairs.sort((a, b) => a.ours - b.ours);
  return pairs.map(({ ours: i, theirs: j, cost }) => ({ ours: ours[i]!, theirs: theirs[j]!, cost }));
}

const shortestJoined = 5;

// "Pol Pot" is joined where the other side writes "Polpot"; of two or three words.
function joinLike(tokens: readonly NameToken[], others: readonly NameToken[]): readonly NameToken[] {
  if (tokens.length < 2) return tokens;
  for (const length of [3, 2]) {
    for (let at = 0; at + length <= tokens.length; at++) {
      const parts = tokens.slice(at, at + length);
      const latin = parts.map((token) => token.latin).join("");
      if (!others.some((other) => isJoined(latin, other, parts)) && !isChineseOf(parts, others)) continue;
      return joinLike([...tokens.slice(0, at), joinedToken(parts, latin), ...tokens.slice(at + length)], others);
    }
  }
  return tokens;
}

// "Tse-tung" where the other side writes "Ze Dong": both are joined.
function isChineseOf(parts: readonly NameToken[], others: readonly NameToken[]): boolean {
  if (parts.length !== 2 || !parts.every(({ latin }) => isChineseSyllable(latin))) return false;
  const latin = parts[0]!.latin + parts[1]!.latin;
  // Words that are alike by themselves stay apart.
  if (parts.some((part) => others.some((other) => other.latin === part.latin))) return false;
  return others.slice(1).some((second, at) => isSameChinese(latin, others[at]!.latin + second.latin));
}

/** Whether words behind each other are one of the other side. */
export function isJoined(latin: string, other: NameToken, parts: readonly NameToken[]): boolean {
  if (isUnwritten(parts[0]!, other)) return isJoinedUnwritten(other, parts);
  if (latin.length < shortestJoined) return false;
  if (parts.length === 2 && isSameChinese(latin, other.latin)) return true;
  if (Math.abs(latin.length - other.latin.length) > 1) return false;
  const cost = editCost(latin, other.latin, latin.length >= 7 ? fullEdit : 2);
  if (cost > fullEdit || (latin.length < 7 && cost > 2)) return false;
  return parts.every((part) => editCost(part.latin, other.latin, fullEdit) > cost);
}

const fewestJoined = 4;

// "محمدعلي" is Mohammad Ali.
function isJoinedUnwritten(other: NameToken, parts: readonly NameToken[]): boolean {
  if (parts.some((part) => isUnwritten(part, parts[0]!) || part.role === "INITIAL")) return false;
  const [abjad, latin] = other.letters === undefined ? [parts, [other]] : [[other], parts];
  const letters = abjad.map((part) => part.letters).join("");
  if (letters.length < fewestJoined) return false;
  return unwrittenCost(letters, latin.map((part) => part.latin).join(""), 1) <= 1;
}

/** Several words as one. */
export function joinedToken(parts: readonly NameToken[], latin: string): NameToken {
  const named = parts.filter((part) => part.role === "WORD");
  return {
    latin: latin.slice(0, 32),
    folded: parts
      .map((part) => part.folded)
      .join("")
      .slice(0, 32),
    consonants: parts
      .map((part) => part.consonants)
      .join("")
      .slice(0, 32),
    drawing: parts
      .map((part) => part.drawing)
      .join("")
      .slice(0, 64),
    written: parts.map((part) => part.written).join(" "),
    isAbjad: parts.some((part) => part.isAbjad),
    ...(parts.every((part) => part.letters !== undefined) && { letters: parts.map((part) => part.letters).join("") }),
    ...(parts.some((part) => part.isLookAlike) && { isLookAlike: true }),
    role: "WORD",
    part: named.length === 1 ? named[0]!.part : "NAME",
  };
}
