import type { Connection } from "mongoose";
import { chartRow } from "../../../services/ledger/domain/chart.js";
import type { AccountFlag, Decision, LinkedGroup } from "../../../services/ledger/domain/model.js";
import type { Journal } from "../../../services/ledger/journal/journal.js";
import { JournalLost } from "../../../services/ledger/journal/lost.js";
import type { Call } from "../../../services/kernel/grpc/context.js";
import { Refusal } from "../../../services/kernel/refusal.js";
import { silentLog } from "../../support/index.js";
import { openLedger } from "../../support/ledger-journal.js";
import { businessTime } from "../../../services/platform/preferences/business-clock.js";
import type { Answer, BookAccount } from "../ledger-book-state.js";
import { createBook, type Book } from "../ledger-book.js";
import type { Backup } from "./backup.js";

export const accounts = new Map<string, BookAccount & { flags: AccountFlag[] }>();
const account = (id: string, code: string, currency: string, flags: AccountFlag[] = []) => {
  const { type, service } = chartRow(code)!;
  const bound = flags.includes("DEBITS_MUST_NOT_EXCEED_CREDITS")
    ? ({ bound: "debits" } as const)
    : flags.includes("CREDITS_MUST_NOT_EXCEED_DEBITS")
      ? ({ bound: "credits" } as const)
      : {};
  const closed = flags.includes("CLOSED") ? ({ isClosed: true } as const) : {};
  accounts.set(id, { code, currency, flags, service, isDebitNormal: type === "ASSET", ...bound, ...closed });
};
account("bank", "bank_settlement", "USD");
for (const id of ["w1", "w2", "w3", "w4"]) account(id, "customer_wallet", "USD", ["DEBITS_MUST_NOT_EXCEED_CREDITS"]);
account("cash", "bank_settlement", "USD", ["CREDITS_MUST_NOT_EXCEED_DEBITS"]);
account("eur", "customer_wallet", "EUR");
account("closed", "customer_wallet", "USD", ["CLOSED"]);
account("fees", "fee_income", "USD");
export const positionCode = "wallet_exchange_position";
for (const currency of ["EUR", "USD"]) account(`${positionCode}:${currency}`, positionCode, currency);
export const names = [...accounts.keys(), "unknown"];

/**
 * What a run is there for: how often each happened. A run in which one never did has proved less.
 */
export type Paths = Map<string, number>;

/**
 * Where the tenant counts its days, and when a run begins there: ten minutes before midnight, at
 * the end of a day of 25 hours in New York.
 */
export const places = [
  { timeZone: "UTC", startMs: Date.UTC(2026, 10, 1, 23, 50) },
  { timeZone: "America/New_York", startMs: Date.UTC(2026, 10, 2, 4, 50) },
  { timeZone: "Australia/Lord_Howe", startMs: Date.UTC(2026, 10, 1, 12, 50) },
];
export type Place = (typeof places)[number];

/** The model: the book, what was sent, and a clock of its own. */
export interface Model {
  readonly book: Book;
  /** How the tenant counts days: a sandbox moves its clock on. */
  readonly calendar: { readonly timeZone: string; aheadMs: number };
  /** The business day of a time that its clock shows. */
  readonly dayOf: (timeMs: number) => number;
  readonly sent: LinkedGroup[];
  nowMs: number;
  lastCommitMs: number;
  /** Time of the commit that gathers; keys of what is in it. */
  gatheringMs: number | undefined;
  readonly gathering: Set<string>;
  /** Holds that were open when the journal last changed hands. */
  heldOver: Set<string>;
  backup: Backup | undefined;
  readonly paths: Paths;
}

/**
 * The ledger: requests gather as they would while a commit runs, and are then posted all at once.
 */
export interface Real {
  readonly db: Connection;
  readonly ledger: Awaited<ReturnType<typeof openLedger>>;
  readonly clock: { nowMs: number };
  journal: Journal;
  waiting: { group: LinkedGroup; expected: Answer }[];
}

export const count = (paths: Paths, path: string): void => void paths.set(path, (paths.get(path) ?? 0) + 1);

/** A tenant of its own with its accounts, and a book that knows them. */
export async function createWorld(
  db: Connection,
  { timeZone, startMs }: Place,
  caching: { maxCachedAccounts: number; doubtMs: number },
  paths: Paths,
) {
  const { maxCachedAccounts, doubtMs } = caching;
  const clock = { nowMs: startMs };
  const calendar = { timeZone, aheadMs: 0 };
  const ledger = await openLedger(db, {
    limits: { maxCachedAccounts },
    now: () => new Date(clock.nowMs),
    calendar: () => ({ ...calendar }),
    doubtMs,
  });
  const dayOf = daysOf(timeZone);
  const infos = [...accounts].map(([accountId, { code, currency, flags }]) => {
    const made = flags.filter((flag) => flag !== "CLOSED");
    const about = { accountId, code, currency, flags: made, name: "", ownerId: "", metadata: [] };
    return { ...chartRow(code)!, ...about, createdAt: new Date() };
  });
  await ledger.store.ensureAccounts(infos);
  for (const [accountId, { isClosed }] of accounts) {
    if (isClosed === true) await ledger.store.closeAccount(accountId, () => undefined, new Date(startMs));
  }
  const model: Model = {
    book: createBook(accounts, { dayOf, businessMs: (timeMs) => timeMs + calendar.aheadMs }),
    calendar,
    dayOf,
    sent: [],
    nowMs: clock.nowMs,
    lastCommitMs: 0,
    gatheringMs: undefined,
    gathering: new Set(),
    heldOver: new Set(),
    backup: undefined,
    paths,
  };
  const real: Real = { db, ledger, clock, journal: (await ledger.open()).journal, waiting: [] };
  return { model, real };
}

/** Days since 1970 by the calendar of a place, as its newspapers would print them. */
function daysOf(timeZone: string): (timeMs: number) => number {
  const printed = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return (timeMs) => Date.parse(printed.format(timeMs)) / 86_400_000;
}

/** A clock for handlers: the tenant's. */
export const businessClockOf = ({ calendar }: Model, { clock }: Real) => ({
  forTenant: async () => businessTime({ now: () => new Date(clock.nowMs) }, calendar.aheadMs, calendar.timeZone),
});

/** Posts what gathered and holds every answer against the book's. */
export async function flush(model: Model, real: Real): Promise<void> {
  const { waiting } = real;
  real.waiting = [];
  const decisions = await decided(
    model,
    real,
    waiting.map(({ group }) => group),
  );
  expect(decisions.map(answerOf)).toEqual(waiting.map(({ expected }) => expected));
  for (const [index, { expected }] of waiting.entries()) {
    count(model.paths, "transfers" in expected ? "posted" : `refused ${expected.code}`);
    if ("transfers" in expected && expected.transfers.some(({ belongsTo }) => belongsTo !== undefined)) {
      count(model.paths, "late news");
    }
    if (decisions[index]!.replayed)
      count(model.paths, "transfers" in expected ? "posting replayed" : "refusal replayed");
  }
  model.gathering.clear();
  if (model.gatheringMs !== undefined) model.lastCommitMs = model.gatheringMs;
  model.gatheringMs = undefined;
}

/** What a group is answered that is decided alone, at once; its answer by the book. */
export function expectedOf(model: Model, group: LinkedGroup): Answer {
  const timeMs = model.gatheringMs ?? Math.max(model.nowMs, model.lastCommitMs + 1);
  const { answer, isNew } = model.book.decide(group, timeMs);
  if (isNew) model.gatheringMs = timeMs;
  for (const { key, refersTo, mode } of group.transfers) {
    model.gathering.add(key);
    const resolves = mode !== "POSTED" && model.heldOver.has(refersTo);
    if (isNew && resolves && "transfers" in answer) count(model.paths, "a take-over during a hold");
  }
  model.sent.push(group);
  return answer;
}

/** Another owner takes the journal over. */
export async function takeOver(model: Model, real: Real): Promise<void> {
  real.journal = (await real.ledger.open()).journal;
  model.heldOver = new Set([...model.book.holds()].flatMap(([key, { state }]) => (state === "open" ? [key] : [])));
}

/**
 * On a machine that is starved MongoDB drops transactions that take seconds: nothing is written
 * then, and whoever asked asks again. So it is where an account or a period was closed meanwhile.
 */
export async function decided(model: Model, real: Real, groups: readonly LinkedGroup[]): Promise<Decision[]> {
  for (let attempt = 1; ; attempt++) {
    const outcomes = await Promise.allSettled(groups.map((group) => real.journal.post(group)));
    const failure = outcomes.find((outcome) => outcome.status === "rejected")?.reason as unknown;
    if (failure === undefined) return outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const isBusy = failure instanceof Refusal && failure.code === "UNAVAILABLE";
    if (!(isBusy || failure instanceof JournalLost) || attempt === 20) throw failure;
    if (failure instanceof JournalLost) count(model.paths, "an owner that a closing sent away");
    await takeOver(model, real);
  }
}

function answerOf(decision: Decision): Answer {
  if (decision.kind === "refused") {
    const { code, transferIndex, availableMinor, askedMinor } = decision.refusal;
    return { code, index: transferIndex, available: availableMinor, requested: askedMinor };
  }
  const transfers = decision.transfers.map((transfer) => ({
    seq: transfer.seq,
    key: transfer.key,
    mode: transfer.mode,
    debit: transfer.debitAccountId,
    credit: transfer.creditAccountId,
    amount: transfer.amountMinor,
    currency: transfer.currency,
    refersTo: transfer.refersTo,
    dueAtMs: transfer.dueAtMs,
    debitBalance: transfer.debitBalanceMinor,
    creditBalance: transfer.creditBalanceMinor,
    day: transfer.day,
    belongsTo: transfer.belongsTo,
  }));
  return { transfers };
}

/** A call of the wallet's, or of another caller's, to a handler. */
export function callOf(real: Real, caller: Call["caller"] = "wallet"): Call {
  return {
    tenantId: real.ledger.tenantId,
    caller,
    interactionId: "interaction-1",
    signal: new AbortController().signal,
    log: silentLog,
    markReplayed: () => undefined,
  };
}
