import { once } from "node:events";
import { forkSource } from "../../../test/support/forked-source.js";
import { createLendingFixture, type LendingFixture } from "../../../test/support/lending-fixture.js";
import { testRedisUrl } from "../../../test/support/index.js";
import type { DayThreadData } from "./day-thread.js";

let lending: LendingFixture;
beforeAll(async () => {
  lending = await createLendingFixture("lend_thread");
});
afterAll(() => lending.close());

/** What became of days that a thread worked on, in a process of its own. */
async function threadOf(days: { tenantId: string; date: string }[], given: Partial<DayThreadData> = {}) {
  const { uri: mongoUri, database } = lending.lendingDb;
  const data = { mongoUri, database, redisUrl: testRedisUrl(), atOnce: 1, logLevel: "silent", ...given };
  const child = forkSource("day-thread-process.ts", { DAY_THREAD: JSON.stringify({ data, days }) });
  let outcome:
    { done: (boolean | string)[]; works: number; own: number; lowest: number; afterwards: string } | undefined;
  child.once("message", (message) => (outcome = message as NonNullable<typeof outcome>));
  await once(child, "exit");
  if (outcome === undefined) throw new Error(`the process ended with ${child.exitCode} and told nothing`);
  return outcome;
}

test("a thread of lower priority books the days, says that there is something to carry out, and ends", async () => {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId);
  const loans = await Promise.all(Array.from({ length: 3 }, () => lending.loan(person)));
  const outcome = await threadOf(["2026-11-25", "2026-11-30"].map((date) => ({ tenantId, date })));
  expect(outcome).toMatchObject({ done: [true, true], afterwards: "the thread of the daily work has ended" });
  expect(outcome.works).toBeGreaterThan(0);
  if (process.platform === "linux") expect(outcome.lowest).toBe(Math.max(outcome.own, 10));
  for (const loan of loans)
    expect((await lending.read(person, loan.loanApplicationId)).accruedInterestMinor).toBe(1_160n);
  await lending.reconciled(tenantId);
});

test("a thread that cannot reach its database ends, and whoever waits for its day hears of it", async () => {
  const { done } = await threadOf([{ tenantId: "t", date: "2026-11-25" }], { mongoUri: "nowhere" });
  expect(done).toEqual([expect.any(String)]);
});
