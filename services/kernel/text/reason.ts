import { invalidInput } from "../refusal.js";
import { hasHiddenCharacters } from "./visible-text.js";

/** Of any reason that a person gives, in characters. */
export const maxReasonLength = 300;

// Emoji of several characters: a variation selector or a joiner in them is no hiding place.
const emoji = /\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?/u.source;
const emojis = new RegExp(`\\p{RGI_Emoji}|${emoji}(?:\\u200d${emoji})*`, "gv");

/**
 * A reason as it is kept: lines end by \n, a tab is a space, and nothing stands around it. Pure.
 */
export function storedReason(given: string): string {
  return given.replaceAll(/\r\n?/g, "\n").replaceAll("\t", " ").trim();
}

/**
 * Why, as a person wrote it: 1 to 300 characters, or none where it may be empty; lines may break,
 * by \n. Refuses INVALID_INPUT for control characters and for those that nobody sees.
 */
export function reasonFromWire(given: string, path = "reason", { mayBeEmpty = false } = {}): string {
  const reason = storedReason(given);
  if ((reason === "" && !mayBeEmpty) || reason.length > maxReasonLength) {
    throw invalidInput(path, `must have ${mayBeEmpty ? 0 : 1} to ${maxReasonLength} characters`);
  }
  if (!isReadable(reason)) throw invalidInput(path, "must not hold control characters or invisible ones");
  return reason;
}

/** Whether a text has, line breaks and tabs aside, only characters that a reader sees. Pure. */
export function isReadable(text: string): boolean {
  return !hasHiddenCharacters(text.replaceAll(/[\r\n\t]/g, " ").replaceAll(emojis, "*"));
}
