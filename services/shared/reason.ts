import { invalidInput } from "./refusal.js";
import { hasHiddenCharacters } from "./visible-text.js";

/** Of any reason that a person gives, in characters. */
export const maxReasonLength = 300;

/**
 * Why, as a person wrote it: 1 to 300 characters, or none where it may be empty; lines may break,
 * by \n. Refuses INVALID_INPUT for control characters and for those that nobody sees.
 */
export function reasonFromWire(given: string, path = "reason", { mayBeEmpty = false } = {}): string {
  const reason = given.replaceAll(/\r\n?/g, "\n").trim();
  if ((reason === "" && !mayBeEmpty) || reason.length > maxReasonLength) {
    throw invalidInput(path, `must have ${mayBeEmpty ? 0 : 1} to ${maxReasonLength} characters`);
  }
  if (!isReadable(reason)) throw invalidInput(path, "must not hold control characters or invisible ones");
  return reason;
}

/** Whether a text has, line breaks aside, only characters that a reader sees. Pure. */
export function isReadable(text: string): boolean {
  return !hasHiddenCharacters(text.replaceAll(/[\r\n]/g, " "));
}
