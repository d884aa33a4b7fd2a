import { invalidInput } from "../refusal.js";
import { hasHiddenCharacters } from "./visible-text.js";
import { mixedScripts, mixesScripts } from "./word-scripts.js";

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
  if (mixesScripts(name)) throw invalidInput(path, mixedScripts);
  return name;
}
