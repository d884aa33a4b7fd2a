/**
 * True when two texts name one person: case, spaces, order of the names, accents and punctuation
 * aside.
 */
export function isSameName(a: string, b: string): boolean {
  const [first, second] = [partsOf(a), partsOf(b)];
  return first.length > 0 && first.join(" ") === second.join(" ");
}

function partsOf(name: string): string[] {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}|['’`]/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")
    .toSorted((a, b) => (a < b ? -1 : 1));
}
