import { invalidInput } from "../../kernel/refusal.js";
import { isCommonPassword } from "./common-passwords.js";

export const minimumPasswordLength = 8;
export const maximumPasswordLength = 128;

/**
 * What is hashed: the same characters, however the keyboard composed them (NIST SP 800-63B,
 * 5.1.1.2).
 */
export function normalizePassword(password: string): string {
  return password.normalize("NFKC");
}

/**
 * True for text that no account can have as its password, so that it need not be hashed as it
 * stands.
 */
export function isBeyondPassword(password: string): boolean {
  return password.length > maximumPasswordLength * 4;
}

/**
 * The password in the form that is hashed. Refuses INVALID_INPUT: too short or long (in
 * characters), too common, or the e-mail itself.
 */
export function parseNewPassword(password: string, email: string, path = "password"): string {
  const normal = normalizePassword(password);
  const length = [...normal].length;
  if (isBeyondPassword(password) || length < minimumPasswordLength || length > maximumPasswordLength) {
    throw invalidInput(path, `must have ${minimumPasswordLength} to ${maximumPasswordLength} characters`);
  }
  const folded = normal.toLowerCase();
  const local = email.slice(0, email.indexOf("@"));
  if (isCommonPassword(folded)) {
    throw invalidInput(path, "is one of the most common passwords");
  }
  if (folded === email.toLowerCase() || folded === local.toLowerCase()) {
    throw invalidInput(path, "must not be the e-mail address");
  }
  return normal;
}
