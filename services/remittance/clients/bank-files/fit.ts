import { formatMoney } from "../../../kernel/money.js";
import type { Installation } from "../../../platform/plugins/installations.js";
import { partyBounds } from "../../../platform/plugins/party-contract.js";
import { detail } from "../../domain/credit-party.js";
import type { PayoutOrder } from "../payout-connector.js";
import type { Transaction } from "../../domain/transaction.js";
import { bankConfigurationOf, type BankConfiguration } from "./configuration.js";
import { spelled } from "./names.js";

const maxAmountDigits = 18;
const maxBankCode = 35;

/** A text of an order, how people call it, and how long it may be in a file. */
type Text = readonly [text: string | undefined, what: string, most: number];

/**
 * Why a bank can never be asked to pay it, in words that name nobody; undefined where it can.
 * Nothing is cut to make it fit.
 */
export function unpayable(order: PayoutOrder, at: BankConfiguration): string | undefined {
  const { method, amount, creditParty } = order;
  if (method !== "ACCOUNTPAYMENT") return "this bank pays to accounts alone";
  if (formatMoney(amount).replace(".", "").length > maxAmountDigits) return "the amount is larger than a file can have";
  if (bare(detail(creditParty, "bankaccountno")).length > partyBounds.account)
    return "the account number is too long for a file";
  if (detail(creditParty, "bankcode").length > maxBankCode) return "the bank's code is too long for a file";
  if (spelled(holderOf(order), at) === "") return "the account's holder has no name";
  for (const text of textsOf(order)) {
    const fault = faultOf(text, at);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Whether a bank can be asked to pay a transaction, where it is told this of its parties. */
export function isPayableBy(
  { configuration }: Pick<Installation, "configuration">,
  { transactionId: reference, price, deliveryMethod: method, creditParty }: Transaction,
  parties: PayoutOrder["parties"],
): boolean {
  const order = { reference, amount: price.receive, method, creditParty, ...(parties !== undefined && { parties }) };
  return unpayable(order, bankConfigurationOf(configuration)) === undefined;
}

/** Why whose account is debited cannot be named in a file; undefined where it can. */
export function unfitDebtor(at: BankConfiguration): string | undefined {
  const texts: readonly Text[] = [
    [at.debtorName, "debtorName", partyBounds.name],
    [at.debtorCity, "debtorCity", partyBounds.city],
    [at.debtorPostalCode, "debtorPostalCode", partyBounds.postalCode],
    [at.debtorAddressLine, "debtorAddressLine", partyBounds.addressLine],
  ];
  return texts.map((text) => faultOf(text, at)).find((fault) => fault !== undefined);
}

/** How many characters of a file a text takes, as the bank is configured. */
export function lengthInFile(text: string, { configuration }: Pick<Installation, "configuration">): number {
  const characters = configuration["characters"] === "UTF8" ? "UTF8" : "LATIN";
  return [...spelled(text, { characters })].length;
}

/** Whose the account is, as the bank there compares it. */
export const holderOf = ({ creditParty, parties }: PayoutOrder): string =>
  detail(creditParty, "accountholdername") || (parties?.beneficiary.name ?? "");

export const bare = (account: string): string => account.replaceAll(/[\s-]/g, "");

function textsOf(order: PayoutOrder): Text[] {
  const { name, text } = partyBounds;
  const holder: Text = [holderOf(order), "the account holder's name", name];
  if (order.parties === undefined) return [holder];
  const { originator, beneficiary, remittanceText } = order.parties;
  const { placeOfBirth, document, customerCode } = originator;
  return [
    holder,
    [originator.name, "the originator's name", name],
    ...addressOf(originator.address, "the originator's"),
    [placeOfBirth?.city, "the originator's town of birth", partyBounds.city],
    [document?.number, "the number of the originator's document", partyBounds.documentNumber],
    [customerCode, "the originator's customer code", partyBounds.uniqueId],
    [beneficiary.name, "the beneficiary's name", name],
    ...addressOf(beneficiary.address, "the beneficiary's"),
    [remittanceText, "the text for the beneficiary", text],
  ];
}

function addressOf(
  address: NonNullable<PayoutOrder["parties"]>["originator"]["address"],
  whose: string,
): readonly Text[] {
  if (address === undefined) return [];
  const { lines, postalCode, city, region } = address;
  return [
    ...lines.map((line): Text => [line, `a line of ${whose} address`, partyBounds.addressLine]),
    [postalCode, `${whose} postal code`, partyBounds.postalCode],
    [city, `${whose} town`, partyBounds.city],
    [region, `${whose} region`, partyBounds.region],
  ];
}

/** By the characters that the bank takes, of which there may be more. */
function faultOf([text, what, most]: Text, at: BankConfiguration): string | undefined {
  if (text === undefined) return undefined;
  const { length } = [...spelled(text, at)];
  if (length === 0) return `${what} has no character that the bank takes`;
  return length > most ? `${what} takes ${length} characters, and a file has ${most} of them` : undefined;
}
