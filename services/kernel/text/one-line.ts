import { invalidInput } from "../refusal.js";
import { hasHiddenCharacters } from "./visible-text.js";
import { mixedScripts, mixesScripts } from "./word-scripts.js";

/**
 * A name of at most 100 characters, or `most`, in one line, composed (NFC) and with single spaces;
 * refuses INVALID_INPUT. Characters are counted as people, ISO 20022 and JSON Schema count them.
 */
export function parseName(text: string, path: string, most = 100): string {
  const name = text
    .trim()
    .replaceAll(/\p{Zs}+/gu, " ")
    .normalize("NFC");
  if (name === "" || [...name].length > most || /\p{Cc}/u.test(name)) {
    throw invalidInput(path, `must be 1 to ${most} characters in one line`);
  }
  if (hasHiddenCharacters(name)) throw invalidInput(path, "must not have characters that nobody sees");
  if (mixesScripts(name)) throw invalidInput(path, mixedScripts);
  return name;
}
