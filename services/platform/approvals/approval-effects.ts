import { createHash } from "node:crypto";
import type { ApprovalEffect as WireEffect } from "../../../proto/gen/identity/v1/approvals.js";
import type { ApprovalChange } from "./approval-changes.js";
import { formatMoney, moneyFromWire, moneyToWire, type Money } from "../../kernel/money.js";

/** What is done to one thing where an approval is carried out. */
export const effectKinds = [
  "HIT_CONFIRMED",
  "HIT_RELEASED",
  "CUSTOMER_BLOCKED",
  "CUSTOMER_UNBLOCKED",
  "CUSTOMER_STATUS_SET",
  "TRANSACTION_BLOCKED",
  "TRANSACTION_RELEASED",
  "TRANSACTION_SENT_BACK",
  "TRANSACTION_DECIDED_ANEW",
  "WALLET_FROZEN",
  "WALLET_UNFROZEN",
  "MONEY_PAID_OUT",
  "TILL_CLOSED",
  /** Whoever holds the till may take it; nothing is booked before. */
  "CASH_IN_ALLOWED",
  "MONEY_REFUNDED",
  "PAYOUT_ENDED",
  "TRANSACTION_AMENDED",
  "PARTNER_ASKED_TO_AMEND",
  "REPAYMENT_VERIFIED",
  "REPAYMENT_REJECTED",
  "LOAN_WRITTEN_OFF",
  "LIMIT_SET",
  "CORRIDOR_SET",
  "RATE_SET",
  /** Too old to be put; it counts when its source says it again. */
  "RATE_ACCEPTED",
  "PLUGIN_SET",
  "SETTING_SET",
  "FACTORS_TAKEN_AWAY",
  "ACCOUNT_DEBITED",
  "ACCOUNT_CREDITED",
  "PERIOD_REOPENED",
  /** Approved or not, nothing comes of it any more: what it was asked about has changed. */
  "NOTHING_DONE",
] as const;
export type EffectKind = (typeof effectKinds)[number];

/**
 * One thing that is done, or to be done; ids and figures alone, and nothing that
 * differs when it is told again.
 */
export interface ApprovalEffect {
  kind: EffectKind;
  /** Such as "transaction:…". */
  subject: string;
  /** Absent where none moves. */
  amount?: Money;
  /** Of what is set: one field. */
  change?: ApprovalChange;
}

/** What is set, field by field; the subject alone where nothing differs. */
export function setEffects(kind: EffectKind, subject: string, changes: readonly ApprovalChange[]): ApprovalEffect[] {
  return changes.length === 0 ? [{ kind, subject }] : changes.map((change) => ({ kind, subject, change }));
}

/** More of them are counted, and are in the digest. */
export const maxEffects = 1_000;
/** So many of what was done are told to identity at once. */
export const maxPublishedEffects = 5_000;

/** Where whoever carries an approval out notes what that does, beside the write that does it. */
export interface EffectLog {
  add(...effects: ApprovalEffect[]): void;
  /**
   * What neighbours will do by rows that this leaves; asked where it is
   * foreseen alone, behind the rehearsal.
   */
  foresee(ask: () => Promise<ApprovalEffect[]>): void;
}

/** For what is done without an approval. */
export const discardedEffects: EffectLog = { add() {}, foresee() {} };

/** Effects of one run, and the questions that are left to neighbours. */
export function createEffectLog() {
  const effects: ApprovalEffect[] = [];
  const asks: (() => Promise<ApprovalEffect[]>)[] = [];
  const log: EffectLog = {
    add: (...more) => void effects.push(...more),
    foresee: (ask) => void asks.push(ask),
  };
  return { log, effects, asks };
}

/** Each once, in the order that the digest is over. */
export function canonical(effects: readonly ApprovalEffect[]): ApprovalEffect[] {
  const byText = new Map(effects.map((effect) => [textOf(effect), effect]));
  return [...byText].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, effect]) => effect);
}

/** Of effects in their order, and of the approval that they are of. */
export function digestOf(approvalId: string, effects: readonly ApprovalEffect[]): string {
  const hash = createHash("sha256").update(approvalId);
  for (const effect of effects) hash.update("\n").update(textOf(effect));
  return hash.digest("hex");
}

/**
 * What is foreseen, as it is told of effects in their order: the first thousand, how many, a digest
 * over all, and prints of the rest.
 */
export function publishedEffects(approvalId: string, all: readonly ApprovalEffect[]) {
  const rest = all.slice(maxEffects);
  return {
    digest: digestOf(approvalId, all),
    effects: all.slice(0, maxEffects),
    count: all.length,
    ...(rest.length > 0 && { prints: printsOf(rest) }),
  };
}

/** Bytes of each in `printsOf`: what is done to what, and how much money that is. */
const [placeBytes, moneyBytes] = [12, 4];
const printBytes = placeBytes + moneyBytes;

/** Of effects that are too many to be kept: enough to know each again. Base64. */
export function printsOf(effects: readonly ApprovalEffect[]): string {
  return Buffer.concat(effects.map(printOf)).toString("base64");
}

export const countOfPrints = (prints: string) => Buffer.byteLength(prints, "base64") / printBytes;

/** Effects that are known: the first of them, and prints of the rest. */
export interface KnownEffects {
  effects: readonly ApprovalEffect[];
  prints?: string | undefined;
}

/** Those that were not foreseen; an amount that only one of the two tells makes no difference. */
export function beyond(done: readonly ApprovalEffect[], published: readonly KnownEffects[]): ApprovalEffect[] {
  const amounts = new Map<string, Set<string>>();
  const noting = (print: Buffer) => {
    const [place, money] = [print.toString("hex", 0, placeBytes), print.toString("hex", placeBytes)];
    amounts.set(place, (amounts.get(place) ?? new Set()).add(money));
  };
  for (const { effects, prints = "" } of published) {
    effects.forEach((one) => noting(printOf(one)));
    const rest = Buffer.from(prints, "base64");
    for (let at = 0; at < rest.length; at += printBytes) noting(rest.subarray(at, at + printBytes));
  }
  return canonical(done).filter((one) => {
    const print = printOf(one);
    const known = amounts.get(print.toString("hex", 0, placeBytes));
    const own = print.toString("hex", placeBytes);
    return known === undefined || (own !== noMoney && !known.has(noMoney) && !known.has(own));
  });
}

function printOf(effect: ApprovalEffect): Buffer {
  const hashOf = (text: string) => createHash("sha256").update(text).digest();
  const money = effect.amount === undefined ? Buffer.alloc(moneyBytes) : hashOf(moneyText(effect.amount));
  return Buffer.concat([hashOf(placeOf(effect)).subarray(0, placeBytes), money.subarray(0, moneyBytes)]);
}
const noMoney = "00".repeat(moneyBytes);

/** In one line, for whoever is refused: "TRANSACTION_BLOCKED transaction:… 100.00 NGN". */
export function effectText({ kind, subject, amount, change }: ApprovalEffect): string {
  const money = amount === undefined ? "" : ` ${moneyText(amount)}`;
  const set = change === undefined ? "" : ` ${change.field}: ${change.before} → ${change.after} ${change.currency}`;
  return `${kind} ${subject}${money}${set}`.trim();
}

function placeOf({ kind, subject, change }: ApprovalEffect): string {
  return JSON.stringify([kind, subject, change ?? null]);
}

function textOf(effect: ApprovalEffect): string {
  const { kind, subject, amount, change } = effect;
  const { field, before, after, currency } = change ?? { field: "", before: "", after: "", currency: "" };
  const money = amount === undefined ? "" : moneyText(amount);
  return JSON.stringify([kind, subject, money, field, before, after, currency]);
}

const moneyText = (amount: Money) => `${formatMoney(amount)} ${amount.currency}`;

export function effectToWire({ amount, change, ...rest }: ApprovalEffect): WireEffect {
  return { ...rest, amount: amount && moneyToWire(amount), change };
}

export function effectFromWire({ kind, subject, amount, change }: WireEffect): ApprovalEffect {
  return {
    kind: kind as EffectKind,
    subject,
    ...(amount && { amount: moneyFromWire(amount, "effects.amount") }),
    ...(change && { change }),
  };
}
