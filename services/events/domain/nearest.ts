import { closestMatch } from "leven";

const maxDistance = 4;
const maxLength = 64;

/** The name that is the fewest letters away, at most four; undefined where none is. */
export function nearestOf(text: string, names: readonly string[]): string | undefined {
  return closestMatch(text.slice(0, maxLength).toLowerCase(), names, { maxDistance });
}
