import { isJoined } from "../../../../kernel/names/align.js";
import { isChineseSyllable, isSameChinese, isTwoChineseSyllables } from "../../../../kernel/names/chinese-syllables.js";
import { editCost, fullEdit } from "../../../../kernel/names/edit-cost.js";
import type { NameToken } from "../../../../kernel/names/name.js";
import type { NameIndex } from "./name-index.js";
import { mostCost } from "../../../../kernel/names/word-cost.js";

/**
 * Whether two or three words behind each other on one side look like one word of the other: one of
 * them begins or ends it, and together they are within one edit of it.
 */
export function mayBeJoined(ours: readonly NameToken[], index: NameIndex, name: number): boolean {
  const [from, until] = [index.starts[name]!, index.starts[name + 1]!];
  if (mayBeJoinedUnwritten(ours, index, from, until) || mayBeChinese(ours, index, from, until)) return true;
  const { letters } = index.vocabulary;
  const lettersAt = (place: number) => letters[index.words[place]! >> 2]!;
  for (let place = from; place < until; place++) {
    const length = lettersAt(place);
    if (length < shortest) continue;
    for (let at = 0; at + 1 < ours.length; at++) {
      const [first, second, third] = [ours[at]!.latin, ours[at + 1]!.latin, ours[at + 2]?.latin];
      if (!mayFit(length, first.length + second.length, third?.length)) continue;
      if (isWhole(latinAt(index, place), first, second, third)) return true;
    }
  }
  for (const { latin: whole } of ours) {
    if (whole.length < shortest) continue;
    for (let place = from; place + 1 < until; place++) {
      const isLast = place + 2 >= until;
      if (!mayFit(whole.length, lettersAt(place) + lettersAt(place + 1), isLast ? undefined : lettersAt(place + 2)))
        continue;
      const third = isLast ? undefined : latinAt(index, place + 2);
      if (isWhole(whole, latinAt(index, place), latinAt(index, place + 1), third)) return true;
    }
  }
  return false;
}

/** The same where one side writes no vowels. */
function mayBeJoinedUnwritten(
  ours: readonly NameToken[],
  { vocabulary, words }: NameIndex,
  from: number,
  until: number,
): boolean {
  const theirs = Array.from(words.subarray(from, until), (word) => vocabulary.words[word >> 2]!);
  const isOtherScript = ours.some((token) => theirs.some((other) => other.isAbjad !== token.isAbjad));
  return isOtherScript && (isAnyJoined(ours, theirs) || isAnyJoined(theirs, ours));
}

interface ChineseParts {
  /** Two words behind each other, as one. */
  divided: readonly string[];
  /** Words that may be two. */
  whole: readonly string[];
}

const chineseOf = new WeakMap<readonly NameToken[], ChineseParts>();

// Asked for one name of the list after another.
function chineseParts(ours: readonly NameToken[]): ChineseParts {
  const before = chineseOf.get(ours);
  if (before !== undefined) return before;
  const latin = ours.map((token) => token.latin);
  const divided = latin.slice(1).flatMap((second, at) => {
    const first = latin[at]!;
    return isChineseSyllable(first) && isChineseSyllable(second) ? [first + second] : [];
  });
  const found = { divided, whole: latin.filter(isTwoChineseSyllables) };
  chineseOf.set(ours, found);
  return found;
}

/**
 * Whether a given name of two words on one side may be one word of another spelling on
 * the other: "Tse-tung", "Zedong".
 */
function mayBeChinese(ours: readonly NameToken[], index: NameIndex, from: number, until: number): boolean {
  const { divided, whole } = chineseParts(ours);
  if (divided.length === 0 && whole.length === 0) return false;
  for (let place = from; place < until; place++) {
    const latin = latinAt(index, place);
    if (divided.some((each) => isSameChinese(each, latin))) return true;
    if (place + 1 >= until || !isChineseSyllable(latin)) continue;
    const second = latinAt(index, place + 1);
    if (!isChineseSyllable(second)) continue;
    if ([...divided, ...whole].some((each) => isSameChinese(latin + second, each))) return true;
  }
  return false;
}

function isAnyJoined(tokens: readonly NameToken[], others: readonly NameToken[]): boolean {
  return [2, 3].some((length) =>
    tokens.slice(length - 1).some((_, at) => {
      const parts = tokens.slice(at, at + length);
      return others.some((other) => other.isAbjad !== parts[0]!.isAbjad && isJoined("", other, parts));
    }),
  );
}

/** Whether two words, or three, have as many letters as one, give or take one. */
function mayFit(whole: number, two: number, third: number | undefined): boolean {
  return Math.abs(two - whole) <= 1 || (third !== undefined && Math.abs(two + third - whole) <= 1);
}

function latinAt({ vocabulary, words }: NameIndex, place: number): string {
  return vocabulary.words[words[place]! >> 2]!.latin;
}

function isAlike(whole: string, joined: string): boolean {
  return editCost(whole, joined.slice(0, mostLetters), fullEdit) <= fullEdit;
}

/** Whether a name written without spaces is like another one so written. */
export function isSameJoined(whole: string, index: NameIndex, name: number): boolean {
  let joined = "";
  for (let place = index.starts[name]!; place < index.starts[name + 1]!; place++) joined += latinAt(index, place);
  return joined.length <= mostLetters && editCost(whole, joined, mostCost) <= mostCost;
}

const mostLetters = 32;
const shortest = 5;

function isWhole(whole: string, first: string, second: string, third: string | undefined): boolean {
  if (whole.length < shortest) return false;
  const two = first.length + second.length - whole.length;
  if (two >= -1 && two <= 1 && (whole.startsWith(first) || whole.endsWith(second)) && isAlike(whole, first + second)) {
    return true;
  }
  if (third === undefined) return false;
  const three = two + third.length;
  const isLikely = three >= -1 && three <= 1 && (whole.startsWith(first) || whole.endsWith(third));
  return isLikely && isAlike(whole, first + second + third);
}
