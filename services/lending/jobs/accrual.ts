import { randomUUID } from "node:crypto";
import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import { Refusal } from "../../kernel/refusal.js";
import { createTurns } from "../../kernel/time/turns.js";
import { accrualSlots, accruedOn, isPlainDay, settle, type Settled } from "../domain/loan.js";
import { lendingAccount } from "../domain/books.js";
import type { Movement } from "../../platform/books/movements.js";
import type { LoanBook } from "../sagas/loan-book.js";
import type { Pacing } from "./pacing.js";
import type { AccrualRangeRow, PlainLoan } from "../store/accrual.js";
import type { LendingStore, Session } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

export interface AccrualDeps {
  store: LendingStore;
  book: LoanBook;
  outbox: Pick<Outbox, "add">;
  /** Called after a batch that left something in the outbox. */
  wake: () => void;
  /** Real time, which leases go by. */
  clock: Clock;
  log: Logger;
  pacing: Pacing;
  crashPoint: (name: string) => void;
  /** Loans of one transaction. */
  batch?: number;
  leaseMs?: number;
}

// Loans of one command, and whole loans settled in one go: a millisecond of a core, so that whoever
// reads meanwhile hardly waits for one.
const plainAtOnce = 20;
const wholeAtOnce = 20;
const settledPerTurn = 10;

// How long a batch works against whoever holds one of its loans, before another share comes first.
const deadlineMs = 1_000;

// Thrown so that what another has taken over is not written.
const leaseLost = new Error("the share is another's by now");

export type Accruals = ReturnType<typeof createAccruals>;

/**
 * The daily work on active loans. A day is divided into shares, each worked on by whoever holds its
 * lease, a batch and its place in one transaction: a process that dies is followed by another from
 * there, and a loan's day is booked once.
 */
export function createAccruals(deps: AccrualDeps) {
  const { store, book, outbox, wake, clock, log, pacing, crashPoint, batch = 300, leaseMs = 15_000 } = deps;
  const until = (): Date => new Date(clock.now().getTime() + leaseMs);

  /**
   * A batch of loans: interest alone on most, the whole loan on a due date, the day after one that
   * passed unpaid, a penalty or the end of a period. One posting per currency.
   */
  async function bookBatch(
    tenantId: string,
    range: AccrualRangeRow,
    loans: readonly PlainLoan[],
    session: Session,
  ): Promise<boolean> {
    const { date } = range;
    const tenant = store.forTenant(tenantId);
    const moved = new Map<string, { currency: string; movement: Movement }>();
    const note = (currency: string, { debitAccountId, creditAccountId, amountMinor }: Movement): void => {
      const key = `${currency} ${debitAccountId} ${creditAccountId}`;
      const before = moved.get(key)?.movement.amountMinor ?? 0n;
      moved.set(key, { currency, movement: { debitAccountId, creditAccountId, amountMinor: before + amountMinor } });
    };
    const plain = loans.filter((loan) => isPlainDay(loan, date));
    const changes = plain.map(({ accountId, accrual, currency }): [string, bigint] => {
      const accruedMinor = accrual.period === undefined ? accrual.accruedMinor : accruedOn(accrual.period, date);
      const debitAccountId = lendingAccount("interestReceivable", currency);
      const creditAccountId = lendingAccount("interestIncome", currency);
      note(currency, { debitAccountId, creditAccountId, amountMinor: accruedMinor - accrual.accruedMinor });
      return [accountId, accruedMinor];
    });
    const cause = causeOf(range);
    const others = loans.filter((loan) => !isPlainDay(loan, date)).map(({ accountId }) => accountId);
    let written = 0;
    const turns = createTurns("accrual", settledPerTurn);
    for (const some of parted(changes, plainAtOnce)) written += await tenant.bookInterest(date, new Map(some), session);
    for (const some of parted(others, wholeAtOnce)) {
      const settled: Settled[] = [];
      for (const loan of await tenant.loansOf(some, session)) {
        settled.push(settle(loan, date));
        // Whoever calls this process meanwhile is served.
        await turns.spent();
      }
      for (const { loan, movements } of settled) for (const movement of movements) note(loan.currency, movement);
      written += await tenant.bookSettled(
        settled.map(({ loan }) => loan),
        session,
      );
      await book.tellOverdue(tenantId, settled, cause, session);
    }
    turns.end();
    if (written !== loans.length) return false;
    await ask(tenantId, range, moved, loans.length, session);
    return true;
  }

  async function ask(
    tenantId: string,
    range: AccrualRangeRow,
    moved: ReadonlyMap<string, { currency: string; movement: Movement }>,
    count: number,
    session: Session,
  ): Promise<void> {
    const { date, slot, cursor } = range;
    const movements = [...moved.values()].filter(({ movement }) => movement.amountMinor !== 0n);
    for (const currency of new Set(movements.map((each) => each.currency))) {
      const description = `${count} loans to ${date}`;
      const cause = { kind: "loan_interest", description, ...causeOf(range), on: date };
      const postingId = `accrual:${date}:${slot}:${cursor === "" ? "first" : cursor}:${currency}`;
      const own = movements.filter((each) => each.currency === currency).map(({ movement }) => movement);
      await book.move(tenantId, postingId, currency, own, cause, session);
    }
  }

  /** One batch of a share. Gives the share as it is then; undefined when it is done. */
  async function step(tenantId: string, range: AccrualRangeRow, size: number): Promise<AccrualRangeRow | undefined> {
    const tenant = store.forTenant(tenantId);
    const { date, slot, cursor } = range;
    const nothing = async (): Promise<undefined> => undefined;
    const last = await store.transaction<{ accountId: string | undefined }>(
      async (session) => {
        const page = await tenant.plainLoans(slot, cursor, size, session);
        const behind = page.filter(({ accrual }) => accrual.through < date);
        if (!(await bookBatch(tenantId, range, behind, session))) throw new Error("a loan changed inside a snapshot");
        const accountId = page.at(-1)?.accountId;
        const to = { cursor: accountId ?? cursor, done: page.length, until: until() };
        const end = accountId === undefined ? { ...to, finishedAt: clock.now() } : to;
        if (!(await tenant.moveRange(range, end, session))) throw leaseLost;
        return { accountId };
      },
      nothing,
      { deadlineMs },
    );
    crashPoint("lending.accrual.batch");
    if (last.accountId === undefined) return undefined;
    wake();
    return { ...range, cursor: last.accountId };
  }

  /**
   * The next loan of a share is worked by a row of its own from now on,
   * which is tried again, and shown.
   */
  async function setAside(tenantId: string, range: AccrualRangeRow, error: unknown): Promise<void> {
    const accountId = await store.transaction(
      async (session) => {
        const next = await store.forTenant(tenantId).setNextAside(range.slot, range.cursor, session);
        if (next === undefined) return "";
        // A loan is set aside once a second at most.
        const place = { aggregate: `set-aside:${next}`, seq: Math.floor(clock.now().getTime() / 1_000) };
        const { interactionId, createdBy: actor } = causeOf(range);
        const row = {
          tenantId,
          ...place,
          kind: rowKinds.resumeLoan,
          payload: { accountId: next, date: range.date },
          interactionId,
          actor,
        };
        await outbox.add(row, session);
        return next;
      },
      async () => "",
    );
    log.error({ err: error, tenantId, accountId }, "a loan could not be worked and was set aside, the others go on");
    wake();
  }

  /**
   * As step, of fewer loans where it fails, down to the one that fails
   * by itself, which is set aside.
   */
  async function stepPast(tenantId: string, range: AccrualRangeRow): Promise<AccrualRangeRow | undefined> {
    for (let size = batch; ; size = Math.ceil(size / 2)) {
      try {
        return await step(tenantId, range, size);
      } catch (error) {
        if (error === leaseLost || passesByItself(error)) throw error;
        if (size > 1) continue;
        await setAside(tenantId, range, error);
        return range;
      }
    }
  }

  /** As stepPast; a share that cannot go on for now is left until its lease has run out. */
  async function stepOrLeave(tenantId: string, range: AccrualRangeRow): Promise<AccrualRangeRow | undefined> {
    try {
      return await stepPast(tenantId, range);
    } catch (error) {
      if (error === leaseLost) return undefined;
      if (!(error instanceof Refusal) || error.code !== "UNAVAILABLE") throw error;
      log.info({ tenantId, date: range.date, slot: range.slot }, "a share waits for whoever holds its loans");
      return undefined;
    }
  }

  /** Works on shares of a day until none is free. True when the whole day is done. */
  async function runDay(tenantId: string, date: string, isStopping: () => boolean = () => false): Promise<boolean> {
    const tenant = store.forTenant(tenantId);
    await tenant.openRanges(date, accrualSlots, clock.now());
    for (;;) {
      let range = await tenant.takeRange(date, randomUUID(), clock.now(), until());
      if (range === undefined) break;
      while (range !== undefined) {
        if (isStopping()) return false;
        const held: AccrualRangeRow = range;
        range = await pacing.pace(() => stepOrLeave(tenantId, held));
      }
      const all = await tenant.listRanges(date);
      const loans = all.reduce((sum, each) => sum + each.loans, 0);
      log.info(
        { tenantId, date, loans, done: all.filter(({ isDone }) => isDone).length, of: all.length },
        "accrual goes on",
      );
    }
    const all = await tenant.listRanges(date);
    if (all.some(({ isDone }) => !isDone)) return false;
    await tenant.noteAccrued(date);
    return true;
  }

  return { runDay };
}

function causeOf({ date, slot }: AccrualRangeRow) {
  return { interactionId: `accrual:${date}:${slot}`, createdBy: "lending" };
}

function parted<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_each, at) => all.slice(at * size, (at + 1) * size));
}
