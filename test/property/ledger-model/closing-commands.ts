import fc from "fast-check";
import { Refusal } from "../../../services/kernel/refusal.js";
import { closeDays, reopenDays } from "../../support/close-days.js";
import { act } from "./act.js";
import { mostly } from "./arbitraries.js";
import { handlersOf } from "./reads.js";
import { callOf, count, names, type Model } from "./world.js";

/** Mostly what is seldom posted to: of the others a run would be over. */
export const closeAccount = fc
  .record({
    id: mostly(fc.constantFrom("w3", "w3", "w4", "fees", "bank"), fc.constantFrom(...names)),
    by: mostly(fc.constant("wallet" as const), fc.constant("remittance" as const)),
  })
  .map(({ id, by }) =>
    act(`close ${id} by ${by}`, async (model, real) => {
      const expected = model.book.closeAccount(id, by);
      const answer = await handlersOf(model, real)
        .closeAccount({ accountId: id }, callOf(real, by))
        .then(() => undefined, codeOf);
      expect(answer).toBe(expected);
      count(model.paths, `close: ${expected ?? "closed"}`);
    }),
  );

export const closePeriod = fc.integer({ min: -4, max: -1 }).map((days) =>
  act(`close the days through ${days} days from today`, async (model, real) => {
    const through = todayOf(model) + days;
    const expected = model.book.closePeriod(through);
    expect(await closeDays(real.db, real.ledger.tenantId, through, new Date(model.nowMs))).toBe(expected);
  }),
);

const todayOf = ({ nowMs, calendar, dayOf }: Model) => dayOf(nowMs + calendar.aheadMs);

export const reopenPeriod = fc.integer({ min: -4, max: -1 }).map((days) =>
  act(`open the days from ${days} days from today on again`, async (model, real) => {
    const from = todayOf(model) + days;
    const isClosed = model.book.closedThrough() >= from;
    model.book.reopenPeriod(from);
    const through = await reopenDays(real.db, real.ledger.tenantId, from, new Date(model.nowMs));
    expect(through).toBe(model.book.closedThrough());
    if (isClosed) count(model.paths, "days were opened again");
  }),
);

export const moveClockOn = fc.integer({ min: 1, max: 30 }).map((hours) =>
  act(`move the sandbox's clock on by ${hours} h`, (model, real) => {
    model.calendar.aheadMs += hours * 3_600_000;
    real.journal.countDaysBy({ ...model.calendar });
    count(model.paths, "the clock of a sandbox was moved on");
    return Promise.resolve();
  }),
);

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  throw error;
}
