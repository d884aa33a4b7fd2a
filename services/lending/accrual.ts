import { randomUUID } from "node:crypto";
import type { BusinessClock } from "../shared/business-clock.js";
import type { Clock } from "../shared/clock.js";
import type { Logger } from "../shared/log.js";
import type { Outbox } from "../shared/outbox/index.js";
import { accrualSlots, accruedOn, isPlainDay } from "./domain/loan.js";
import { lendingAccount } from "./domain/books.js";
import type { LoanBook } from "./loan-book.js";
import type { AccrualRangeRow, PlainLoan } from "./store/accrual.js";
import type { LendingStore, Session } from "./store.js";

export interface AccrualDeps {
  store: LendingStore;
  book: LoanBook;
  outbox: Outbox;
  businessClock: BusinessClock;
  /** Real time, which leases go by. */
  clock: Clock;
  log: Logger;
  crashPoint: (name: string) => void;
  batch?: number;
  leaseMs?: number;
}

export type Accruals = ReturnType<typeof createAccruals>;

/**
 * The daily work on active loans. A day is divided into shares, each worked on by whoever holds its lease, a batch and its place in
 * one transaction: a process that dies is followed by another from there, and a loan's day is booked once.
 */
export function createAccruals(deps: AccrualDeps) {
  const { store, book, outbox, businessClock, clock, log, crashPoint, batch = 500, leaseMs = 15_000 } = deps;
  const until = (): Date => new Date(clock.now().getTime() + leaseMs);

  /** Days that change more than interest: a due date, a penalty, the end of a period. One transaction each, safe to repeat. */
  async function settleOne(tenantId: string, accountId: string, date: string, interactionId: string): Promise<void> {
    const tenant = store.forTenant(tenantId);
    await store.transaction(
      async (session) => {
        const loan = await tenant.findLoan(accountId, session);
        if (loan?.status !== "ACTIVE" || loan.accrual.through >= date) return true;
        const cause = { kind: "loan_accrual", description: `Day ${date}`, interactionId, createdBy: "lending" };
        await book.settle(tenantId, loan, date, cause, session);
        return true;
      },
      async () => undefined,
    );
  }

  /** Interest of the plain loans of a batch: one posting per currency for all of them. */
  async function bookPlain(
    tenantId: string,
    range: AccrualRangeRow,
    plain: readonly PlainLoan[],
    session: Session,
  ): Promise<boolean> {
    const { date, slot, cursor } = range;
    const sums = new Map<string, bigint>();
    const changes = plain.map(({ accountId, version, accrual, currency }) => {
      const accruedMinor = accrual.period === undefined ? accrual.accruedMinor : accruedOn(accrual.period, date);
      sums.set(currency, (sums.get(currency) ?? 0n) + accruedMinor - accrual.accruedMinor);
      return { accountId, version, accrual: { through: date, accruedMinor } };
    });
    if (changes.length === 0) return true;
    const booked = await store.forTenant(tenantId).bookInterest(changes, session);
    if (booked !== changes.length) return false;
    for (const [currency, amountMinor] of sums) {
      if (amountMinor === 0n) continue;
      const movement = {
        debitAccountId: lendingAccount("interestReceivable", currency),
        creditAccountId: lendingAccount("interestIncome", currency),
        amountMinor,
      };
      const interactionId = `accrual:${date}:${slot}`;
      const cause = {
        kind: "loan_interest",
        description: `Interest of ${changes.length} loans to ${date}`,
        interactionId,
        createdBy: "lending",
      };
      const postingId = `accrual:${date}:${slot}:${cursor === "" ? "first" : cursor}:${currency}`;
      await book.move(tenantId, postingId, currency, [movement], cause, session);
    }
    return true;
  }

  /** One batch of a share. Gives the share as it is then; undefined when it is done or another's. */
  async function step(tenantId: string, range: AccrualRangeRow): Promise<AccrualRangeRow | undefined> {
    const tenant = store.forTenant(tenantId);
    const { date, slot, cursor } = range;
    const seen = await store.transaction(
      (session) => tenant.plainLoans(slot, cursor, batch, session),
      async () => undefined,
    );
    const isBehind = ({ accrual }: PlainLoan): boolean => accrual.through < date;
    const special = seen.filter((loan) => isBehind(loan) && !isPlainDay(loan, date));
    for (const { accountId } of special) await settleOne(tenantId, accountId, date, `accrual:${date}:${slot}`);
    crashPoint("lending.accrual.settled");
    const last = seen.at(-1)?.accountId;
    const moved = await store.transaction<"moved" | "changed" | "lost">(
      async (session) => {
        const page = await tenant.plainLoans(slot, cursor, batch, session);
        const now = page.filter((loan) => isBehind(loan));
        // Somebody came or changed meanwhile: the batch is looked at again.
        if (page.at(-1)?.accountId !== last || now.some((loan) => !isPlainDay(loan, date))) return "changed";
        if (!(await bookPlain(tenantId, range, now, session))) throw new Error("a loan changed inside a snapshot");
        const to = { cursor: last ?? cursor, done: page.length, until: until() };
        const end = last === undefined ? { ...to, finishedAt: clock.now() } : to;
        return (await tenant.moveRange(range, end, session)) ? "moved" : "lost";
      },
      async () => undefined,
    );
    crashPoint("lending.accrual.batch");
    if (moved === "lost") return undefined;
    if (moved === "changed") return range;
    outbox.wake();
    return last === undefined ? undefined : { ...range, cursor: last };
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
        range = await step(tenantId, range);
      }
      const all = await tenant.listRanges(date);
      const loans = all.reduce((sum, each) => sum + each.loans, 0);
      log.debug(
        { tenantId, date, loans, done: all.filter(({ isDone }) => isDone).length, of: all.length },
        "accrual goes on",
      );
    }
    const all = await tenant.listRanges(date);
    if (all.some(({ isDone }) => !isDone)) return false;
    await tenant.noteAccrued(date);
    return true;
  }

  return {
    runDay,
    /** Every tenant whose day has changed. */
    async runAll(isStopping: () => boolean): Promise<void> {
      for (const { tenantId, accruedThrough = "" } of await store.listTenants()) {
        if (isStopping()) return;
        try {
          const today = (await businessClock.forTenant(tenantId)).today().toString();
          if (accruedThrough >= today) continue;
          const started = performance.now();
          const isDone = await runDay(tenantId, today, isStopping);
          if (isDone)
            log.info(
              { tenantId, date: today, tookMs: Math.round(performance.now() - started) },
              "the day's accrual is done",
            );
        } catch (error) {
          log.warn({ err: error, tenantId }, "accrual goes on later");
        }
      }
    },
  };
}
