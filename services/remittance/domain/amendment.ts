import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { askedIn, lastingRefusalOf, mayBeDecided } from "./asked-of-person.js";
import { shownStatus } from "./block-view.js";
import { detail, holderKeys } from "./credit-party.js";
import type { PayeeVerdict } from "./payee-check.js";
import { keptOfAsked, type AskedAtClaim } from "./payment-claim.js";
import { conflict, type Step } from "./payout.js";
import type { Pickup } from "./pickup.js";
import { searchWordsOf } from "./transaction-list.js";
import { refusedInState, type Transaction } from "./transaction.js";
import { toBeMadeAnew, transparencyIncomplete } from "./transparency.js";

/** Who is paid, as a transaction names them. */
export interface AmendedNames {
  recipientName: string;
  /** Empty where the way of delivery names no holder. */
  accountHolderName: string;
}

/** Names put right before the transaction is handed over. */
export interface Amendment {
  amendmentId: string;
  /** APPROVED by a second person, and about to be applied. */
  status: "ASKED" | "APPROVED" | "APPLIED" | "REFUSED";
  before: AmendedNames;
  after: AmendedNames;
  reason: string;
  askedBy: string;
  askedAt: Date;
  /** Absent of a sender's own, and until identity has the question. */
  approvalId?: string;
  decidedBy?: string;
  appliedAt?: Date;
  /** A code; of REFUSED where no person has refused it. */
  refusedBecause?: string;
  /** What came of it when the account was looked at under the new name. */
  payeeCheck?: PayeeVerdict;
}

/** What somebody wants named otherwise; what is absent stays. */
export interface NewNames {
  recipientName?: string;
  accountHolderName?: string;
}

/** Of one transaction, refused ones included. */
const mostAmendments = 20;

export const keptAmendments = askedIn(
  "amendments",
  ({ amendmentId }) => amendmentId,
  (count) => {
    if (count < mostAmendments) return;
    throw new Refusal("AMENDMENT_LIMIT_REACHED", `a transaction is amended at most ${mostAmendments} times`);
  },
);

/** Where a partner who has an order already is asked to put it right. */
export function tracePath(transactionId: string): string {
  return `/api/v6/services/transactionmanagement/transactions/${transactionId}/traces`;
}

export function namesOf({ recipient, creditParty }: Pick<Transaction, "recipient" | "creditParty">): AmendedNames {
  const key = holderKeys.find((one) => detail(creditParty, one) !== "");
  return { recipientName: recipient.name, accountHolderName: key === undefined ? "" : detail(creditParty, key) };
}

/** What a transaction says of who is paid under these names. */
export function renamed(
  transaction: Transaction,
  { recipientName, accountHolderName }: AmendedNames,
): Pick<Transaction, "recipient" | "creditParty" | "creditPartySource" | "searchWords"> {
  const recipient = { ...transaction.recipient, name: recipientName };
  const isOther = namesOf(transaction).accountHolderName !== accountHolderName;
  const creditParty = transaction.creditParty.map((pair) =>
    holderKeys.includes(pair.key) ? { ...pair, value: accountHolderName } : pair,
  );
  return {
    recipient,
    creditParty: isOther ? creditParty : transaction.creditParty,
    creditPartySource: isOther ? "GIVEN" : transaction.creditPartySource,
    searchWords: searchWordsOf({ ...transaction, recipient }),
  };
}

/**
 * The names as they are and as they are wanted. Refuses STATE_CONFLICT once the transaction was
 * handed over, naming where a partner who takes amendments is asked, and where its wallet's owner
 * is known; passing while it is created or paid. INVALID_INPUT where nothing would differ.
 */
export function wantedNames(transaction: Transaction, wanted: NewNames): Pick<Amendment, "before" | "after"> {
  assertAmendable(transaction);
  return namesWanted(namesOf(transaction), wanted);
}

/** Names as they are and as they are wanted. Refuses INVALID_INPUT where nothing would differ. */
export function namesWanted(before: AmendedNames, wanted: NewNames): Pick<Amendment, "before" | "after"> {
  if (wanted.accountHolderName !== undefined && before.accountHolderName === "") {
    throw invalidInput("accountHolderName", "must be left out: this way of delivery names no holder");
  }
  const after = { ...before, ...wanted };
  if (isSame(before, after)) {
    const path = wanted.recipientName === undefined ? "accountHolderName" : "recipient";
    throw invalidInput(path, "must differ from what the transaction says");
  }
  return { before, after };
}

/**
 * One person asks; another one decides. Refuses STATE_CONFLICT where another amendment waits, and
 * AMENDMENT_LIMIT_REACHED.
 */
export function askAmendment(transaction: Transaction, amendment: Amendment, now: Date): Step {
  assertAmendable(transaction);
  assertUnchanged(transaction, amendment);
  const isTaken = transaction.amendments?.some((one) => isWaiting(one, now)) === true;
  if (isTaken) throw conflict("another amendment waits for a second person");
  return keptAmendments.keeping(transaction, amendment);
}

/** Whether it was paid for: no claim asks any more what its new names need. */
export function isAskedToAmend(transaction: Transaction): boolean {
  return ["PAID", "READY_FOR_PICKUP"].includes(shownStatus(transaction));
}

/**
 * The names are those that were wanted, and nothing else is. Refuses as wantedNames does,
 * STATE_CONFLICT where the names are others by now, and TRANSPARENCY_INCOMPLETE where it was paid
 * for and under these names something must be known first; passing where nobody has asked that.
 */
export function applyAmendment(transaction: Transaction, amendment: Amendment, now: Date, asked?: AskedAtClaim): Step {
  assertApplicable(transaction, amendment);
  const applied = { ...amendment, status: "APPLIED" as const, appliedAt: now };
  const { payeeCheck } = amendment;
  const set = {
    ...renamed(transaction, amendment.after),
    ...(payeeCheck !== undefined && { payeeCheck }),
    ...transparencyAfter(transaction, asked),
    ...pickupAfter(transaction),
    amendments: keptAmendments.withOne(transaction, applied),
  };
  // What was said of the account was said of another name.
  const isNoLonger = payeeCheck === undefined && transaction.payeeCheck !== undefined;
  const change = { set, ...(isNoLonger && { isPayeeUnchecked: true as const }) };
  return { change, drive: "KEEP", events: ["NAMES_AMENDED"] };
}

/** Whoever holds the code was told of other names: a new one is issued. */
function pickupAfter({ pickup }: Transaction): { pickup?: Pickup } {
  if (pickup === undefined) return {};
  const { codeHash: _hash, salt: _salt, ...kept } = pickup;
  return { pickup: { ...kept, tries: 0 } };
}

function transparencyAfter(transaction: Transaction, asked: AskedAtClaim | undefined) {
  const { transparency } = transaction;
  if (!isAskedToAmend(transaction)) return transparency && { transparency: toBeMadeAnew(transparency) };
  if (asked === undefined) throw passing("STATE_CONFLICT", "the transaction was paid for at this moment");
  if (asked.missing.length > 0) throw transparencyIncomplete(asked.missing);
  return keptOfAsked(transaction, asked);
}

/**
 * The second person's answer; undefined where it is known already. Refused at once where the
 * transaction is another by now.
 */
export function decideAmendment(
  transaction: Transaction,
  amendmentId: string,
  { isApproved, decidedBy, approvalId }: { isApproved: boolean; decidedBy: string; approvalId: string },
): Step | undefined {
  const amendment = keptAmendments.find(transaction, amendmentId);
  if (amendment?.status !== "ASKED") return undefined;
  const decided = { ...amendment, decidedBy, approvalId };
  if (!isApproved) return keptAmendments.keeping(transaction, { ...decided, status: "REFUSED" });
  const refusedBecause = lastingRefusalOf(() => assertApplicable(transaction, amendment));
  const now =
    refusedBecause === undefined ? { status: "APPROVED" as const } : { status: "REFUSED" as const, refusedBecause };
  return keptAmendments.keeping(transaction, { ...decided, ...now });
}

/** It could not be applied any more. */
export function refuseAmendment(transaction: Transaction, amendmentId: string, because: string): Step | undefined {
  const amendment = keptAmendments.find(transaction, amendmentId);
  if (amendment?.status !== "APPROVED") return undefined;
  return keptAmendments.keeping(transaction, { ...amendment, status: "REFUSED", refusedBecause: because });
}

/** How often the names were put right: whoever was asked about others has to ask again. */
export function timesAmended({ amendments = [] }: Pick<Transaction, "amendments">): number {
  return amendments.filter(({ status }) => status === "APPLIED").length;
}

function isWaiting(amendment: Amendment, now: Date): boolean {
  return amendment.status === "APPROVED" || (amendment.status === "ASKED" && mayBeDecided(amendment, now));
}

/** Refuses as wantedNames does, and STATE_CONFLICT where the names are others by now. */
export function assertApplicable(transaction: Transaction, amendment: Amendment): void {
  assertAmendable(transaction);
  assertUnchanged(transaction, amendment);
}

function assertUnchanged(transaction: Transaction, { before }: Amendment): void {
  if (!isSame(namesOf(transaction), before)) throw conflict("the names were amended meanwhile");
}

function isSame(one: AmendedNames, other: AmendedNames): boolean {
  return one.recipientName === other.recipientName && one.accountHolderName === other.accountHolderName;
}

function assertAmendable(transaction: Transaction): void {
  const { transactionId, compliance, recipientWallet, pickup, orderParties } = transaction;
  const shown = shownStatus(transaction);
  if (recipientWallet !== undefined) throw conflict("the owner of the wallet that is paid is known: no name counts");
  switch (shown) {
    case "AWAITING_COMPLIANCE":
      if (compliance === undefined) throw passing("STATE_CONFLICT", "the transaction is still being created");
      return;
    case "AWAITING_PAYMENT":
      return;
    case "PAID":
      // Stored before the partner is asked: while it is PAID, nobody outside has heard of it.
      return;
    case "PAYING":
      throw passing("STATE_CONFLICT", "the transaction is being paid at this moment");
    case "PROCESSING":
    case "READY_FOR_PICKUP": {
      // Our own cashiers have it: by version, this or the hand-out is first.
      if (pickup !== undefined && shown === "READY_FOR_PICKUP") return;
      if (pickup !== undefined) throw passing("STATE_CONFLICT", "the transaction is on its way to its payout point");
      if (orderParties === undefined) throw conflict(`the transaction is ${shown}, and its partner takes no amendment`);
      const path = tracePath(transactionId);
      const message = `the transaction is ${shown}: a manager has its partner trace it by POST ${path}`;
      throw new Refusal("STATE_CONFLICT", message, { figures: { tracePath: path } });
    }
    default:
      throw refusedInState(shown);
  }
}
