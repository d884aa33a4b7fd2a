import { dayText, type CountedDay } from "./days.js";
import type { Account, Figures, NewTransfer, Pending, RefusedCode, RefusedGroup, Reversible } from "./model.js";

/** Accounts and earlier transfers as they stand before a transfer. */
export interface Found {
  account(accountId: string): Account | undefined;
  pending(key: string): Pending | undefined;
  /** The transfer of a key, where a reversal names it. */
  reversible(key: string): Reversible | undefined;
}

/**
 * A transfer with its accounts and amount found; for a resolution with the pending transfer it
 * ends.
 */
export interface Step {
  readonly requested: NewTransfer;
  readonly debit: Account;
  readonly credit: Account;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly pending?: Pending;
  readonly dueAtMs?: number;
}

/**
 * Finds what a transfer moves between whom as things stand, or says why it may not. Figures and
 * flags come later.
 */
export function resolve(requested: NewTransfer, scratch: Found, timeMs: number): Step | RefusedGroup {
  if (isResolution(requested)) return resolvePending(requested, scratch, timeMs);
  return isReversal(requested) ? resolveReversal(requested, scratch) : resolveAccounts(requested, scratch, timeMs);
}

/** What was moved, the other way round. */
function resolveReversal(requested: NewTransfer, scratch: Found): Step | RefusedGroup {
  const found = scratch.reversible(requested.refersTo);
  if (found === undefined) return refusal("TRANSFER_NOT_FOUND", `no transfer ${requested.refersTo}`);
  const { transfer, reversedBy } = found;
  if (!movesMoney(transfer)) {
    return refusal("TRANSFER_NOT_REVERSIBLE", `transfer ${transfer.key} moved nothing, it only reserved or released`);
  }
  if (transfer.mode === "POSTED" && transfer.refersTo !== "") {
    return refusal("TRANSFER_NOT_REVERSIBLE", `transfer ${transfer.key} is a reversal itself`);
  }
  if (reversedBy !== undefined) {
    return refusal("TRANSFER_ALREADY_REVERSED", `transfer ${transfer.key} was reversed by ${reversedBy}`);
  }
  const { currency, amountMinor } = transfer;
  const debit = scratch.account(transfer.creditAccountId);
  const credit = scratch.account(transfer.debitAccountId);
  if (debit === undefined || credit === undefined) throw new Error(`accounts of transfer ${transfer.key} are missing`);
  return refuseClosed([debit, credit]) ?? { requested, debit, credit, currency, amountMinor };
}

function refuseClosed(accounts: readonly Account[]): RefusedGroup | undefined {
  const closed = accounts.find(({ info }) => info.flags.includes("CLOSED"));
  return closed && refusal("ACCOUNT_CLOSED", `account ${closed.info.accountId} is closed`);
}

/** Late news that is not to count for another day. */
export function refuseLate({ requested }: Step, { day, belongsTo }: CountedDay): RefusedGroup | undefined {
  if (requested.refusesLate !== true || belongsTo === undefined) return undefined;
  return refusal("PERIOD_CLOSED", `${dayText(belongsTo)} is closed, the first open day is ${dayText(day)}`);
}

function resolveAccounts(requested: NewTransfer, scratch: Found, timeMs: number): Step | RefusedGroup {
  const debit = scratch.account(requested.debitAccountId);
  const credit = scratch.account(requested.creditAccountId);
  if (debit === undefined) return refusal("ACCOUNT_NOT_FOUND", `no account ${requested.debitAccountId}`);
  if (credit === undefined) return refusal("ACCOUNT_NOT_FOUND", `no account ${requested.creditAccountId}`);
  if (requested.amount === undefined) throw new Error(`transfer ${requested.key} has no amount`);
  const { minor, currency } = requested.amount;
  for (const { info } of [debit, credit]) {
    if (info.flags.includes("CLOSED")) return refusal("ACCOUNT_CLOSED", `account ${info.accountId} is closed`);
    if (info.currency !== currency) {
      return refusal("CURRENCY_MISMATCH", `account ${info.accountId} holds ${info.currency}, not ${currency}`);
    }
  }
  const amountMinor = requested.isUpTo === true ? atMost(minor, debit, credit) : minor;
  if (amountMinor <= 0n) return short(debit, amountMinor, minor);
  const dueAtMs = requested.timeoutMs === undefined ? undefined : timeMs + requested.timeoutMs;
  return { requested, debit, credit, currency, amountMinor, ...(dueAtMs === undefined ? {} : { dueAtMs }) };
}

/**
 * Of the amount, what the debit account has and the credit account may take; zero or less when
 * there is nothing.
 */
function atMost(amountMinor: bigint, debit: Account, credit: Account): bigint {
  const limits = [amountMinor, availableDebitMinor(debit.figures)];
  if (credit.info.flags.includes("CREDITS_MUST_NOT_EXCEED_DEBITS")) limits.push(availableCreditMinor(credit.figures));
  return limits.reduce((least, limit) => (limit < least ? limit : least));
}

/** Posted credits that are neither spent nor reserved, minor units. */
export function availableDebitMinor({ creditsPostedMinor, debitsPostedMinor, debitsPendingMinor }: Figures): bigint {
  return creditsPostedMinor - debitsPostedMinor - debitsPendingMinor;
}

/** Posted debits that are neither balanced nor about to be, minor units. */
export function availableCreditMinor({ debitsPostedMinor, creditsPostedMinor, creditsPendingMinor }: Figures): bigint {
  return debitsPostedMinor - creditsPostedMinor - creditsPendingMinor;
}

function resolvePending(requested: NewTransfer, scratch: Found, timeMs: number): Step | RefusedGroup {
  const pending = scratch.pending(requested.refersTo);
  if (pending === undefined) return refusal("PENDING_NOT_FOUND", `no pending transfer ${requested.refersTo}`);
  const isDue = pending.dueAtMs !== undefined && pending.dueAtMs <= timeMs;
  const asksToExpire = requested.mode === "EXPIRE_PENDING";
  // Past its timeout a pending transfer is over, whether or not the sweep has been by.
  if (pending.state === "EXPIRED" || (pending.state === "PENDING" && isDue && !asksToExpire)) {
    return refusal("PENDING_EXPIRED", `pending transfer ${pending.key} is past its timeout`);
  }
  if (pending.state !== "PENDING") {
    return refusal("PENDING_ALREADY_RESOLVED", `pending transfer ${pending.key} is ${pending.state.toLowerCase()}`);
  }
  if (asksToExpire && !isDue) return refusal("STATE_CONFLICT", `pending transfer ${pending.key} is not due`);
  const debit = scratch.account(pending.debitAccountId);
  const credit = scratch.account(pending.creditAccountId);
  if (debit === undefined || credit === undefined) throw new Error(`accounts of pending ${pending.key} are missing`);
  const found = { requested, debit, credit, currency: pending.currency, pending };
  if (requested.mode !== "POST_PENDING") return { ...found, amountMinor: pending.amountMinor };
  const closed = refuseClosed([debit, credit]);
  if (closed !== undefined) return closed;
  if (requested.amount === undefined) return { ...found, amountMinor: pending.amountMinor };
  const { minor: amountMinor, currency } = requested.amount;
  if (currency !== pending.currency) {
    return refusal("CURRENCY_MISMATCH", `pending transfer ${pending.key} is in ${pending.currency}, not ${currency}`);
  }
  if (amountMinor > pending.amountMinor) {
    const figures = { available: pending.amountMinor, requested: amountMinor };
    return refusal("PENDING_AMOUNT_EXCEEDED", `pending transfer ${pending.key} reserves less`, 0, figures);
  }
  return { ...found, amountMinor };
}

/** Not enough of what a flag demands. */
export function short(account: Account, available: bigint, requestedMinor: bigint): RefusedGroup {
  const message = `account ${account.info.accountId} has ${available} of ${requestedMinor} minor units`;
  return refusal("INSUFFICIENT_FUNDS", message, 0, { available, requested: requestedMinor });
}

/** True for a transfer that ends a pending one and takes its accounts from there. */
export function isResolution({ mode }: Pick<NewTransfer, "mode">): boolean {
  return mode === "POST_PENDING" || mode === "VOID_PENDING" || mode === "EXPIRE_PENDING";
}

/**
 * True for a transfer that moves back what an earlier one moved, and takes its accounts and amount
 * from there.
 */
export function isReversal({ mode, refersTo }: Pick<NewTransfer, "mode" | "refersTo">): boolean {
  return mode === "POSTED" && refersTo !== "";
}

/** True for the modes that change posted balances; the others only reserve or release. */
export function movesMoney({ mode }: Pick<NewTransfer, "mode">): boolean {
  return mode === "POSTED" || mode === "POST_PENDING";
}

/** Figures in minor units, where the rule has some. */
export function refusal(
  code: RefusedCode,
  message: string,
  transferIndex = 0,
  figures: { available?: bigint; requested?: bigint } = {},
): RefusedGroup {
  return {
    code,
    message,
    transferIndex,
    availableMinor: figures.available ?? 0n,
    askedMinor: figures.requested ?? 0n,
  };
}
