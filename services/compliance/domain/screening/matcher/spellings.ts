import { editCost } from "./edit-cost.js";

/** Distinct spellings of a list, by length, with what is needed to leave most of them aside at a glance. */
export interface Spellings {
  texts: readonly string[];
  numberOf: ReadonlyMap<string, number>;
  /** Numbers of spellings, shortest first; those of a length begin at `lengthStarts`. */
  byLength: Uint32Array;
  lengthStarts: Uint32Array;
  /** Which letters occur, a bit each, in the order of `byLength`. */
  letterSets: Uint32Array;
}

const longest = 33;

export function indexSpellings(texts: readonly string[], numberOf: ReadonlyMap<string, number>): Spellings {
  const lengthStarts = new Uint32Array(longest + 2);
  for (const text of texts) lengthStarts[Math.min(text.length, longest) + 1]!++;
  for (let length = 0; length <= longest; length++) lengthStarts[length + 1]! += lengthStarts[length]!;
  const next = lengthStarts.slice();
  const byLength = new Uint32Array(texts.length);
  for (const [number, text] of texts.entries()) byLength[next[Math.min(text.length, longest)]!++] = number;
  const letterSets = Uint32Array.from(byLength, (number) => letterSet(texts[number]!));
  return { texts, numberOf, byLength, lengthStarts, letterSets };
}

/** Spellings within the cost (quarters of an edit) of a text; the text's own first, then by number. */
export function likeSpellings(spellings: Spellings, text: string, most: number): number[] {
  const found: number[] = [];
  const own = spellings.numberOf.get(text);
  if (own !== undefined) found.push(own);
  if (most === 0) return found;
  const { byLength, letterSets, lengthStarts, texts } = spellings;
  const edits = Math.ceil(most / 2);
  const letters = letterSet(text);
  const from = lengthStarts[Math.max(0, text.length - (edits >> 1))]!;
  const until = lengthStarts[Math.min(longest, text.length + (edits >> 1)) + 1]!;
  for (let at = from; at < until; at++) {
    if (bitsOf(letterSets[at]! ^ letters) > edits) continue;
    const number = byLength[at]!;
    if (number !== own && editCost(text, texts[number]!, most) <= most) found.push(number);
  }
  return found;
}

/** A bit for each letter that occurs; digits share the last ones. */
function letterSet(text: string): number {
  let set = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    set |= 1 << (code >= 97 ? code - 97 : 26 + (code % 6));
  }
  return set >>> 0;
}

function bitsOf(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
