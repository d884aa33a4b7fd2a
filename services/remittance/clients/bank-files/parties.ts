import { toAlpha2 } from "../../../kernel/codes/countries.js";
import { isSameName } from "../../../kernel/people/person-names.js";
import type { OrderBeneficiary, OrderParties, Originator } from "../../../platform/plugins/party-contract.js";
import type { PayoutOrder } from "../payout-connector.js";
import type { BankConfiguration } from "./configuration.js";
import { holderOf } from "./fit.js";
import { spelled } from "./names.js";
import { element, textElement } from "./xml.js";

type Address = NonNullable<Originator["address"]>;

// By ISO's external code set ExternalPersonIdentification1Code.
const documentSchemes: Readonly<Record<NonNullable<Originator["document"]>["type"], string>> = {
  PASSPORT: "CCPT",
  NATIONAL_ID: "NIDN",
  DRIVING_LICENCE: "DRLC",
  RESIDENCE_PERMIT: "ARNU",
  TAX_ID: "TXID",
};

/** Whose account is debited: name and address, as PartyIdentification has them. */
export function debtorOf(at: BankConfiguration): (string | undefined)[] {
  const { debtorCity: city, debtorCountry: country, debtorPostalCode, debtorAddressLine } = at;
  const lines = debtorAddressLine === undefined ? [] : [debtorAddressLine];
  const address = { lines, city, country, ...(debtorPostalCode !== undefined && { postalCode: debtorPostalCode }) };
  return [textElement("Nm", spelled(at.debtorName, at)), addressElement(address, at)];
}

/**
 * Who pays: the customer in whose name the debtor sends it. An ultimate debtor has no account in
 * ISO's schema; EndToEndId, which is the order's unique id, stands for it (Art. 4(2)).
 */
export function ultimateDebtorOf({ parties }: Pick<PayoutOrder, "parties">, at: BankConfiguration): string | undefined {
  if (parties === undefined) return undefined;
  const { originator } = parties;
  const id = originator.kind === "COMPANY" ? companyId(originator, at) : personId(originator, at);
  return element("UltmtDbtr", [
    textElement("Nm", spelled(originator.name, at)),
    originator.address && addressElement(originator.address, at),
    element("Id", [id]),
  ]);
}

/** Whose account is credited; with the address of who is paid where that is the same. */
export function creditorOf(order: PayoutOrder, at: BankConfiguration): string {
  const holder = holderOf(order);
  const name = textElement("Nm", spelled(holder, at));
  const beneficiary = order.parties?.beneficiary;
  if (beneficiary === undefined || isOther(holder, beneficiary)) return element("Cdtr", [name]);
  return element("Cdtr", [name, ...restOf(beneficiary, at)]);
}

/** Who is paid, where the account is somebody else's. */
export function ultimateCreditorOf(order: PayoutOrder, at: BankConfiguration): string | undefined {
  const beneficiary = order.parties?.beneficiary;
  if (beneficiary === undefined || !isOther(holderOf(order), beneficiary)) return undefined;
  return element("UltmtCdtr", [textElement("Nm", spelled(beneficiary.name, at)), ...restOf(beneficiary, at)]);
}

/** Why it is paid, by ISO's list, where the configuration has a code for it. */
export function purposeOf(parties: OrderParties | undefined, at: BankConfiguration): string | undefined {
  const code = textElement("Cd", purposeCodeOf(parties?.purpose ?? "", at));
  return code && element("Purp", [code]);
}

/** The code of ISO's list for a purpose of ours. */
export const purposeCodeOf = (purpose: string, { purposes }: BankConfiguration): string | undefined =>
  new Map(Object.entries(purposes)).get(purpose);

export function remittanceOf(parties: OrderParties | undefined, at: BankConfiguration): string | undefined {
  const text = textElement("Ustrd", spelled(parties?.remittanceText ?? "", at));
  return text && element("RmtInf", [text]);
}

/** Banks write names as they like. */
const isOther = (holder: string, { name }: OrderBeneficiary): boolean => holder !== name && !isSameName(holder, name);

function restOf({ kind, lei, address }: OrderBeneficiary, at: BankConfiguration): (string | undefined)[] {
  const id = kind === "COMPANY" ? textElement("LEI", lei) : undefined;
  return [address && addressElement(address, at), id && element("Id", [element("OrgId", [id])])];
}

/** Hybrid: what is known by itself has its element, and what is not is in lines. */
function addressElement({ lines, postalCode, city, region, country }: Address, at: BankConfiguration): string {
  return element("PstlAdr", [
    textElement("PstCd", spelled(postalCode ?? "", at)),
    textElement("TwnNm", spelled(city, at)),
    textElement("CtrySubDvsn", spelled(region ?? "", at)),
    textElement("Ctry", toAlpha2(country)),
    ...lines.map((line) => textElement("AdrLine", spelled(line, at))),
  ]);
}

/**
 * Date and place of birth, the document, and the number that we know the person by; of them SEPA's
 * schemes take one.
 */
function personId({ dateOfBirth, placeOfBirth, document, customerCode }: Originator, at: BankConfiguration): string {
  const birth = dateOfBirth !== undefined &&
    placeOfBirth !== undefined && [
      textElement("BirthDt", dateOfBirth),
      textElement("CityOfBirth", spelled(placeOfBirth.city, at)),
      textElement("CtryOfBirth", toAlpha2(placeOfBirth.country)),
    ];
  const ids = [
    ...(birth === false ? [] : [element("DtAndPlcOfBirth", birth)]),
    ...(document === undefined
      ? []
      : [numberOf(document.number, documentSchemes[document.type], at, document.country)]),
    numberOf(customerCode, "CUST", at),
  ];
  return element("PrvtId", at.serviceLevel === "SEPA" ? ids.slice(0, 1) : ids);
}

const companyId = ({ lei, customerCode }: Originator, at: BankConfiguration): string =>
  element("OrgId", [textElement("LEI", lei) ?? numberOf(customerCode, "CUST", at)]);

function numberOf(number: string, scheme: string, at: BankConfiguration, issuer?: string): string {
  return element("Othr", [
    textElement("Id", spelled(number, at)),
    element("SchmeNm", [textElement("Cd", scheme)]),
    issuer === undefined ? undefined : textElement("Issr", toAlpha2(issuer)),
  ]);
}
