/** Costs are counted in quarters of an edit. */
export const fullEdit = 4;
const halfEdit = 2;
const swapCost = 4;
const softCost = 3;

// Letters and digits that stand for nearly the same sound or shape.
const alike = ["aeiou", "iyj", "kqcgx", "szxc", "td", "pb", "vwfbu", "mn", "lr", "0o", "1il", "9g", "5s", "3e", "4a"];
const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
const substitution = substitutions();

const size = 34;
const rows = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)] as const;

/**
 * What turns one word into the other: insertions, omissions, other letters, neighbours exchanged; in
 * quarters of an edit. Returns `limit + 1` as soon as it is more than the limit. Words of at most 32 letters.
 */
export function editCost(a: string, b: string, limit: number): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) * halfEdit > limit) return limit + 1;
  let [before, above, row]: Uint8Array[] = [...rows];
  above![0] = 0;
  for (let j = 1; j <= b.length; j++) above![j] = Math.min(200, above![j - 1]! + gapCost(b, j - 1));
  for (let i = 1; i <= a.length; i++) {
    let least = (row![0] = Math.min(200, above![0]! + gapCost(a, i - 1)));
    for (let j = 1; j <= b.length; j++) {
      const cost = cellCost(a, b, i, j, before!, above!, row!);
      row![j] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    [before, above, row] = [above, row, before];
  }
  return Math.min(above![b.length]!, limit + 1);
}

function cellCost(a: string, b: string, i: number, j: number, before: Uint8Array, above: Uint8Array, row: Uint8Array) {
  const ours = a.charCodeAt(i - 1);
  const theirs = b.charCodeAt(j - 1);
  let cost = above[j - 1]! + substitution[ours * 128 + theirs]!;
  cost = Math.min(cost, above[j]! + gapCost(a, i - 1), row[j - 1]! + gapCost(b, j - 1));
  const swapped = i > 1 && j > 1 && ours === b.charCodeAt(j - 2) && theirs === a.charCodeAt(i - 2);
  return Math.min(200, swapped ? Math.min(cost, before[j - 2]! + swapCost) : cost);
}

// A doubled letter, an h or a vowel too many says less than another consonant.
function gapCost(text: string, at: number): number {
  const letter = text.charCodeAt(at);
  if (at > 0 && letter === text.charCodeAt(at - 1)) return halfEdit;
  if (letter === 104 && at > 0) return halfEdit;
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
