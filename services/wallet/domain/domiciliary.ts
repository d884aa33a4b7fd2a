import { isCurrency } from "../../kernel/codes/currencies.js";
import { isSameName } from "../../kernel/people/person-names.js";

/**
 * Results of an item: code, its number, and whether there is an account (docs/wallet.md).
 */
export const domiciliaryCodes = {
  DOM_CREATED: { id: "100", isSuccess: true, note: "the account was created" },
  DOM_EXISTS: { id: "101", isSuccess: true, note: "the customer has this account already" },
  DOM_COUNTRY_NOT_SUPPORTED: { id: "200", isSuccess: false, note: "only bank verification numbers of Nigeria" },
  DOM_BVN_INVALID: { id: "201", isSuccess: false, note: "a bank verification number has eleven digits" },
  DOM_BANK_CODE_INVALID: { id: "202", isSuccess: false, note: "a bank's code has up to three digits" },
  DOM_CURRENCY_INVALID: { id: "203", isSuccess: false, note: "not an ISO 4217 currency" },
  DOM_CURRENCY_NOT_FOREIGN: { id: "204", isSuccess: false, note: "a domiciliary account holds a foreign currency" },
  DOM_CURRENCY_NOT_OFFERED: { id: "205", isSuccess: false, note: "the organisation does not offer this currency" },
  DOM_FIELD_MISSING: { id: "206", isSuccess: false, note: "a field is missing" },
  DOM_BVN_NOT_FOUND: { id: "300", isSuccess: false, note: "the register does not have this number" },
  DOM_BVN_NOT_CUSTOMERS: { id: "301", isSuccess: false, note: "the number is not the customer's" },
  DOM_BANK_UNAVAILABLE: { id: "400", isSuccess: false, note: "the register does not answer; try again" },
  DOM_FAILED: { id: "401", isSuccess: false, note: "the account could not be created; try again" },
} as const;

export type DomiciliaryCode = keyof typeof domiciliaryCodes;

export interface DomiciliaryRequest {
  readonly country: string;
  readonly bankCode: string;
  readonly bvn: string;
  readonly existingCurrency: string;
  readonly newCurrency: string;
}

/** Names of the fields that an item lacks. */
export function missingIn(item: Record<string, string>): string[] {
  return Object.entries(item).flatMap(([name, value]) => (value.trim() === "" ? name : []));
}

/** What is wrong with an item before anybody is asked about it. */
export function faultOf(requested: DomiciliaryRequest, offered: readonly string[]): DomiciliaryCode | undefined {
  if (requested.country !== "NGA" && requested.country !== "NG") return "DOM_COUNTRY_NOT_SUPPORTED";
  if (!/^\d{11}$/.test(requested.bvn)) return "DOM_BVN_INVALID";
  if (!/^\d{1,3}$/.test(requested.bankCode)) return "DOM_BANK_CODE_INVALID";
  if (!isCurrency(requested.existingCurrency) || !isCurrency(requested.newCurrency)) return "DOM_CURRENCY_INVALID";
  if (requested.newCurrency === "NGN") return "DOM_CURRENCY_NOT_FOREIGN";
  return offered.includes(requested.newCurrency) ? undefined : "DOM_CURRENCY_NOT_OFFERED";
}

export interface Candidate {
  readonly customerId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phoneNumber: string;
}

const fewestPhoneDigits = 7;

/**
 * Whose number it is: the one of that name; of several of one name the one with the register's
 * phone number.
 */
export function holderAmong(
  holder: { firstName: string; lastName: string; phoneNumber?: string },
  candidates: readonly Candidate[],
): Candidate | undefined {
  const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;
  const named = candidates.filter((one) => isSameName(nameOf(one), nameOf(holder)));
  if (named.length <= 1) return named[0];
  const digits = (text: string) => text.replaceAll(/\D/g, "").slice(-10);
  const number = digits(holder.phoneNumber ?? "");
  // Registers write "" or "N/A" for none, which is nobody's number.
  if (number.length < fewestPhoneDigits) return undefined;
  const called = named.filter(({ phoneNumber }) => digits(phoneNumber) === number);
  return called.length === 1 ? called[0] : undefined;
}
