import { createHash } from "node:crypto";
import type { ApprovalEffect as WireEffect } from "../../proto/gen/identity/v1/approvals.js";
import type { ApprovalChange } from "./approval-changes.js";
import { formatMoney, moneyFromWire, moneyToWire, type Money } from "./money.js";

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
  "MONEY_PAID_IN",
  "MONEY_PAID_OUT",
  "MONEY_REFUNDED",
  "PAYOUT_ENDED",
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
  /** Approved or not, nothing comes of it any more: what it was asked about has changed. */
  "NOTHING_DONE",
] as const;
export type EffectKind = (typeof effectKinds)[number];

/** One thing that is done, or to be done; ids and figures alone, and nothing that differs when it is told again. */
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

/** Where whoever carries an approval out notes what that does, beside the write that does it. */
export interface EffectLog {
  add(...effects: ApprovalEffect[]): void;
  /** What neighbours will do by rows that this leaves; asked where it is foreseen alone, behind the rehearsal. */
  foresee(ask: () => Promise<ApprovalEffect[]>): void;
}

/** For what is done without an approval. */
export const unheardEffects: EffectLog = { add() {}, foresee() {} };

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

/** Those that were not foreseen; an amount that only one of the two tells makes no difference. */
export function beyond(done: readonly ApprovalEffect[], known: readonly ApprovalEffect[]): ApprovalEffect[] {
  const amounts = new Map(known.map((one) => [placeOf(one), one.amount]));
  return canonical(done).filter((one) => {
    if (!amounts.has(placeOf(one))) return true;
    const amount = amounts.get(placeOf(one));
    return amount !== undefined && one.amount !== undefined && moneyText(amount) !== moneyText(one.amount);
  });
}

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
