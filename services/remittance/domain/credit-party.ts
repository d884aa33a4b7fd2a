import { Refusal, type RefusalDetails } from "../../kernel/refusal.js";
import { toAlpha2 } from "../../kernel/codes/countries.js";
import { readPhoneNumber } from "../../kernel/people/phone-number.js";
import { hasLetter, letterNeeded } from "../../kernel/people/name-letters.js";
import { hasHiddenCharacters } from "../../kernel/text/visible-text.js";
import { mixesScripts } from "../../kernel/text/word-scripts.js";
import type { DeliveryMethod } from "./corridor.js";

export interface KeyValue {
  key: string;
  value: string;
}

interface KeyRule {
  key: string;
  required?: boolean;
  form?: RegExp;
}

interface MethodRule {
  keys: KeyRule[];
  /** At least one of these. */
  oneOf?: string[];
}

const text = /^[^\p{Cc}]{1,140}$/u;
// As long as networks carry a name; nothing is ever cut.
const name = /^[^\p{Cc}]{1,70}$/u;
const accountNumber = /^[A-Za-z0-9][A-Za-z0-9 -]{3,33}$/;
const bic = /^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$/;
const phoneNumber = /^\+?[0-9(][0-9 ()./-]{5,24}$/;

// docs/decisions/0005, "Account details". Checks of a country's own formats (account-checks.ts)
// come on top of these.
const methodRules: Record<DeliveryMethod, MethodRule> = {
  ACCOUNTPAYMENT: {
    keys: [
      { key: "bankname" },
      { key: "bankaccountno", required: true, form: accountNumber },
      { key: "accountholdername", required: true, form: name },
      { key: "bankcode" },
      { key: "swiftbic", form: bic },
    ],
    oneOf: ["bankcode", "swiftbic"],
  },
  MOBILE_MONEY: {
    keys: [
      { key: "mobileoperator", required: true },
      { key: "mobilenumber", required: true, form: phoneNumber },
      { key: "accountholdername", required: true, form: name },
    ],
  },
  CASH_PICKUP: {
    keys: [
      { key: "payoutpointid", required: true },
      { key: "recipientname", required: true, form: name },
      { key: "iddocumenttype" },
      { key: "iddocumentnumber" },
    ],
  },
  WALLET: { keys: [{ key: "walletaccountno", required: true, form: accountNumber }] },
};

/** Keys under which somebody is named who is compared with lists. */
export const holderKeys: readonly string[] = ["accountholdername", "recipientname"];

const documents: ReadonlySet<string> = new Set(["iddocumentnumber"]);
const accounts: ReadonlySet<string> = new Set(["bankaccountno", "walletaccountno", "mobilenumber"]);

/** Whether the value under this key is a document's number, which answers mask. */
export function isMasked(key: string): boolean {
  return documents.has(key);
}

/** Whether it is an account's or a telephone's number, which receipts show the end of. */
export function isAccount(key: string): boolean {
  return accounts.has(key);
}

/** Whether it lies sealed in the store: a copy of it is worth stealing. */
export function isSealed(key: string): boolean {
  return isMasked(key) || isAccount(key);
}

const maxPairs = 50;

type Faults = NonNullable<RefusalDetails["errors"]>;

/**
 * A recipient's account details, trimmed, that are enough for every one of the delivery methods.
 * Refuses INVALID_INPUT for what is no list of pairs, CREDIT_PARTY_INVALID for keys and values that
 * a method does not take. No refusal repeats a value: they are personal data.
 */
export function checkCreditParty(pairs: KeyValue[], methods: readonly DeliveryMethod[]): KeyValue[] {
  const party = wellFormed(pairs);
  const faults: Faults = [];
  const rules = methods.map((method) => methodRules[method]);
  const known = new Map(rules.flatMap(({ keys }) => keys.map((rule) => [rule.key, rule] as const)));
  for (const [index, { key, value }] of party.entries()) {
    const rule = known.get(key);
    if (rule === undefined) {
      const spelling = [...known.keys()].find((name) => name === key.toLowerCase());
      const hint = spelling === undefined ? `takes ${[...known.keys()].join(", ")}` : `is spelled ${spelling}`;
      faults.push({ path: `creditParty[${index}].key`, message: hint });
    } else if (!(rule.form ?? text).test(value) || hasHiddenCharacters(value) || isDisguised(key, value)) {
      faults.push({ path: `creditParty[${index}].value`, message: `is no valid ${key}` });
    } else if (isNameless(key, value)) {
      faults.push({ path: `creditParty[${index}].value`, message: `is no valid ${key}: it ${letterNeeded}` });
    }
  }
  const given = new Set(party.map(({ key }) => key));
  for (const { keys, oneOf } of rules) {
    for (const { key, required } of keys) {
      if (required && !given.has(key)) faults.push({ path: "creditParty", message: `${key} is required` });
    }
    if (oneOf !== undefined && !oneOf.some((key) => given.has(key))) {
      faults.push({ path: "creditParty", message: `one of ${oneOf.join(", ")} is required` });
    }
  }
  refuse("CREDIT_PARTY_INVALID", faults);
  return party;
}

/**
 * The same party with its mobile number in E.164, where it is one that is
 * dialled from the country (alpha-3).
 */
export function withPlainNumbers(party: readonly KeyValue[], country: string): KeyValue[] {
  return party.map(({ key, value }) => ({
    key,
    value: key === "mobilenumber" ? (readPhoneNumber(value, toAlpha2(country)) ?? value) : value,
  }));
}

/** A name with a letter of another script in a word reads as one that it is not. */
function isDisguised(key: string, value: string): boolean {
  return holderKeys.includes(key) && mixesScripts(value);
}

/** Lists could not be asked about it. */
function isNameless(key: string, value: string): boolean {
  return holderKeys.includes(key) && !hasLetter(value);
}

/** The pairs that matter to a delivery method, in its order. */
export function partOf(party: readonly KeyValue[], method: DeliveryMethod): KeyValue[] {
  return methodRules[method].keys.flatMap(({ key }) => party.find((pair) => pair.key === key) ?? []);
}

/** Whether two parties name the same account for a method, spaces, dashes and case aside. */
export function sameParty(a: readonly KeyValue[], b: readonly KeyValue[], method: DeliveryMethod): boolean {
  const shown = (party: readonly KeyValue[]) =>
    partOf(party, method)
      .map(({ key, value }) => `${key}=${bare(value)}`)
      .join("\n");
  return shown(a) === shown(b);
}

/** A detail by its key, or empty. */
export function detail(party: readonly KeyValue[], key: string): string {
  return party.find((pair) => pair.key === key)?.value ?? "";
}

function wellFormed(pairs: KeyValue[]): KeyValue[] {
  const faults: Faults = [];
  if (pairs.length === 0 || pairs.length > maxPairs) {
    faults.push({ path: "creditParty", message: `must have 1 to ${maxPairs} pairs` });
  }
  const seen = new Set<string>();
  const party = pairs.map(({ key, value }) => ({ key: key.trim(), value: value.trim() }));
  for (const [index, { key, value }] of party.entries()) {
    if (key === "") faults.push({ path: `creditParty[${index}].key`, message: "is required" });
    else if (seen.has(key)) faults.push({ path: `creditParty[${index}].key`, message: "is given twice" });
    if (value === "") faults.push({ path: `creditParty[${index}].value`, message: "is required" });
    seen.add(key);
  }
  refuse("INVALID_INPUT", faults);
  return party;
}

function refuse(code: "INVALID_INPUT" | "CREDIT_PARTY_INVALID", faults: Faults): void {
  const [first] = faults;
  if (first !== undefined) throw new Refusal(code, `${first.path}: ${first.message}`, { errors: faults });
}

/** A number as it is compared: without spaces, dashes and case. */
export function bare(value: string): string {
  return value
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "");
}
