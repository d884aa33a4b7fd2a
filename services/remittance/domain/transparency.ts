import { equivalentOf, withinInt64, type FindRate } from "../../kernel/equivalent.js";
import { addMoney, compareMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Transaction, TransactionStatus, TransferInformation } from "./transaction.js";

/** What an order must say of its parties from an amount on, of one origin country. */
export interface TransparencyProfile {
  profile: string;
  originCountries: readonly string[];
  /** In which its amounts are. */
  currency: string;
  /** Transactions of the same sender and recipient within so many hours count together. */
  linkedHours: number;
  rows: readonly { amountMinor: bigint }[];
}

/** The profiles of a tenant's policy, one at most of an origin country. */
export interface TransparencyProfiles {
  policyVersion: number;
  profiles: readonly TransparencyProfile[];
}

/** What compliance is told of an order for its transparency policy. */
export interface TransparencyFacts {
  /** The policy by which they were made; 0 where there was none. */
  policyVersion: number;
  /** The profile that there was for the origin country; absent where none was. */
  profile?: string;
  /**
   * The principal in the profile's currency at the middle rate, rounded up, alone and with those
   * that are linked to it. Absent without a rate: it counts as above every amount.
   */
  amount?: Money;
  linkedAmount?: Money;
  /** What is known of the recipient and the order. */
  knownMembers: string[];
  /** Those who may take it are told of a birth by day and place together or not at all. */
  isBirthWhole?: true;
}

/** What of them is kept with the transaction, and how it was paid for. */
export interface OrderTransparency extends Pick<
  TransparencyFacts,
  "profile" | "amount" | "linkedAmount" | "isBirthWhole"
> {
  /** Made the sums; absent where names were put right since, which may link others. */
  policyVersion?: number;
  funding?: Funding;
}

/** What is kept of what compliance was told; undefined where no profile was for it. */
export function keptFacts({
  policyVersion,
  profile,
  amount,
  linkedAmount,
  isBirthWhole,
}: TransparencyFacts): OrderTransparency | undefined {
  if (profile === undefined) return undefined;
  const sums = { ...(amount !== undefined && { amount }), ...(linkedAmount !== undefined && { linkedAmount }) };
  return { policyVersion, profile, ...sums, ...(isBirthWhole && { isBirthWhole }) };
}

/** What is kept once names were put right: its sums are made anew before it is paid for. */
export function toBeMadeAnew({ policyVersion: _version, ...kept }: OrderTransparency): OrderTransparency {
  return kept;
}

/**
 * Which others count with a transaction: all since, for a new one; what came before it; or, where
 * names were put right, what came after it too, for it is the one that lifts the sum.
 */
export type LinkedSpan = "SINCE" | "BEFORE" | "AROUND";

/** How a payer's wallet was funded. */
export const fundings = ["WALLET", "CASH"] as const;
export type Funding = (typeof fundings)[number];

/** What must be known of an order and is not, by the names of the policy's members. */
export function transparencyIncomplete(members: readonly string[]): Refusal {
  const errors = members.map((path) => ({ path, message: "is needed" }));
  return new Refusal("TRANSPARENCY_INCOMPLETE", `this must be known first: ${members.join(", ")}`, { errors });
}

/** When transactions were created that may be linked. */
export interface SentBetween {
  since: Date;
  until?: Date;
}

/** What others that are linked with a transaction come to, each. */
export type Sent = Pick<Transaction, "price">;

/** Most linked transactions that are added up; with more an order counts as above. */
export const mostSent = 1_000;

/** What was sent to the same recipient, a sum a currency. */
export function sumsOf(sent: readonly Sent[]): Money[] {
  const sums = new Map<string, bigint>();
  for (const { price } of sent) {
    const { currency, minor } = price.principal;
    sums.set(currency, (sums.get(currency) ?? 0n) + minor);
  }
  return [...sums].map(([currency, minor]) => ({ currency, minor }));
}

/** States in which a transaction does not count together with others. */
export const notLinked: readonly TransactionStatus[] = ["CANCELLED", "EXPIRED", "REJECTED", "REFUNDED"];

/** The profile for an origin country. */
export function profileOf(
  { profiles }: TransparencyProfiles,
  { originCountry }: Pick<TransferInformation, "originCountry">,
): TransparencyProfile | undefined {
  return profiles.find(({ originCountries }) => originCountries.includes(originCountry));
}

/** What is known of the recipient and of the order itself, by the names of the policy's members. */
export function knownMembersOf({
  recipient: { name, country },
  recipientDetails,
  creditParty,
  transferInformation: { remittancePurpose, sourceOfFunds },
}: Pick<Transaction, "recipient" | "recipientDetails" | "creditParty" | "transferInformation">): string[] {
  const known: Record<string, boolean> = {
    RECIPIENT_NAME: name !== "",
    RECIPIENT_ACCOUNT: creditParty.length > 0,
    RECIPIENT_COUNTRY: country !== "",
    // An address always has its town and country.
    RECIPIENT_ADDRESS: recipientDetails?.address !== undefined,
    PURPOSE: remittancePurpose !== "",
    ORDER_SOURCE_OF_FUNDS: sourceOfFunds !== "",
  };
  return Object.keys(known).filter((member) => known[member]);
}

/** Members that a recipient's details fulfil. */
export const recipientMembers = ["RECIPIENT_NAME", "RECIPIENT_ACCOUNT", "RECIPIENT_COUNTRY", "RECIPIENT_ADDRESS"];

/** Whether it waits for something that its recipient's details fulfil. */
export function waitsForRecipient({ status, compliance }: Pick<Transaction, "status" | "compliance">): boolean {
  const missing = status === "AWAITING_COMPLIANCE" ? (compliance?.outstandingRequirements ?? []) : [];
  return missing.some((member) => recipientMembers.includes(member));
}

/** Whether it waits for something of its recipient that is known by now. */
export function waitsForKnown(transaction: Transaction): boolean {
  const known = waitsForRecipient(transaction) ? knownMembersOf(transaction) : [];
  return known.some((member) => transaction.compliance?.outstandingRequirements.includes(member));
}

/**
 * An amount with what is linked to it, each currency at its middle rate and rounded up. Undefined
 * where one of them has no rate, and beyond int64.
 */
export async function linkedWith(
  amount: Money,
  linked: readonly Money[],
  findRate: FindRate,
): Promise<Money | undefined> {
  let sum: Money | undefined = amount;
  for (const sent of linked) {
    const part = await equivalentOf(sent, amount.currency, findRate);
    const before: Money | undefined = sum;
    sum = part && before && withinInt64(() => addMoney(before, part));
  }
  return sum;
}

/** Whether what is linked could lift the amount over a row's that it is not above alone. */
export function mayBeLifted({ rows, currency }: TransparencyProfile, amount: Money): boolean {
  return rows.some(({ amountMinor }) => compareMoney(amount, { minor: amountMinor, currency }) <= 0);
}
