const maxDistance = 4;
const maxLength = 64;

/** The name that is the fewest letters away, at most four; undefined where none is. */
export function nearestOf(text: string, names: readonly string[]): string | undefined {
  const requested = text.slice(0, maxLength).toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = distanceOf(requested, name);
    if (distance <= maxDistance && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** Letters to insert, leave out or change. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const change = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
