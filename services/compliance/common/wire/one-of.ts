import { invalidInput } from "../../../kernel/refusal.js";

/** Refuses INVALID_INPUT at the path for a text that is none of them. */
export function oneOf<T extends string>(known: readonly T[], given: string, path: string): T {
  const found = known.find((one) => one === given);
  if (found === undefined) throw invalidInput(path, `must be one of ${known.join(", ")}`);
  return found;
}
