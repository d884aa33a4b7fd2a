import { readName, type Name } from "../../kernel/names/name.js";
import { scoreNames } from "../../kernel/names/name-score.js";
import type { CustomerSought } from "./customer-find.js";
import { plainNumber } from "./find-keys.js";
import type { CustomerDetails, CustomerRecord } from "./people.js";

/** Why somebody was found; NAME where it is the same one, however it is written. */
export const foundBy = [
  "CUSTOMER_CODE",
  "DOCUMENT",
  "PHONE_NUMBER",
  "NAME",
  "NAME_ALIKE",
  "DATE_OF_BIRTH",
  "COUNTRY",
] as const;
export type FoundBy = (typeof foundBy)[number];

/** A customer who may be meant. */
export interface Found {
  customer: CustomerRecord;
  foundBy: FoundBy[];
  /** By which they are ranked: the higher, the likelier. */
  rank: number;
}

/**
 * What speaks for somebody, in the unit of a score of names: 1000 for the same name. What only
 * one person has outweighs every name; another day of birth, most misspellings.
 */
const weights = { code: 8_000, document: 4_000, phone: 2_000, birth: 300, otherBirth: -200, country: 20 };

/** A name below it is another one. */
const leastAlike = 650;
/** With the same day of birth so much of a name is enough. */
const leastAlikeBornSo = 400;
const sameName = 1_000;

/** Compares customers with what one of them said of themselves; of equal ranks the code decides. */
export function rankFound(sought: CustomerSought, customers: readonly CustomerRecord[]): Found[] {
  const compare = sought.name === undefined ? () => 0 : nameComparer(sought.name);
  return customers
    .flatMap((customer) => foundOf(sought, customer, compare) ?? [])
    .toSorted((one, other) => other.rank - one.rank || byCode(one, other));
}

const byCode = (one: Found, other: Found): number =>
  one.customer.customer.code < other.customer.customer.code ? -1 : 1;

function foundOf(sought: CustomerSought, found: CustomerRecord, compare: (name: string) => number): Found | undefined {
  const { customer } = found;
  const isBornSo = sought.dateOfBirth !== undefined && customer.details?.dateOfBirth === sought.dateOfBirth;
  const isBornOtherwise = sought.dateOfBirth !== undefined && customer.details?.dateOfBirth !== undefined && !isBornSo;
  const score = compare(`${customer.firstName} ${customer.lastName}`);
  const isNamedSo = score >= (isBornSo ? leastAlikeBornSo : leastAlike);
  const isCode = customer.code === sought.customerCode;
  const isDocument = hasDocument(sought, customer);
  const isPhone = sought.phoneNumbers.includes(customer.phoneNumber);
  if (!isCode && !isDocument && !isPhone && !isNamedSo) return undefined;
  const isCountry = customer.country === sought.country;
  const reasons: readonly (readonly [FoundBy, boolean, number])[] = [
    ["CUSTOMER_CODE", isCode, weights.code],
    ["DOCUMENT", isDocument, weights.document],
    ["PHONE_NUMBER", isPhone, weights.phone],
    ["NAME", isNamedSo && score >= sameName, score],
    ["NAME_ALIKE", isNamedSo && score < sameName, score],
    ["DATE_OF_BIRTH", isBornSo, weights.birth],
    ["COUNTRY", isCountry, weights.country],
  ];
  const holding = reasons.filter(([, holds]) => holds);
  const rank = holding.reduce((sum, [, , weight]) => sum + weight, isBornOtherwise ? weights.otherBirth : 0);
  return { customer: found, foundBy: holding.map(([name]) => name), rank };
}

function hasDocument({ document }: CustomerSought, { details }: CustomerDetails): boolean {
  return document !== undefined && isOneOf(document, details?.identityDocuments ?? []);
}

/** Whether a document is one of these, of any type where it names none, however it is written. */
export function isOneOf(
  { type, number }: { type?: string | undefined; number: string },
  documents: readonly { type: string; number: string }[],
): boolean {
  const sought = plainNumber(number);
  return documents.some((one) => plainNumber(one.number) === sought && (type === undefined || one.type === type));
}

/**
 * How alike a name is, per mille. Of a search for one word the rest of a name is not compared, so a
 * whole name that is the same stands above one that only has the word.
 */
function nameComparer(name: string): (other: string) => number {
  const ours = readName(name, "PERSON");
  const isByWord = ours.every(({ tokens }) => tokens.length === 1);
  return (other) => {
    const theirs = readName(other, "PERSON");
    const score = bestOf(ours, theirs, isByWord);
    return isByWord && score === sameName && !bestIsWhole(ours, theirs) ? sameName - 1 : score;
  };
}

const bestIsWhole = (ours: readonly Name[], theirs: readonly Name[]): boolean =>
  bestOf(ours, theirs, false) === sameName;

function bestOf(ours: readonly Name[], theirs: readonly Name[], isByWord: boolean): number {
  const scores = ours.flatMap((our) => theirs.map((their) => scoreNames(our, their, undefined, isByWord)?.score ?? 0));
  return Math.min(sameName, Math.max(0, ...scores));
}

/**
 * Whether somebody who is to be registered may be this one: by a document, or by a name that is
 * alike with the number or the day of birth, or by the same name where a day of birth is not known.
 */
export function isPossibleDuplicate({ customer, foundBy: reasons }: Found, sought: CustomerSought): boolean {
  if (reasons.includes("DOCUMENT")) return true;
  const isSame = reasons.includes("NAME");
  if (!isSame && !reasons.includes("NAME_ALIKE")) return false;
  if (reasons.includes("PHONE_NUMBER") || reasons.includes("DATE_OF_BIRTH")) return true;
  const isBirthKnown = sought.dateOfBirth !== undefined && customer.customer.details?.dateOfBirth !== undefined;
  return isSame && !isBirthKnown;
}
