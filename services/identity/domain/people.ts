import { invalidInput } from "../../shared/refusal.js";

// Without 0 O 1 I L, 5 S, 2 Z, 8 B, U V: what is read aloud or copied by hand stays what it was.
export const codeAlphabet = "34679ACDEFGHJKMNPQRTWXY";
const codeLength = 8;

/** Trimmed as the person wrote it; refuses INVALID_INPUT. Two addresses are the same where emailKey says so. */
export function parseEmail(text: string, path = "email"): string {
  const email = text.trim();
  if (email.length > 254 || !/^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}.]+(\.[^\s@\p{Cc}.]+)*$/u.test(email)) {
    throw invalidInput(path, "must be an e-mail address");
  }
  return email;
}

/** What an e-mail address is compared by: case, width and spaces around it aside. */
export function emailKey(email: string): string {
  return email.trim().normalize("NFKC").toLowerCase();
}

/** A name of 1 to 100 characters in one line; refuses INVALID_INPUT. */
export function parseName(text: string, path: string): string {
  const name = text.trim().normalize("NFC");
  if (name === "" || name.length > 100 || /\p{Cc}/u.test(name)) {
    throw invalidInput(path, "must be 1 to 100 characters in one line");
  }
  return name;
}

/** E.164 with the spaces and dashes that people write taken out; empty stays empty; refuses INVALID_INPUT. */
export function parsePhoneNumber(text: string, path = "phoneNumber"): string {
  const number = text.replaceAll(/[\s().-]/g, "");
  if (number !== "" && !/^\+[1-9]\d{6,14}$/.test(number)) {
    throw invalidInput(path, "must be an international number such as +2348012345678");
  }
  return number;
}

/** A customer code that the caller chose, in capitals; refuses INVALID_INPUT. */
export function parseCustomerCode(text: string, path = "customerCode"): string {
  const code = text.trim().toUpperCase();
  if (!/^[A-Z0-9][A-Z0-9-]{1,39}$/.test(code)) {
    throw invalidInput(path, 'must be 2 to 40 letters, digits and "-"');
  }
  return code;
}

/** `C-` and 8 characters without look-alikes; `index(n)` answers a uniform number below n. */
export function makeCustomerCode(index: (below: number) => number): string {
  let code = "C-";
  for (let at = 0; at < codeLength; at++) code += codeAlphabet[index(codeAlphabet.length)];
  return code;
}
