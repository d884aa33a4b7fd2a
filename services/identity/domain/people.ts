import { isIP } from "node:net";
import { domainToASCII, domainToUnicode } from "node:url";
import { readPhoneNumber } from "../../kernel/people/phone-number.js";
import { invalidInput } from "../../kernel/refusal.js";
import { hasHiddenCharacters, looksLatin } from "../../kernel/text/visible-text.js";
import { mixesScripts } from "../../kernel/text/word-scripts.js";
import type { UserFactorsRecord } from "./factors.js";
import type { PersonalDetails } from "./personal-details.js";
import type { Role } from "./roles.js";

export const messageChannels = ["EMAIL", "SMS", "BOTH", "NONE"] as const;

/** How a customer wants to be told what is no security message; what is absent was not chosen. */
export interface MessagePreference {
  channel?: (typeof messageChannels)[number];
  /** ISO 639. */
  language?: string;
}

/** The customer that a user logs in as. */
export interface CustomerDetails {
  id: string;
  code: string;
  firstName: string;
  lastName: string;
  /** Empty where none was given. */
  phoneNumber: string;
  country: string;
  /** Absent where nothing of it is known. */
  details?: PersonalDetails;
  agentId?: string;
  messages?: MessagePreference;
  /** As compliance last told; absent before the first time. */
  standing?: { status: CustomerStatus; sequence: number; at: Date };
  /** Staff registered them at the counter, without a password. */
  isFromCounter?: true;
  /** How often compliance was told of a change; absent before the first. */
  revision?: number;
}

export const customerStatuses = ["PENDING", "CONFIRMED", "BLOCKED"] as const;

export type CustomerStatus = (typeof customerStatuses)[number];

export interface UserRecord {
  userId: string;
  /** Empty of a customer who has given none. */
  email: string;
  /** What e-mail addresses are compared by; empty as it is. */
  emailKey: string;
  name: string;
  role: Role;
  /** Empty where nobody has set a password: no password is theirs. */
  passwordHash: string;
  /** Others chose the password: it signs in until then, and only to be changed. */
  passwordForOneSignIn?: { until: Date };
  /** Present exactly where the role is CUSTOMER. */
  customer?: CustomerDetails;
  /** Of staff: how often compliance was told of a change; absent before the first. */
  staffRevision?: number;
  /** Compliance was told who they are, to compare them with lists; absent before. */
  isIntroduced?: true;
  createdAt: Date;
  /** User id, or a service's name. */
  createdBy: string;
  factors?: UserFactorsRecord;
  /** When a reset last took their second factors away. */
  factorsResetAt?: Date;
  /** Nobody gets in as them while it is there. */
  disabled?: { at: Date; by: string; reason: string };
  erasedAt?: Date;
}

export type CustomerRecord = UserRecord & { customer: CustomerDetails };

/** Fields of a person that others may change. */
export interface ProfileChange {
  name?: string;
  firstName?: string;
  lastName?: string;
  /** A contact that counts from now on, or empty to take the number away. */
  phoneNumber?: string;
  email?: string;
  /** Of a customer, all of them. */
  details?: PersonalDetails;
  /** Of a customer; what is absent stays. */
  messages?: MessagePreference;
}

// Without 0 O 1 I L, 5 S, 2 Z, 8 B, U V: what is read aloud or copied by hand stays what it was.
export const codeAlphabet = "34679ACDEFGHJKMNPQRTWXY";
const codeLength = 8;

/**
 * Trimmed as the person wrote it; refuses INVALID_INPUT. Two addresses are the same where emailKey
 * says so.
 */
export function parseEmail(text: string, path = "email"): string {
  const email = text.trim();
  if (email.length > 254 || !/^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}.]+(\.[^\s@\p{Cc}.]+)*$/u.test(email)) {
    throw invalidInput(path, "must be an e-mail address");
  }
  if (hasHiddenCharacters(email)) throw invalidInput(path, "must not have characters that nobody sees");
  const [local, domain] = partsOf(email) as [string, string];
  if (!isDomain(domain)) throw invalidInput(path, "must be an e-mail address");
  // The domain is compared as people read it, however it was written.
  const shown = domainToUnicode(domain);
  if (mixesScripts(local) || mixesScripts(shown) || shown.split(".").some(looksLatin)) {
    throw invalidInput(path, "must not use letters of one script that look like those of another");
  }
  return email;
}

/**
 * What an e-mail address is compared by: case, width, spaces around it and how its domain is
 * written (IDNA) aside.
 */
export function emailKey(email: string): string {
  const plain = email.trim().normalize("NFKC").toLowerCase();
  const parts = partsOf(plain);
  if (parts === undefined || !isDomain(parts[1])) return plain;
  return `${parts[0]}@${domainToASCII(parts[1])}`;
}

function partsOf(email: string): [local: string, domain: string] | undefined {
  const at = email.lastIndexOf("@");
  return at < 0 ? undefined : [email.slice(0, at), email.slice(at + 1)];
}

/**
 * Labels of letters, digits, "-" and "_" that IDNA can write in ASCII, and no IP address, which
 * numbers alone would be.
 */
function isDomain(domain: string): boolean {
  if (!domain.split(".").every((label) => /^[\p{L}\p{M}\p{N}_-]+$/u.test(label))) return false;
  const ascii = domainToASCII(domain);
  return ascii !== "" && isIP(ascii) === 0;
}

/**
 * E.164, however people write it; empty stays empty; refuses
 * INVALID_INPUT what is no country's number.
 */
export function parsePhoneNumber(text: string, path = "phoneNumber"): string {
  if (text.trim() === "") return "";
  const number = readPhoneNumber(text);
  if (number === undefined) throw invalidInput(path, "must be an international number such as +2348012345678");
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
