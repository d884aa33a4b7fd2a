import { isDeepStrictEqual } from "node:util";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { Amendment } from "./amendment.js";
import type { KnownParties } from "./requested-parties.js";
import type { OrderParties } from "../../platform/plugins/party-contract.js";
import type { Beneficiary } from "./beneficiary.js";
import type { Block, ShownStatus } from "./block.js";
import type { ComplianceOutcome } from "./compliance-outcome.js";
import { isSoldForCash, type PayerAccount } from "./counter-sale.js";
import type { DeliveryMethod } from "./corridor.js";
import type { KeyValue } from "./credit-party.js";
import type { KeptDisclosure } from "./disclosure.js";
import type { OfferTerms } from "./offers.js";
import type { PayeeVerdict } from "./payee-check.js";
import type { Payout } from "./payout.js";
import type { Pickup } from "./pickup.js";
import type { Price } from "./pricing.js";
import type { RecipientDetails } from "./recipient-details.js";
import type { Refund } from "./refund.js";
import type { Trace } from "./trace.js";
import type { OrderTransparency } from "./transparency.js";

/** States of a transaction (docs/decisions/0006). What follows PAID: next-action.ts. */
export const transactionStatuses = [
  "AWAITING_COMPLIANCE",
  "AWAITING_PAYMENT",
  "PAYING",
  "PAID",
  "PROCESSING",
  "READY_FOR_PICKUP",
  "COMPLETED",
  "FAILED",
  "RETURNED",
  "CANCELLING",
  "REFUNDED",
  "PARTIALLY_REFUNDED",
  "CANCELLED",
  "EXPIRED",
  "REJECTED",
  /** By sanctions: the money stays, and managers alone are told (domain/block.ts). */
  "BLOCKED",
] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** Nothing of it waits for a payment, a payout or a refund. */
export const overStatuses: readonly TransactionStatus[] = [
  "COMPLETED",
  "REFUNDED",
  "PARTIALLY_REFUNDED",
  "CANCELLED",
  "EXPIRED",
  "REJECTED",
];
/** Of which something may still go out, or back. */
export const openStatuses = transactionStatuses.filter((status) => !overStatuses.includes(status));

// People or time end these; the others go on by themselves, within moments or when a partner
// answers.
const resting: ReadonlySet<TransactionStatus> = new Set([...overStatuses, "AWAITING_PAYMENT"]);

/**
 * The refusal of what the state does not allow; it passes by itself while the transaction is under
 * way.
 */
export function refusedInState(status: ShownStatus, hint = ""): Refusal {
  const message = `the transaction is ${status}${hint}`;
  return resting.has(status) ? new Refusal("STATE_CONFLICT", message) : passing("STATE_CONFLICT", message);
}

export type ProcessingMode = "REAL_TIME" | "NONE_AGGREGATION" | "AGGREGATION";

export interface Party {
  customerId: string;
  customerCode: string;
  name: string;
  /** Alpha-3. */
  country: string;
}

export interface StatusChange {
  status: TransactionStatus;
  at: Date;
  /** A user's id, or a service's name. */
  actor: string;
  reason: string;
  /** What whoever may not know of blocks is shown in its place. */
  shownAs?: ShownStatus;
  /** Actor and reason are shown to those alone who may know of blocks. */
  isSecret?: true;
}

export interface TransferInformation {
  originCountry: string;
  receivingCountry: string;
  remittancePurpose: string;
  sourceOfFunds: string;
}

/** The wallet of the tenant that a transaction is delivered to. */
export interface RecipientWallet {
  /** Of the wallet account, and of its account in the ledger. */
  accountId: string;
  customerId: string;
}

export interface Transaction {
  transactionId: string;
  /** What people read to each other; unique in the tenant. */
  transactionCode: string;
  /** Raised by every change; outbox rows of the transaction run in its order. */
  version: number;
  status: TransactionStatus;
  deliveryMethod: DeliveryMethod;
  processingMode: ProcessingMode;
  price: Price;
  rateId: string;
  corridorVersion: number;
  /** How the price came about. */
  terms: OfferTerms;
  quoteId?: string;
  sender: Party;
  /** The code is the beneficiary's. */
  recipient: Party;
  beneficiaryId: string;
  creditParty: KeyValue[];
  /** GIVEN where the request's details differ from what the beneficiary has on file. */
  creditPartySource: "BENEFICIARY" | "GIVEN";
  transferInformation: TransferInformation;
  /** Absent once compliance has decided, and where nothing was known. */
  parties?: KnownParties;
  /** As the beneficiary's were; absent where there were none. */
  recipientDetails?: RecipientDetails;
  /** What the beneficiary is to the sender; absent where nobody said. */
  relationship?: string;
  /** What the partner is told of both sides, as it was first sent; absent before. */
  orderParties?: OrderParties;
  /** What the sender read when it was made; absent where they had chosen no language. */
  language?: string;
  /** Absent before it is paid for. */
  disclosed?: KeptDisclosure;
  /** Absent where no transparency profile was for it. */
  transparency?: OrderTransparency;
  /** What came of it when the recipient's account was looked at; absent where it was not. */
  payeeCheck?: PayeeVerdict;
  /** Names that were put right, or are to be, the oldest first; absent where none were. */
  amendments?: Amendment[];
  /** What its partner was asked to put right, or is to be, the oldest first; absent for none. */
  traces?: Trace[];
  descriptionText: string;
  /** JSON text: its keys are the client's. */
  dynamicFields?: string;
  eligibleDocuments?: string;
  ipAddress: string;
  /** Absent until compliance has decided. */
  compliance?: ComplianceOutcome;
  /** Who claimed it last; it holds the claim while the status is PAYING. */
  paymentId?: string;
  /** What paymentId's payment debits; absent before, the number empty where no account is. */
  payer?: PayerAccount;
  /**
   * Payments that gave their claim back, or failed before they had one: they never get it again.
   */
  releasedPayments: string[];
  /** The last that was refused, for what must be known first. */
  refusedClaim?: { paymentId: string; missing: string[] };
  paidAt?: Date;
  /** Cash that a cashier of ours hands out; absent for every other way. */
  pickup?: Pickup;
  /** Delivery WALLET: who gets it in the same books; absent for every other way. */
  recipientWallet?: RecipientWallet;
  /** Money back on somebody's request, the oldest first. */
  refunds?: Refund[];
  /** The agent who managed the sender then; absent where nobody did. */
  agentId?: string;
  createdByRole: string;
  /** Words of names and codes, lower case, that it is found by. */
  searchWords: string[];
  /** Absent until it was paid for. */
  payout?: Payout;
  /** Absent where compliance never blocked it. */
  block?: Block;
  interactionId: string;
  createdAt: Date;
  createdBy: string;
  /** The day by which the recipient is promised to have it, such as 2026-12-02. */
  availableOn: string;
  /** Until when it may be paid; absent before it may be. */
  expiresAt?: Date;
  timeline: StatusChange[];
  /** Whose request made it, to complete that request's record. */
  request: { caller: string; key: string; fingerprint: string };
}

/**
 * What a step changes. Without a status the transaction stays where it is and its timeline says
 * nothing.
 */
export interface Change extends Pick<StatusChange, "shownAs" | "isSecret"> {
  status?: TransactionStatus;
  reason?: string;
  /** In the place of whoever makes the step. */
  actor?: string;
  /** A block stops it right there: one more entry of the timeline. */
  stopped?: Pick<StatusChange, "actor" | "reason">;
  set?: Partial<
    Pick<
      Transaction,
      | "compliance"
      | "expiresAt"
      | "availableOn"
      | "paymentId"
      | "payer"
      | "paidAt"
      | "payout"
      | "pickup"
      | "refunds"
      | "block"
      | "transparency"
      | "disclosed"
      | "refusedClaim"
      | "recipientDetails"
      | "orderParties"
      | "amendments"
      | "traces"
      | "recipient"
      | "creditParty"
      | "creditPartySource"
      | "searchWords"
      | "payeeCheck"
    >
  >;
  /** Added to releasedPayments. */
  released?: string;
  /** What came of the payee check stands no more. */
  isPayeeUnchecked?: true;
}

/** The transaction after a change, as the store writes it. */
export function changed(transaction: Transaction, change: Change, by: Pick<StatusChange, "at" | "actor">): Transaction {
  const { status, set, released, stopped, isPayeeUnchecked } = change;
  const { releasedPayments, timeline } = transaction;
  const { parties, payeeCheck, ...after } = { ...transaction, ...set };
  return {
    ...after,
    ...(payeeCheck !== undefined && !isPayeeUnchecked && { payeeCheck }),
    ...(parties !== undefined && set?.compliance === undefined && { parties }),
    version: transaction.version + 1,
    status: stopped === undefined ? (status ?? transaction.status) : "BLOCKED",
    releasedPayments: released === undefined ? releasedPayments : [...releasedPayments, released],
    timeline: status === undefined ? timeline : [...timeline, ...entriesOf(status, change, by, after.block)],
  };
}

function entriesOf(
  status: TransactionStatus,
  { reason = "", actor, shownAs, isSecret, stopped }: Change,
  by: Pick<StatusChange, "at" | "actor">,
  block: Block | undefined,
): StatusChange[] {
  const entry: StatusChange = {
    status,
    ...by,
    reason,
    ...(actor !== undefined && { actor }),
    ...(shownAs !== undefined && { shownAs }),
    ...(isSecret && { isSecret }),
  };
  if (stopped === undefined) return [entry];
  const shown = block?.shownAs === undefined ? {} : { shownAs: block.shownAs };
  return [entry, { status: "BLOCKED", at: by.at, ...stopped, ...shown, isSecret: true }];
}

/**
 * What a cashier of the organisation reads, prints and verifies, whoever of them made it: what was
 * made at a desk, what may still be paid for at one, and cash that is collected there.
 */
export function isAtTheDesk(transaction: Transaction): boolean {
  const { createdByRole, deliveryMethod, status, pickup } = transaction;
  const isFromDesk = createdByRole === "CASHIER" || createdByRole === "AGENT";
  if (isFromDesk || status === "AWAITING_PAYMENT" || isSoldForCash(transaction)) return true;
  return deliveryMethod === "CASH_PICKUP" && (status === "READY_FOR_PICKUP" || pickup?.paidOutBy !== undefined);
}

/**
 * What is kept of the recipient, as they are now, of what waits for compliance or a payment, whose
 * claim may ask for it; undefined where that is over, or they are kept so.
 */
export function reviseRecipient(
  { status, recipientDetails }: Transaction,
  { details }: Pick<Beneficiary, "details">,
): Change | undefined {
  const mayBeAsked = status === "AWAITING_COMPLIANCE" || status === "AWAITING_PAYMENT";
  if (!mayBeAsked || details === undefined) return undefined;
  return isDeepStrictEqual(details, recipientDetails) ? undefined : { set: { recipientDetails: details } };
}
