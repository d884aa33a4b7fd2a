export interface Piece {
  text: string;
  isAlike: boolean;
}

const mostLetters = 200;

/** Both texts in pieces: those that stand in both in the same order, and those that differ. */
export function piecesOf(ours: string, theirs: string): { ours: Piece[]; theirs: Piece[] } {
  const one = [...ours].slice(0, mostLetters);
  const other = [...theirs].slice(0, mostLetters);
  const longest = commonLengths(one, other);
  const sharedOfOne = new Set<number>();
  const sharedOfOther = new Set<number>();
  for (let at = 0, there = 0; at < one.length && there < other.length;) {
    if (same(one[at], other[there])) {
      sharedOfOne.add(at++);
      sharedOfOther.add(there++);
    } else if (lengthAt(longest, at + 1, there) >= lengthAt(longest, at, there + 1)) at++;
    else there++;
  }
  return { ours: joined(one, sharedOfOne), theirs: joined(other, sharedOfOther) };
}

const same = (one = "", other = "") => plain(one) === plain(other);
const plain = (letter: string) => letter.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
const lengthAt = (lengths: readonly (readonly number[])[], row: number, column: number) => lengths[row]?.[column] ?? 0;

/** How long the longest common subsequence of what follows each pair of places is. */
function commonLengths(one: readonly string[], other: readonly string[]): number[][] {
  const lengths = Array.from({ length: one.length + 1 }, () => Array<number>(other.length + 1).fill(0));
  for (let row = one.length - 1; row >= 0; row--) {
    for (let column = other.length - 1; column >= 0; column--) {
      const value = same(one[row], other[column])
        ? lengthAt(lengths, row + 1, column + 1) + 1
        : Math.max(lengthAt(lengths, row + 1, column), lengthAt(lengths, row, column + 1));
      (lengths[row] ?? [])[column] = value;
    }
  }
  return lengths;
}

function joined(letters: readonly string[], shared: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  for (const [index, letter] of letters.entries()) {
    const isAlike = shared.has(index);
    const last = pieces.at(-1);
    if (last?.isAlike === isAlike) last.text += letter;
    else pieces.push({ text: letter, isAlike });
  }
  return pieces;
}
