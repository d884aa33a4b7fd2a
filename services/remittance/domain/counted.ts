import { isDeepStrictEqual } from "node:util";
import { divideMinor, parseDecimal } from "../../kernel/decimal.js";
import { maxInt64, minInt64 } from "../../kernel/money.js";
import { shownStatus } from "./block-view.js";
import type { ShownStatus } from "./block.js";
import { availableAt, dayOf, promiseOf } from "./promised-day.js";
import { roundings } from "./roundings.js";
import type { Transaction, TransactionStatus } from "./transaction.js";

/** What happens to a transaction once, of which reports count the day. */
export const eventKinds = [
  "CREATED",
  "PAID",
  "SENT",
  "READY",
  "AVAILABLE",
  "COMPLETED",
  "FAILED",
  "RETURNED",
  "CANCELLED",
  "EXPIRED",
  "REJECTED",
  "REFUNDED",
] as const;
export type EventKind = (typeof eventKinds)[number];

/** One of them. Its day stays, whatever becomes of the tenant's time zone. */
export interface CountedEvent {
  kind: EventKind;
  /** The tenant's business day, such as 2026-11-30. */
  day: string;
  /** Of a refund: there may be several. */
  id?: string;
  /** A code of `reasons`, or of AVAILABLE: KEPT or LATE. */
  reason?: string;
  /** Of a refund: what the sender got, and of it what was fees and taxes, in minor units. */
  back?: { minor: bigint; fees: bigint; taxes: bigint; isReturn: boolean };
  /** Of COMPLETED: see `slippageOf`; absent where no middle rate held. */
  slippageMinor?: bigint;
}

/**
 * What the day sums have of a transaction, kept with it by the commit that added it to them: what
 * is added next is the difference.
 */
export interface Counted {
  status: TransactionStatus;
  /** Of BLOCKED: what it is counted as for those who may not know of blocks. */
  shownAs?: ShownStatus;
  /** Who has the payout: an installation, `operator`, or empty. */
  partner: string;
  /** The day that its promise waits for; absent where it waits for none. */
  waitsFor?: string;
  events: CountedEvent[];
}

/** Why something did not reach its recipient; all that there are. */
export const reasons = [
  "REFUSED",
  "RECALLED",
  "NOT_SENT",
  "DECIDED",
  "RETURNED",
  "TAKEN_BACK",
  "UNPAID",
  "PAID",
  "COMPLIANCE",
] as const;

/** The operator's own payout partner, in the place of an installation's id. */
export const operatorsPartner = "operator";

/** What a transaction's days are taken by. */
export interface CountedBy {
  /** IANA name: the tenant's, as events are counted. */
  timeZone: string;
  /** The end of a day in it, epoch ms. */
  endOf: (day: string) => number;
  /** The middle rate at a time, decimal text; undefined where none held. */
  middleAt: (at: Date) => string | undefined;
}

/** What a transaction stands for in the sums, after what it stood for before. */
export function countedOf(transaction: Transaction, before: Counted | undefined, by: CountedBy): Counted {
  const { status, paidAt, availableOn } = transaction;
  const known = before?.events ?? [];
  const isKnown = ({ kind, id }: Happened) => known.some((one) => one.kind === kind && one.id === id);
  const happened = eventsOf(transaction, by.endOf).filter((one) => !isKnown(one));
  const events = [
    ...known,
    ...happened.map(({ at, ...event }): CountedEvent => {
      const slippageMinor = event.kind === "COMPLETED" ? slippageOf(transaction, by.middleAt(at)) : undefined;
      const day = dayOf(at, by.timeZone).toString();
      return { ...event, day, ...(slippageMinor !== undefined && { slippageMinor }) };
    }),
  ];
  // Whatever day is far ahead, it is not over: only what has nothing left to deliver waits no more.
  const isOver = promiseOf(transaction, () => -Infinity, new Date(0)) === undefined;
  const waits = paidAt !== undefined && !isOver && availableAt(transaction) === undefined;
  return {
    status,
    ...(status === "BLOCKED" && { shownAs: shownStatus(transaction) }),
    partner: partnerOf(transaction),
    ...(waits && { waitsFor: availableOn }),
    events,
  };
}

/** Whether a change of a transaction changes what it stands for in the sums. */
export function isCountedAnew(before: Transaction, after: Transaction): boolean {
  return !isDeepStrictEqual(standingOf(before), standingOf(after));
}

function standingOf({ status, block, paidAt, availableOn, payout, refunds = [], timeline }: Transaction) {
  const done = refunds.filter((one) => one.status === "DONE").length;
  const { installationId, sentAt, refundedAt } = payout ?? {};
  return [status, block?.shownAs, paidAt, availableOn, installationId, sentAt, refundedAt, done, timeline.length];
}

/**
 * What the principal is worth above what the recipient gets, at the middle rate of the price, in
 * the send currency: principal − receive ÷ middle, half-even. It is the margin of the exchange rate
 * as the World Bank's Remittance Prices Worldwide has it (middle against the customer's rate).
 */
export function fxMarginOf({ price, terms }: Pick<Transaction, "price" | "terms">): bigint {
  return price.principal.minor - worthOf(price, terms.middleRate);
}

/**
 * What the payout became cheaper by from its price to its settlement, in the send currency:
 * receive ÷ middle then − receive ÷ middle at the settlement, each half-even, so that margin and
 * slippage together are principal − receive ÷ middle at the settlement.
 */
function slippageOf({ price, terms }: Transaction, middle: string | undefined): bigint | undefined {
  if (price.principal.currency === price.receive.currency) return 0n;
  if (middle === undefined) return undefined;
  const slippage = worthOf(price, terms.middleRate) - worthOf(price, middle);
  return slippage > maxInt64 || slippage < minInt64 ? undefined : slippage;
}

function worthOf({ principal, receive }: Transaction["price"], middle: string): bigint {
  return divideMinor(receive, parseDecimal(middle), principal.currency, roundings.worth);
}

function partnerOf({ payout, pickup, recipientWallet }: Transaction): string {
  if (payout?.sentAt === undefined || pickup !== undefined || recipientWallet !== undefined) return "";
  return payout.installationId ?? operatorsPartner;
}

type Happened = Omit<CountedEvent, "day" | "slippageMinor"> & { at: Date };

const kindOfStatus: Partial<Record<TransactionStatus, EventKind>> = {
  PROCESSING: "SENT",
  READY_FOR_PICKUP: "READY",
  COMPLETED: "COMPLETED",
  FAILED: "FAILED",
  RETURNED: "RETURNED",
  CANCELLED: "CANCELLED",
  EXPIRED: "EXPIRED",
  REJECTED: "REJECTED",
};

/** All that has happened, each kind the first time. What a block hides has not. */
function eventsOf(transaction: Transaction, endOf: CountedBy["endOf"]): Happened[] {
  const { timeline, createdAt, paidAt } = transaction;
  const firsts = new Map<EventKind, Happened>([["CREATED", { kind: "CREATED", at: createdAt }]]);
  if (paidAt !== undefined) firsts.set("PAID", { kind: "PAID", at: paidAt });
  for (const { status, at, shownAs } of timeline) {
    const kind = kindOfStatus[status];
    if (kind === undefined || shownAs !== undefined || firsts.has(kind)) continue;
    const reason = reasonOf(transaction, kind);
    firsts.set(kind, { kind, at, ...(reason !== undefined && { reason }) });
  }
  const available = availableAt(transaction);
  const promise = available && promiseOf(transaction, endOf, available);
  if (available !== undefined && promise !== undefined) {
    firsts.set("AVAILABLE", { kind: "AVAILABLE", at: available, reason: promise });
  }
  const refunded = timeline.find(({ status }) => status === "REFUNDED");
  const isEnded = firsts.has("FAILED") || firsts.has("RETURNED") || firsts.has("COMPLETED");
  if (refunded !== undefined && !isEnded) {
    firsts.set("CANCELLED", { kind: "CANCELLED", at: refunded.at, reason: "PAID" });
  }
  return [...firsts.values(), ...refundsOf(transaction)];
}

function reasonOf({ payout, refunds = [] }: Transaction, kind: EventKind): (typeof reasons)[number] | undefined {
  switch (kind) {
    case "FAILED":
      if (payout?.decided !== undefined) return "DECIDED";
      return payout?.outcome === "RECALLED" || payout?.outcome === "NOT_SENT" ? payout.outcome : "REFUSED";
    case "RETURNED":
      if (refunds.some(({ fromRecipient, status }) => fromRecipient && status === "DONE")) return "TAKEN_BACK";
      return payout?.decided === undefined ? "RETURNED" : "DECIDED";
    case "CANCELLED":
    case "EXPIRED":
      return "UNPAID";
    case "REJECTED":
      return "COMPLIANCE";
    default:
      return undefined;
  }
}

/** What went back: all of it with the payout's own, which takes fees and taxes back, too. */
function refundsOf({ payout, price, refunds = [] }: Transaction): Happened[] {
  const requested = refunds.filter(({ status, fromRecipient }) => status === "DONE" && fromRecipient === undefined);
  const ofExpense = requested.map(({ refundId, amount, doneAt }): Happened => {
    const back = { minor: amount.minor, fees: 0n, taxes: 0n, isReturn: false };
    return { kind: "REFUNDED", id: refundId, at: doneAt!, back };
  });
  if (payout?.refundedAt === undefined || payout.refunded === undefined) return ofExpense;
  const back = {
    minor: payout.refunded.minor,
    fees: price.totalFees.minor,
    taxes: price.totalTaxes.minor,
    isReturn: payout.settledAt !== undefined,
  };
  return [...ofExpense, { kind: "REFUNDED", id: "payout", at: payout.refundedAt, back }];
}
