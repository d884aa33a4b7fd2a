import { formatMoney } from "../../kernel/money.js";
import type { PostalAddress } from "../../kernel/people/postal-address.js";
import { uniqueIdOf, type OrderParties } from "../../platform/plugins/party-contract.js";
import { isAddressOrBirth } from "../../platform/transparency/members.js";
import { isAccount } from "./credit-party.js";
import type { Transaction } from "./transaction.js";

/** Who pays, as identity has them; empty text is not known. */
export interface OriginatorOnFile {
  dateOfBirth: string;
  placeOfBirth?: { city: string; country: string } | undefined;
  nationality: string;
  address?: PostalAddress | undefined;
  identityDocuments: readonly { type: string; number: string; country: string; expiresAt: string }[];
}

type Originator = OrderParties["originator"];
type OrderBeneficiary = OrderParties["beneficiary"];

/** Members that the policy asks of an order. */
export function askedMembers({ compliance }: Pick<Transaction, "compliance">): readonly string[] {
  return compliance?.transparencyMembers ?? [];
}

/** Whether the policy asks any: the order goes to a partner who is told of them alone. */
export function needsParties(transaction: Pick<Transaction, "compliance">): boolean {
  return askedMembers(transaction).length > 0;
}

/**
 * What a partner is told of both sides and why: the sender as on file on a calendar day, all else
 * as the transaction has kept it.
 */
export function orderPartiesOf(
  transaction: Transaction,
  onFile: OriginatorOnFile | undefined,
  today: string,
): OrderParties {
  const { price, transactionCode, transferInformation, relationship, descriptionText } = transaction;
  const { remittancePurpose, sourceOfFunds } = transferInformation;
  const { principal } = price;
  return {
    originator: originatorOf(transaction, onFile, today),
    beneficiary: beneficiaryOf(transaction),
    ...textOf("purpose", remittancePurpose),
    ...textOf("relationship", relationship),
    ...textOf("sourceOfFunds", sourceOfFunds),
    sendAmount: formatMoney(principal),
    sendCurrency: principal.currency,
    transactionCode,
    ...textOf("remittanceText", descriptionText),
  };
}

/** Members that the policy asks of an order and the parties do not say. */
export function unsaidMembers(transaction: Pick<Transaction, "compliance">, parties: OrderParties): string[] {
  return unsaidOf(askedMembers(transaction), parties);
}

/** Of these members, what the parties do not say. */
export function unsaidOf(asked: readonly string[], parties: OrderParties): string[] {
  const { originator, beneficiary, purpose, sourceOfFunds } = parties;
  const { address, dateOfBirth, placeOfBirth, nationality, document } = originator;
  const said: Readonly<Record<string, boolean>> = {
    ADDRESS: address !== undefined,
    DATE_OF_BIRTH: dateOfBirth !== undefined,
    PLACE_OF_BIRTH: placeOfBirth !== undefined,
    NATIONALITY: nationality !== undefined,
    IDENTITY_DOCUMENT_DETAILS: document !== undefined,
    RECIPIENT_ADDRESS: beneficiary.address !== undefined,
    PURPOSE: purpose !== undefined,
    ORDER_SOURCE_OF_FUNDS: sourceOfFunds !== undefined,
  };
  return asked.filter((member) =>
    member === "ADDRESS_OR_BIRTH" ? !isAddressOrBirth((name) => said[name] === true) : said[member] === false,
  );
}

function originatorOf(
  { transactionId, sender, payer }: Transaction,
  onFile: OriginatorOnFile | undefined,
  today: string,
): Originator {
  const { dateOfBirth = "", placeOfBirth, nationality = "", address, identityDocuments = [] } = onFile ?? {};
  const account = payer?.accountNumber ?? "";
  const [document] = identityDocuments.filter(({ expiresAt }) => expiresAt === "" || expiresAt >= today);
  return {
    kind: "PERSON",
    name: sender.name,
    ...(address !== undefined && { address: addressOf(address) }),
    ...(dateOfBirth !== "" && { dateOfBirth }),
    ...(placeOfBirth !== undefined && { placeOfBirth: { city: placeOfBirth.city, country: placeOfBirth.country } }),
    ...(nationality !== "" && { nationality }),
    ...(document !== undefined && { document: documentOf(document) }),
    ...(account !== "" && { account }),
    uniqueId: uniqueIdOf(transactionId),
    customerCode: sender.customerCode,
  };
}

function documentOf({ type, number, country }: OriginatorOnFile["identityDocuments"][number]) {
  return {
    type: type as NonNullable<Originator["document"]>["type"],
    number,
    ...(country !== "" && { country }),
  };
}

function beneficiaryOf({ recipient, recipientDetails, creditParty }: Transaction): OrderBeneficiary {
  const { kind, lei, address, phoneNumber } = recipientDetails ?? {};
  const account = creditParty.find(({ key, value }) => isAccount(key) && value !== "")?.value;
  return {
    ...(kind !== undefined && { kind }),
    name: recipient.name,
    ...(lei !== undefined && { lei }),
    ...(account !== undefined && { account }),
    country: recipient.country,
    ...(address !== undefined && { address: addressOf(address) }),
    ...(phoneNumber !== undefined && { phone: phoneNumber }),
  };
}

function addressOf({ lines, city, region = "", postalCode = "", country }: PostalAddress) {
  return {
    lines: [...lines],
    ...(postalCode !== "" && { postalCode }),
    city,
    ...(region !== "" && { region }),
    country,
  };
}

/** Text in one line, under its name; nothing where it says nothing. */
function textOf<Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, string>> {
  const line = (text ?? "").replaceAll(/\p{Cc}+/gu, " ").trim();
  return line === "" ? {} : ({ [name]: line } as Record<Name, string>);
}
