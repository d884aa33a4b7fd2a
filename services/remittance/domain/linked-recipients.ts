import { electronicFormatIBAN, extractIBAN, isValidIBAN } from "ibantools";
import { foldedSpellings } from "../../kernel/people/person-names.js";
import { bare, detail, holderKeys, isAccount, type KeyValue } from "./credit-party.js";
import { plainPayeeName } from "./payee-names.js";
import type { Transaction } from "./transaction.js";

/** Of an order, what it says of whom it goes to. */
export type ToWhom = Pick<Transaction, "beneficiaryId" | "recipient" | "creditParty" | "transferInformation">;

/**
 * What two orders of a sender go to one recipient by, where they have one in common: the same saved
 * one, the same account, or the same names in any order, in one country. Personal: to be hashed.
 */
export function recipientIdentities({
  beneficiaryId,
  recipient,
  creditParty,
  transferInformation: { receivingCountry },
}: ToWhom): string[] {
  const accounts = creditParty.filter(({ key, value }) => isAccount(key) && value !== "").flatMap(accountsOf);
  const names = new Set([recipient.name, ...holderKeys.map((key) => detail(creditParty, key))]);
  const there = [...accounts, ...[...names].flatMap(namesOf)].map((identity) => `${identity} ${receivingCountry}`);
  return [...new Set([`recipient=${beneficiaryId}`, ...there])];
}

/** However it is written; an IBAN by the numbers, too, that it is known by at home. */
function accountsOf({ key, value }: KeyValue): string[] {
  const number = bare(value);
  const iban = electronicFormatIBAN(number) ?? "";
  if (key !== "bankaccountno" || !isValidIBAN(iban)) return [`${key}=${unpadded(number)}`];
  const { bban = "", bankIdentifier = "", branchIdentifier = "", accountNumber } = extractIBAN(iban);
  const behindBank = [bankIdentifier, branchIdentifier].reduce(
    (rest, part) => (rest.startsWith(part) ? rest.slice(part.length) : rest),
    bban,
  );
  const numbers = new Set([bban, accountNumber ?? behindBank].map((text) => unpadded(text.toLowerCase())));
  return [...numbers].map((text) => `${key}=${text}`);
}

const unpadded = (number: string): string => number.replace(/^0+(?=.)/, "");

/** Without titles, case, accents and order; "Müller" is known as "Mueller" too. */
function namesOf(name: string): string[] {
  return foldedSpellings(plainPayeeName(name))
    .map((text) => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== ""))
    .filter((words) => words.length > 0)
    .map((words) => `name=${words.toSorted().join(" ")}`);
}
