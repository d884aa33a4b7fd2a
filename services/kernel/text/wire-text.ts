import { invalidInput } from "../refusal.js";

/**
 * Text of `minimum` to `maximum` characters, without control characters. Refuses INVALID_INPUT at
 * the path.
 */
export function textFromWire(text: string, path: string, { minimum = 1, maximum = 128 } = {}): string {
  if (text.length < minimum) throw invalidInput(path, "is required");
  if (text.length > maximum) throw invalidInput(path, `must have at most ${maximum} characters`);
  if (/\p{Cc}/u.test(text)) throw invalidInput(path, "must not hold control characters");
  return text;
}

/**
 * Text without what stands around it. Refuses INVALID_INPUT at the path where it is too long, or
 * empty and may not be.
 */
export function trimmedFromWire(text: string, path: string, maxLength: number, mayBeEmpty = false): string {
  const trimmed = text.trim();
  if ((trimmed === "" && !mayBeEmpty) || trimmed.length > maxLength) {
    throw invalidInput(path, `must have ${mayBeEmpty ? 0 : 1} to ${maxLength} characters`);
  }
  return trimmed;
}

/** An id that a caller names, of 1 to 128 characters. Refuses INVALID_INPUT at the path. */
export function idFromWire(id: string, path: string): string {
  if (id === "" || id.length > 128) throw invalidInput(path, "must have 1 to 128 characters");
  return id;
}
