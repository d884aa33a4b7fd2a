import { EntrySide, type LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Handlers } from "../../../services/kernel/grpc/server.js";
import { dayText, type Day } from "../../../services/ledger/domain/days.js";
import { accountHandlers } from "../../../services/ledger/handlers/accounts.js";
import { auditHandlers } from "../../../services/ledger/handlers/audit.js";
import type { LedgerDeps } from "../../../services/ledger/handlers/deps.js";
import { postingHandlers } from "../../../services/ledger/handlers/postings.js";
import { readHandlers } from "../../../services/ledger/handlers/reads.js";
import { createLedgerStore } from "../../../services/ledger/store/index.js";
import { decisionToWire } from "../../../services/ledger/wire/transfers.js";
import type { LinkedGroup } from "../../../services/ledger/domain/model.js";
import type { BookFigures, BookRow } from "../ledger-book-state.js";
import { accounts, businessClockOf, callOf, count, decided, positionCode, type Model, type Real } from "./world.js";

type Served = Omit<Handlers<LedgerServiceDefinition>, "beginVerification" | "getVerification" | "listVerifications">;

/** The handlers of the rpcs, on the journal of the run; `onPosting` sees what they post. */
export function handlersOf(
  model: Model,
  real: Real,
  onPosting: (group: LinkedGroup) => void = () => undefined,
): Served {
  const post: LedgerDeps["posting"]["post"] = async ({ groups }) => {
    groups.forEach(onPosting);
    const decisions = await decided(model, real, groups);
    return decisions.map((decision, n) =>
      decisionToWire(
        decision,
        groups[n]!.transfers.map(({ key }) => key),
      ),
    );
  };
  const clock = { now: () => new Date(real.clock.nowMs) };
  const businessClock = businessClockOf(model, real);
  const deps = { store: createLedgerStore(real.db), posting: { post }, clock, businessClock } as unknown as LedgerDeps;
  return {
    ...postingHandlers(deps),
    ...accountHandlers(deps),
    ...readHandlers(deps),
    ...auditHandlers(deps),
  };
}

/**
 * Every page of a list, by its cursor; no page is larger than asked,
 * and none but the last is empty.
 */
async function pages<T>(size: number, page: (cursor: string) => Promise<{ rows: readonly T[]; nextCursor?: string }>) {
  const rows: T[] = [];
  for (let cursor = ""; ;) {
    const { rows: some, nextCursor = "" } = await page(cursor);
    expect(some.length).toBeLessThanOrEqual(size);
    rows.push(...some);
    if (nextCursor === "") return rows;
    expect(some.length).toBeGreaterThan(0);
    cursor = nextCursor;
  }
}

export interface ReadChoice {
  readonly at: number;
  readonly pageSize: number;
  /** Of the last days. */
  readonly daysBack: number;
  readonly newestFirst: boolean;
}

/** What reads tell, each held against the book. */
export const reads: Readonly<Record<string, (model: Model, real: Real, choice: ReadChoice) => Promise<void>>> = {
  figures: compareFigures,

  "balance now": async (model, real, choice) => {
    const id = accountAt(choice);
    const { debits, credits, balance } = model.book.balanceAt(id);
    const answer = await handlersOf(model, real).getBalance(balanceOf(id), callOf(real));
    const rolled = BigInt(answer.rolledOverMinor || "0");
    expect({
      debits: answer.debitsPostedMinor! + rolled,
      credits: answer.creditsPostedMinor! + rolled,
      balance: answer.balanceMinor,
      sequence: answer.sequence,
    }).toEqual({ debits, credits, balance, sequence: model.book.figures().get(id)!.lastSeq });
  },

  "balance at a day": async (model, real, choice) => {
    const id = accountAt(choice);
    const day = dayAt(model, choice);
    const { debits, credits, balance } = model.book.balanceAt(id, day);
    const requested = { ...balanceOf(id), effectiveDate: dayText(day) };
    const answer = await handlersOf(model, real).getBalance(requested, callOf(real));
    const rolled = BigInt(answer.rolledOverMinor || "0");
    expect([answer.debitsPostedMinor! + rolled, answer.creditsPostedMinor! + rolled, answer.balanceMinor]).toEqual([
      debits,
      credits,
      balance,
    ]);
  },

  "balance at a time of insertion": async (model, real, choice) => {
    const id = accountAt(choice);
    const row = model.book.rows().at(-1 - (choice.at % Math.max(1, model.book.rows().length)));
    const timeMs = (row?.timeMs ?? model.nowMs) - (choice.newestFirst ? 1 : 0);
    const last = model.book.statement(id).findLast((one) => one.timeMs <= timeMs);
    const requested = { ...balanceOf(id), insertedAt: new Date(timeMs) };
    const answer = await handlersOf(model, real).getBalance(requested, callOf(real));
    const balance = last === undefined ? 0n : last.debit === id ? last.debitBalance : last.creditBalance;
    expect([answer.balanceMinor, answer.sequence]).toEqual([balance, last?.seq ?? 0n]);
  },

  statement: async (model, real, choice) => {
    const { pageSize, newestFirst } = choice;
    const id = accountAt(choice);
    const handlers = handlersOf(model, real);
    const request = { accountId: id, from: undefined, until: undefined, newestFirst, pageSize };
    const entries = await pages(pageSize, async (cursor) => {
      const { entries: rows = [], nextCursor } = await handlers.listAccountEntries(
        { ...request, cursor },
        callOf(real),
      );
      return { rows, ...(nextCursor === undefined ? {} : { nextCursor }) };
    });
    const expected = model.book.statement(id).map((row) => entryOf(row, id));
    if (newestFirst) expected.reverse();
    expect(
      entries.map(({ sequence, side, amount, balanceMinor }) => [sequence, side, amount?.amountMinor, balanceMinor]),
    ).toEqual(expected);
  },

  "trial balance": async (model, real, choice) => {
    const day = choice.newestFirst ? undefined : dayAt(model, choice);
    const requested = { effectiveDate: day === undefined ? "" : dayText(day) };
    const { lines = [] } = await handlersOf(model, real).getTrialBalance(requested, callOf(real));
    const answered = lines.map(({ code, currency, debitsMinor, creditsMinor, accounts: found }) => ({
      code,
      currency,
      debits: BigInt(debitsMinor!),
      credits: BigInt(creditsMinor!),
      accounts: found,
    }));
    expect(answered).toEqual(model.book.trialBalance(day));
  },

  volumes: async (model, real, choice) => {
    const [from, to] = [today(model) - 5, dayAt(model, choice)];
    const requested = { fromDate: dayText(from), toDate: dayText(to), kind: "" };
    const { volumes = [] } = await handlersOf(model, real).getVolumes(requested, callOf(real));
    const answered = volumes.map(({ date, kind, currency, transfers, amountMinor }) => [
      date,
      kind,
      currency,
      transfers,
      BigInt(amountMinor!),
    ]);
    expect(answered).toEqual(
      model.book
        .volumes(from, to)
        .map(({ day, kind, currency, count: transfers, sum }) => [dayText(day), kind, currency, transfers, sum]),
    );
  },

  "exchange positions": async (model, real) => {
    const requested = { valuationCurrency: "", rates: {} };
    const { positions = [] } = await handlersOf(model, real).getExchangePositions(requested, callOf(real));
    const answered = positions.map(({ currency, boughtMinor, soldMinor }) => [currency, boughtMinor, soldMinor]);
    const expected = ["EUR", "USD"].map((currency) => {
      const { debits, credits } = model.book.balanceAt(`${positionCode}:${currency}`);
      return [currency, String(credits), String(debits)];
    });
    expect(answered).toEqual(expected);
  },

  "list of accounts": async (model, real, { pageSize }) => {
    const handlers = handlersOf(model, real);
    const filter = { code: "", currency: "", ownerId: "", metadata: {}, metadataExists: [] };
    const found = await pages(pageSize, async (cursor) => {
      const page = await handlers.listAccounts({ ...filter, pageSize, cursor }, callOf(real));
      return { rows: page.accounts ?? [], ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
    });
    expect(found.map(({ accountId }) => accountId)).toEqual([...accounts.keys()].sort());
  },

  export: async (model, real, { pageSize }) => {
    const handlers = handlersOf(model, real);
    const range = { from: undefined, until: undefined };
    const listed = await pages(pageSize, async (cursor) => {
      const page = await handlers.listJournalTransfers({ ...range, pageSize, cursor }, callOf(real, "gateway"));
      return { rows: page.transfers ?? [], ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
    });
    const read: typeof listed = [];
    for (let afterSequence = 0n; ;) {
      const { transfers = [] } = await handlers.readJournal(
        { afterSequence, limit: pageSize },
        callOf(real, "operator"),
      );
      if (transfers.length === 0) break;
      read.push(...transfers);
      afterSequence = transfers.at(-1)!.sequence!;
    }
    const answered = (rows: typeof listed) =>
      rows.map(({ sequence, key, mode, time, day, belongsTo }) => [
        [sequence, key, mode, time?.getTime()],
        [day, belongsTo],
      ]);
    const expected = model.book.rows().map(({ seq, key, mode, timeMs, day, belongsTo }) => [
      [seq, key, mode, timeMs],
      [dayText(day), belongsTo === undefined ? "" : dayText(belongsTo)],
    ]);
    expect(answered(listed)).toEqual(expected);
    expect(answered(read)).toEqual(expected);
  },

  "a transfer": async (model, real, { at }) => {
    const rows = model.book.rows();
    const row = rows[at % Math.max(1, rows.length)];
    if (row === undefined) return;
    const { transfer } = await handlersOf(model, real).getTransfer({ key: row.key }, callOf(real));
    const hold = model.book.holds().get(row.key);
    const isMoved = row.mode === "POSTED" || row.mode === "POST_PENDING";
    expect([transfer?.sequence, transfer?.entries?.length, transfer?.state === "PENDING"]).toEqual([
      row.seq,
      isMoved ? 2 : 0,
      hold?.state === "open",
    ]);
    expect((transfer?.reversedByKey ?? "") !== "").toBe(model.book.reversed().has(row.key));
  },
};

/** One read, by its name. */
export async function read(name: string, model: Model, real: Real, choice: ReadChoice): Promise<void> {
  await reads[name]!(model, real, choice);
  count(model.paths, `read: ${name}`);
}

const accountAt = ({ at }: ReadChoice) => [...accounts.keys()][at % accounts.size]!;
const today = ({ nowMs, calendar, dayOf }: Model): Day => dayOf(nowMs + calendar.aheadMs);
const dayAt = (model: Model, { daysBack }: ReadChoice): Day => today(model) - daysBack;
const balanceOf = (accountId: string) => ({ accountId, effectiveDate: undefined, insertedAt: undefined });

function entryOf(row: BookRow, id: string) {
  const isDebit = row.debit === id;
  const side = isDebit ? EntrySide.ENTRY_SIDE_DEBIT : EntrySide.ENTRY_SIDE_CREDIT;
  return [row.seq, side, row.amount, isDebit ? row.debitBalance : row.creditBalance];
}

async function compareFigures({ book }: Model, { ledger }: Real): Promise<void> {
  const stored = await ledger.store.findAccounts([...accounts.keys()]);
  const figures = stored.map(({ info, figures: found }): [string, BookFigures] => [
    info.accountId,
    {
      debits: found.debitsPostedMinor,
      credits: found.creditsPostedMinor,
      heldDebits: found.debitsPendingMinor,
      heldCredits: found.creditsPendingMinor,
      lastSeq: found.lastSeq,
    },
  ]);
  expect(new Map(figures)).toEqual(book.figures());
  const closed = stored.flatMap(({ info }) => (info.flags.includes("CLOSED") ? [info.accountId] : []));
  expect(closed.toSorted()).toEqual([...book.closed().keys()].toSorted());
}
