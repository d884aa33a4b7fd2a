/** Costs are counted in quarters of an edit. */
export const fullEdit = 4;
const halfEdit = 2;
const swapCost = 4;
const softCost = 3;

// Letters and digits that stand for nearly the same sound or shape.
const alike = [
  "aeiou",
  "iyj",
  "kqcgx",
  "szxc",
  "td",
  "pb",
  "vwfu",
  "bv",
  "mn",
  "lr",
  "0o",
  "1il",
  "9g",
  "5s",
  "3e",
  "4a",
];
const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
const substitution = substitutions();

const size = 36;
const unreachable = 200;
const rows = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)] as const;
const theirGaps = new Uint8Array(size);

/**
 * What turns one word into the other: insertions, omissions, other letters, neighbours
 * exchanged; in quarters of an edit. Returns `limit + 1` as soon as it is more than the
 * limit. Words of at most 32 letters.
 */
export function editCost(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  // A letter too many costs half an edit at least: cells further from
  // the diagonal are out of reach.
  const band = Math.floor(limit / halfEdit);
  if (Math.abs(a.length - b.length) > band) return limit + 1;
  let [before, above, row]: Uint8Array[] = [...rows];
  above![0] = 0;
  for (let j = 1; j <= b.length; j++) {
    theirGaps[j] = gapAt(b, j - 1);
    above![j] = j > band ? unreachable : above![j - 1]! + theirGaps[j]!;
  }
  for (let i = 1; i <= a.length; i++) {
    if (fillRow(a, b, i, band, before!, above!, row!) > limit) return limit + 1;
    [before, above, row] = [above, row, before];
  }
  return Math.min(above![b.length]!, limit + 1);
}

/** Returns the least cost of the row. */
function fillRow(
  a: string,
  b: string,
  i: number,
  band: number,
  before: Uint8Array,
  above: Uint8Array,
  row: Uint8Array,
) {
  const ours = a.charCodeAt(i - 1);
  const ourBefore = i > 1 ? a.charCodeAt(i - 2) : -1;
  const gap = gapAt(a, i - 1);
  const from = Math.max(1, i - band);
  const until = Math.min(b.length, i + band);
  row[from - 1] = from === 1 ? Math.min(unreachable, above[0]! + gap) : unreachable;
  let least = row[from - 1]!;
  let theirBefore = from > 1 ? b.charCodeAt(from - 2) : -2;
  for (let j = from; j <= until; j++) {
    const theirs = b.charCodeAt(j - 1);
    let cost = above[j - 1]! + substitution[ours * 128 + theirs]!;
    if (above[j]! + gap < cost) cost = above[j]! + gap;
    if (row[j - 1]! + theirGaps[j]! < cost) cost = row[j - 1]! + theirGaps[j]!;
    if (ours === theirBefore && theirs === ourBefore && before[j - 2]! + swapCost < cost)
      cost = before[j - 2]! + swapCost;
    row[j] = cost < unreachable ? cost : unreachable;
    if (cost < least) least = cost;
    theirBefore = theirs;
  }
  row[until + 1] = unreachable;
  return least;
}

// A doubled letter, an h or a vowel too many says less than another consonant.
function gapAt(text: string, at: number): number {
  const letter = text.charCodeAt(at);
  if (at > 0 && (letter === 104 || letter === text.charCodeAt(at - 1))) return halfEdit;
  return isVowel(letter) ? softCost : fullEdit;
}

function isVowel(letter: number): boolean {
  return letter === 97 || letter === 101 || letter === 105 || letter === 111 || letter === 117;
}

function substitutions(): Uint8Array {
  const costs = new Uint8Array(128 * 128).fill(fullEdit);
  for (const letter of letters) costs[letter.charCodeAt(0) * 129] = 0;
  for (const group of alike) {
    for (const one of group) {
      for (const other of group) {
        if (one !== other) costs[one.charCodeAt(0) * 128 + other.charCodeAt(0)] = halfEdit;
      }
    }
  }
  return costs;
}
