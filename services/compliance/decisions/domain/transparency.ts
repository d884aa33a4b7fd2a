import type { Money } from "../../../kernel/money.js";
import {
  isAddressOrBirth,
  type Destination,
  type Funding,
  type missingWays,
  type ProfileName,
  type TransparencyMember,
} from "../../../platform/transparency/members.js";
import { outstandingByDetail, type KnownDetail } from "./personal-details.js";
import type { TransactionFacts } from "./transaction.js";

/** What a verified sender has shown: the picture of a document, reviewed. */
export const verifiedBy = "IDENTITY_DOCUMENT";

/** What only the order itself can say: nothing that comes later brings it. */
export const saidByOrder: readonly string[] = ["RECIPIENT_ACCOUNT", "PURPOSE", "ORDER_SOURCE_OF_FUNDS"];

/** Asks for members where amount, funding and destination are as it says. */
export interface TransparencyRow {
  amount: Money;
  /** More than the amount; else from it on. */
  isAbove: boolean;
  funding: Funding;
  destination: Destination;
  /** Alpha-3: these alone, in place of a destination. */
  receivingCountries: string[];
  members: TransparencyMember[];
  isVerified: boolean;
  /** Where a standard row is from. */
  source?: string;
}

/** What must be known of transfers from some countries. */
export interface TransparencyProfile {
  profile: ProfileName;
  /** Alpha-3. */
  originCountries: string[];
  currency: string;
  /** Transactions of one sender to one recipient within these hours count together. */
  linkedHours: number;
  onMissing: (typeof missingWays)[number];
  /** The tenant's own, beside those of the named profile. */
  rows: TransparencyRow[];
}

/** What a profile goes by, of one order. */
export interface TransparencyFacts {
  /** In the profile's currency; absent without a rate. */
  amount?: Money;
  /** With those that it is linked with. */
  linkedAmount?: Money;
  /** Of the recipient and the order. */
  knownMembers: string[];
  /** The policy by whose profile the amounts were made; 0 for none, absent where nobody said. */
  policyVersion?: number;
  /** Its partners are told of a birth by day and place together: who asks for one asks for both. */
  isBirthWhole?: true;
}

/** What rows ask of an order. */
export interface TransparencyAsk {
  /** There or missing, in the order of names. */
  members: string[];
  /** A row that names a funding may ask for more when it is known. */
  asksByFunding: boolean;
}

/** What is known of an order by which members count as there. */
export interface KnownOfOrder {
  facts: TransactionFacts;
  /** Of the sender's details, by what a customer is asked for. */
  given?: readonly string[];
  /** Kinds of requirements that the sender meets. */
  met: readonly string[];
}

const none: TransparencyAsk = { members: [], asksByFunding: false };
const eea = new Set(
  (
    "AUT BEL BGR HRV CYP CZE DNK EST FIN FRA DEU GRC HUN IRL ITA LVA LTU LUX MLT NLD POL PRT ROU SVK SVN ESP SWE " +
    "ISL LIE NOR"
  ).split(" "),
);
// Every order has these by its nature.
const ofEveryOrder = ["RECIPIENT_NAME", "RECIPIENT_ACCOUNT"];

/** What rows ask of an order; without a funding, those that name none. */
export function askOf(
  rows: readonly TransparencyRow[] | undefined,
  facts: TransactionFacts,
  funding: Funding = "ANY",
): TransparencyAsk {
  if (rows === undefined) return none;
  const near = rows.filter((row) => isThere(row, facts) && isReached(row, facts));
  const holding = near.filter((row) => row.funding === "ANY" || row.funding === funding);
  const membersOf = facts.transparency?.isBirthWhole === true ? wholeBirthMembersOf : saidMembersOf;
  const members = membersOf(holding);
  return { members, asksByFunding: membersOf(near).some((member) => !members.includes(member)) };
}

/** Members that are not there, in their order. */
export function missingMembers(members: readonly string[], known: KnownOfOrder): string[] {
  return members.filter((member) => !isKnown(member, known));
}

/** The sender's details that count on a day, by what a customer is asked for. */
export function givenMembers(details: readonly KnownDetail[] | undefined, day: string): string[] {
  const lasting = (details ?? []).filter(({ until }) => until === undefined || day <= until);
  return lasting.map(({ detail }) => outstandingByDetail[detail] ?? detail).toSorted();
}

/**
 * An order that was made while no profile was for it, to be tried by one: its own amount is all
 * that is known of it.
 */
export function withOwnAmount(facts: TransactionFacts): TransactionFacts {
  const { transparency, amount } = facts;
  if (transparency?.amount !== undefined) return facts;
  return { ...facts, transparency: { knownMembers: ofEveryOrder, ...transparency, amount, linkedAmount: amount } };
}

const birth: readonly string[] = ["DATE_OF_BIRTH", "PLACE_OF_BIRTH"];

function wholeBirthMembersOf(rows: readonly TransparencyRow[]): string[] {
  const said = saidMembersOf(rows);
  return said.some((member) => birth.includes(member)) ? [...new Set([...said, ...birth])].toSorted() : said;
}

function saidMembersOf(rows: readonly TransparencyRow[]): string[] {
  const asked = rows.flatMap(({ members, isVerified }) => [...members, ...(isVerified ? [verifiedBy] : [])]);
  return [...new Set(asked)].toSorted();
}

function isThere({ destination, receivingCountries }: TransparencyRow, facts: TransactionFacts): boolean {
  const { originCountry, receivingCountry } = facts;
  if (receivingCountries.length > 0) return receivingCountries.includes(receivingCountry);
  switch (destination) {
    case "ANY":
      return true;
    case "DOMESTIC":
      return receivingCountry === originCountry;
    case "ABROAD":
      return receivingCountry !== originCountry;
    case "EEA":
      return eea.has(receivingCountry);
    case "OUTSIDE_EEA":
      return !eea.has(receivingCountry);
  }
}

/**
 * By what is linked; an amount that nobody could bring into the row's currency counts as above. Of
 * an order that was made when no profile was known its own amount in that currency counts.
 */
function isReached({ amount, isAbove }: TransparencyRow, { transparency, amount: own }: TransactionFacts): boolean {
  const sum = transparency?.amount === undefined ? own : transparency.linkedAmount;
  if (sum === undefined || sum.currency !== amount.currency) return true;
  return isAbove ? sum.minor > amount.minor : sum.minor >= amount.minor;
}

function isKnown(member: string, { facts, given = [], met }: KnownOfOrder): boolean {
  switch (member) {
    case "ADDRESS_OR_BIRTH":
      return isAddressOrBirth((name) => given.includes(name));
    case verifiedBy:
      return met.includes(member);
    // No order is without one.
    case "RECIPIENT_COUNTRY":
      return true;
    case "PURPOSE":
      return facts.remittancePurpose !== "";
    case "ORDER_SOURCE_OF_FUNDS":
      return facts.sourceOfFunds !== "";
    default:
      return given.includes(member) || facts.transparency?.knownMembers.includes(member) === true;
  }
}
