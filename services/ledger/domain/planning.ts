import { maxInt64 } from "../../kernel/money.js";
import { chainHash } from "./canonical.js";
import { mayDebit } from "./accounts.js";
import { isDebitNormal } from "./chart.js";
import { bookDay, type DayChange } from "./day-sums.js";
import type { CountedDay, DayCount } from "./days.js";
import type {
  Account,
  DaySums,
  Figures,
  LinkedGroup,
  NewTransfer,
  Pending,
  PendingState,
  RefusedGroup,
  Reversible,
  Transfer,
} from "./model.js";
import {
  availableCreditMinor,
  availableDebitMinor,
  isResolution,
  isReversal,
  movesMoney,
  refusal,
  refuseLate,
  resolve,
  short,
  type Found,
  type Step,
} from "./steps.js";

/** The accounts and pending transfers as they stand before a group. */
export interface View extends Found {
  readonly days: DayCount;
}

/** Where the chain stands: the next transfer has seq + 1 and hashes this hash. */
export interface Tip {
  readonly seq: bigint;
  readonly hash: Uint8Array;
}

export type Plan =
  | {
      readonly kind: "posted";
      readonly transfers: readonly Transfer[];
      readonly accounts: ReadonlyMap<string, Account>;
      readonly pendings: ReadonlyMap<string, Pending>;
      /** Those that were reversed, by their keys. */
      readonly reversals: ReadonlyMap<string, Reversible>;
      readonly days: readonly DayChange[];
      readonly tip: Tip;
    }
  /**
   * `decided`: the refusal depends on state and is kept, so that a late duplicate cannot succeed
   * after it.
   */
  | { readonly kind: "refused"; readonly refusal: RefusedGroup; readonly decided: boolean };

/**
 * The rules that need no state: each amount positive, two accounts per transfer, no key twice.
 * Never stored.
 */
export function refuseByForm(group: LinkedGroup): RefusedGroup | undefined {
  const keys = new Set<string>();
  for (const [index, transfer] of group.transfers.entries()) {
    if (transfer.amount !== undefined && transfer.amount.minor <= 0n) {
      return refusal("AMOUNT_NOT_POSITIVE", "the amount must be positive", index, { requested: transfer.amount.minor });
    }
    if (transfer.debitAccountId !== "" && transfer.debitAccountId === transfer.creditAccountId) {
      return refusal("SAME_ACCOUNT", "debit and credit must be two accounts", index);
    }
    if (keys.has(transfer.key)) {
      return refusal("KEY_REUSED", `the key ${transfer.key} stands twice in one group`, index);
    }
    keys.add(transfer.key);
  }
  return undefined;
}

/**
 * Plans a linked group against the accounts as they stand: all of its transfers, chained, or one
 * refusal. Debits equal credits by construction: one amount leaves one account and reaches one
 * other.
 */
export function planGroup(group: LinkedGroup, view: View, tip: Tip, timeMs: number): Plan {
  const stranger = refuseStrangers(group, view);
  if (stranger !== undefined) return { kind: "refused", refusal: stranger, decided: false };
  const scratch = createScratch(view);
  const transfers: Transfer[] = [];
  let { seq, hash } = tip;
  for (const [index, requested] of group.transfers.entries()) {
    const step = resolve(requested, scratch, timeMs);
    const counted = view.days.of(requested);
    const refused =
      "code" in step
        ? step
        : (refuseLate(step, counted) ?? apply(step, scratch, seq + 1n, { today: view.days.today, ...counted }));
    if (refused !== undefined) {
      // A period may open again: what is refused for it decides nothing about the key.
      const decided = requested.mode !== "EXPIRE_PENDING" && refused.code !== "PERIOD_CLOSED";
      return { kind: "refused", refusal: { ...refused, transferIndex: index }, decided };
    }
    seq += 1n;
    const transfer = chained(group, index, step as Step, scratch, { seq, hash, timeMs, ...counted });
    hash = transfer.hash;
    transfers.push(transfer);
    if (isReversal(requested)) {
      scratch.reversals.set(requested.refersTo, {
        ...scratch.reversible(requested.refersTo)!,
        reversedBy: requested.key,
      });
    }
    if (group.transfers.length > 1) scratch.posted.set(requested.key, transfer);
  }
  const { accounts, pendings, reversals, days } = scratch;
  return { kind: "posted", transfers, accounts, pendings, reversals, days, tip: { seq, hash } };
}

/**
 * Who may not take from an account: see `mayDebit`. Not a decision about the key: another may hold
 * it.
 */
function refuseStrangers(group: LinkedGroup, view: View): RefusedGroup | undefined {
  for (const [index, transfer] of group.transfers.entries()) {
    if (transfer.mode === "EXPIRE_PENDING") continue;
    const debitId = debitAccountIdOf(transfer, view);
    const info = debitId === undefined ? undefined : view.account(debitId)?.info;
    if (info !== undefined && !mayDebit(info, group.service)) {
      const message = `only ${info.service} may debit accounts of ${info.code}`;
      return refusal("NOT_ACCOUNT_OWNER", message, index);
    }
  }
  return undefined;
}

function debitAccountIdOf(transfer: NewTransfer, view: View): string | undefined {
  if (isResolution(transfer)) return view.pending(transfer.refersTo)?.debitAccountId;
  if (isReversal(transfer)) return view.reversible(transfer.refersTo)?.transfer.creditAccountId;
  return transfer.debitAccountId;
}

/** Moves the figures on both sides in the scratch, or says why not. */
function apply(
  step: Step,
  scratch: Scratch,
  seq: bigint,
  { day, today }: CountedDay & Pick<DayCount, "today">,
): RefusedGroup | undefined {
  const { requested, amountMinor, pending } = step;
  const posted = movesMoney(requested) ? amountMinor : 0n;
  const reserved = requested.mode === "PENDING" ? amountMinor : -(pending?.amountMinor ?? 0n);
  const debit: Figures = {
    ...step.debit.figures,
    debitsPostedMinor: step.debit.figures.debitsPostedMinor + posted,
    debitsPendingMinor: step.debit.figures.debitsPendingMinor + reserved,
    lastSeq: seq,
  };
  const credit: Figures = {
    ...step.credit.figures,
    creditsPostedMinor: step.credit.figures.creditsPostedMinor + posted,
    creditsPendingMinor: step.credit.figures.creditsPendingMinor + reserved,
    lastSeq: seq,
  };
  // What a resolution needs was reserved before; only new amounts can break a flag or a limit.
  const refused = pending === undefined ? refuseFigures(step, debit, credit) : undefined;
  if (refused !== undefined) return refused;
  book(step.debit, debit, posted === 0n ? undefined : { day, debitsMinor: posted, creditsMinor: 0n });
  book(step.credit, credit, posted === 0n ? undefined : { day, debitsMinor: 0n, creditsMinor: posted });
  if (requested.mode === "PENDING") scratch.pendings.set(requested.key, newPending(step));
  if (pending !== undefined) {
    const state = resolvedStates[requested.mode as keyof typeof resolvedStates];
    scratch.pendings.set(pending.key, { ...pending, state, resolvedBy: requested.key });
  }
  return undefined;

  function book(account: Account, figures: Figures, sums: DaySums | undefined): void {
    const { accountId } = account.info;
    if (sums === undefined) return void scratch.accounts.set(accountId, { ...account, figures });
    const { openDay, changes } = bookDay(account, sums, today);
    for (const change of changes) scratch.days.push(change);
    scratch.accounts.set(accountId, { ...account, figures, ...(openDay === undefined ? {} : { openDay }) });
  }
}

const resolvedStates = {
  POST_PENDING: "POSTED",
  VOID_PENDING: "VOIDED",
  EXPIRE_PENDING: "EXPIRED",
} as const satisfies Record<string, PendingState>;

function newPending({ requested, debit, credit, currency, amountMinor, dueAtMs }: Step): Pending {
  return {
    key: requested.key,
    debitAccountId: debit.info.accountId,
    creditAccountId: credit.info.accountId,
    currency,
    amountMinor,
    ...(dueAtMs === undefined ? {} : { dueAtMs }),
    state: "PENDING",
  };
}

function refuseFigures(step: Step, after: Figures, creditAfter: Figures) {
  const { requested, debit, credit, amountMinor: requestedMinor } = step;
  const { staysWithin, beyondMinor = 0n } = requested;
  // No credit line goes beyond what the account itself says.
  const isFlaggedDebit = debit.info.flags.includes("DEBITS_MUST_NOT_EXCEED_CREDITS");
  if (isFlaggedDebit || staysWithin === "DEBIT") {
    const available = availableDebitMinor(debit.figures) + (isFlaggedDebit ? 0n : beyondMinor);
    if (requestedMinor > available) return short(debit, available, requestedMinor);
  }
  const isFlaggedCredit = credit.info.flags.includes("CREDITS_MUST_NOT_EXCEED_DEBITS");
  if (isFlaggedCredit || staysWithin === "CREDIT") {
    const available = availableCreditMinor(credit.figures) + (isFlaggedCredit ? 0n : beyondMinor);
    if (requestedMinor > available) return short(credit, available, requestedMinor);
  }
  // A balance stays within int64 even when all that is pending is posted; what went through does
  // not matter.
  const largest = [
    -availableDebitMinor(after),
    -availableCreditMinor(creditAfter),
    after.debitsPendingMinor,
    creditAfter.creditsPendingMinor,
  ].reduce((most, one) => (one > most ? one : most));
  if (largest > maxInt64) {
    const figures = { available: maxInt64 - (largest - requestedMinor), requested: requestedMinor };
    return refusal("AMOUNT_TOO_LARGE", "the account's balance would pass what it can hold", 0, figures);
  }
  return undefined;
}

function chained(
  group: LinkedGroup,
  index: number,
  step: Step,
  scratch: Scratch,
  { seq, hash, timeMs, day, belongsTo }: Tip & CountedDay & { readonly timeMs: number },
): Transfer {
  const { requested, debit, credit } = step;
  const transfer = {
    seq,
    timeMs,
    key: requested.key,
    mode: requested.mode,
    debitAccountId: debit.info.accountId,
    creditAccountId: credit.info.accountId,
    currency: step.currency,
    amountMinor: step.amountMinor,
    kind: requested.kind,
    refersTo: requested.refersTo,
    ...(step.dueAtMs === undefined ? {} : { dueAtMs: step.dueAtMs }),
    effectiveAtMs: requested.effectiveAtMs ?? timeMs,
    day,
    ...(belongsTo === undefined ? {} : { belongsTo }),
    description: requested.description,
    metadata: requested.metadata,
    interactionId: group.interactionId,
    createdBy: group.createdBy,
    service: group.service,
    link: { key: group.transfers[0]!.key, index, size: group.transfers.length },
    debitBalanceMinor: balanceMinor(scratch.account(debit.info.accountId)!),
    creditBalanceMinor: balanceMinor(scratch.account(credit.info.accountId)!),
  };
  return { ...transfer, hash: chainHash(transfer, hash) };
}

/**
 * Posted balance on the account's normal side, minor units; negative when the other side is larger.
 */
export function balanceMinor({ info, figures }: Account): bigint {
  const { debitsPostedMinor, creditsPostedMinor } = figures;
  return isDebitNormal(info.type) ? debitsPostedMinor - creditsPostedMinor : creditsPostedMinor - debitsPostedMinor;
}

type Scratch = ReturnType<typeof createScratch>;

/** What one group has changed so far over the view; thrown away when the group is refused. */
function createScratch(view: View) {
  const accounts = new Map<string, Account>();
  const pendings = new Map<string, Pending>();
  const reversals = new Map<string, Reversible>();
  const posted = new Map<string, Transfer>();
  const days: DayChange[] = [];
  return {
    accounts,
    pendings,
    reversals,
    /** Transfers of this group, which it may reverse itself. */
    posted,
    days,
    reversible: (key: string): Reversible | undefined => {
      const own = posted.get(key);
      return reversals.get(key) ?? (own === undefined ? view.reversible(key) : { transfer: own });
    },
    account: (accountId: string) => accounts.get(accountId) ?? view.account(accountId),
    pending: (key: string) => pendings.get(key) ?? view.pending(key),
  };
}
