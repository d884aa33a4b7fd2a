import { createLendingFixture, type LendingFixture } from "../../../test/support/lending-fixture.js";
import { testRedis, waitFor, workerRedisUrl } from "../../../test/support/index.js";
import { startServiceProcess } from "../../../test/support/service-processes.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Redis } from "../../kernel/process/redis.js";
import { lendingAccount } from "../domain/books.js";
import type { AccrualRangeRow } from "../store/accrual.js";
import { collections } from "../store/collections.js";
import { createLendingStore } from "../store/index.js";

const day = "2026-11-30";
const patience = { timeoutMs: 90_000, everyMs: 100 };
// Where replicas take turns (pacing.ts): while another has it, a batch waits two seconds.
const place = "lending:{accrual}:place:0";

let lending: LendingFixture;
let redis: Redis;
const processes: Awaited<ReturnType<typeof startServiceProcess>>[] = [];
beforeAll(async () => {
  lending = await createLendingFixture("lend_stop");
  redis = await testRedis(workerRedisUrl());
});
afterAll(async () => {
  for (const process of processes) await process.kill();
  await redis.del(place);
  redis.disconnect();
  await lending.close();
});

async function start() {
  const config = { ...lending.config, REDIS_URL: workerRedisUrl() };
  const started = await startServiceProcess({ service: "lending", config, keys: lending.network.keysOf("lending") });
  processes.push(started);
  return started;
}

test("told to stop while a day is worked on, it ends before the day does, and the next start goes on: each loan has its day once", async () => {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId);
  const loans = await Promise.all(Array.from({ length: 24 }, () => lending.loan(person)));
  lending.setToday(tenantId, day);
  const ranges = tenantCollection<AccrualRangeRow>(lending.lendingDb.db, collections.ranges).forTenant(tenantId);
  const counted = async () => (await ranges.find({ date: day })).reduce((sum, range) => sum + range.loans, 0);

  await redis.set(place, "another replica", "PX", 600_000);
  const first = await start();
  await waitFor(async () => (await counted()) > 0, { ...patience, what: "the first batch" });
  expect(await first.terminate()).toBe(0);
  expect(await counted()).toBeLessThan(loans.length);
  expect(await ranges.count({ date: day, isDone: false })).toBeGreaterThan(0);

  // As when the share under way has been left for longer than its lease.
  await ranges.updateMany({ isDone: false }, { $set: { leasedUntil: new Date(0) } });
  await redis.del(place);
  const next = await start();
  const tenant = createLendingStore(lending.lendingDb.db).forTenant(tenantId);
  const isOver = async () => (await tenant.findTenant())?.accruedThrough === day;
  await waitFor(isOver, { ...patience, what: "the day's end" });
  expect(await next.terminate()).toBe(0);

  expect(await counted()).toBe(loans.length);
  for (const { loanApplicationId } of loans)
    expect((await lending.read(person, loanApplicationId)).accruedInterestMinor).toBe(11_60n);
  await lending.reconciled(tenantId);
  expect(await lending.balance(tenantId, lendingAccount("interestReceivable", "USD"))).toBe(
    11_60n * BigInt(loans.length),
  );
}, 240_000);
