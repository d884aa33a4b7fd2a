import { invalidInput } from "./refusal.js";
import { hasHiddenCharacters, mixesLookAlikes } from "./visible-text.js";

/**
 * A name of 1 to 100 characters in one line, composed (NFC) and with single spaces; refuses
 * INVALID_INPUT.
 */
export function parseName(text: string, path: string): string {
  const name = text
    .trim()
    .replaceAll(/\p{Zs}+/gu, " ")
    .normalize("NFC");
  if (name === "" || name.length > 100 || /\p{Cc}/u.test(name)) {
    throw invalidInput(path, "must be 1 to 100 characters in one line");
  }
  if (hasHiddenCharacters(name)) throw invalidInput(path, "must not have characters that nobody sees");
  if (mixesLookAlikes(name)) throw invalidInput(path, "must not mix letters of scripts that look alike in one word");
  return name;
}
