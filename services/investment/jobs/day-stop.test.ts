import { randomUUID } from "node:crypto";
import { createInvestmentFixture, type InvestmentFixture } from "../../../test/support/investment-fixture.js";
import { hasFailPoints, holdFailPoints, testTenant, waitFor } from "../../../test/support/index.js";
import { startServiceProcess } from "../../../test/support/service-processes.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { collections, type HoldingRow, type SliceRow } from "../store/collections.js";
import { createInvestmentStore } from "../store/index.js";
import { sliceOf } from "../store/slices.js";
import type { Days } from "./days.js";

const today = "2025-03-15";
const patience = { timeoutMs: 90_000, everyMs: 100 };

let fixture: InvestmentFixture;
const processes: Awaited<ReturnType<typeof startServiceProcess>>[] = [];
beforeAll(async () => {
  fixture = await createInvestmentFixture("investment_stop", { replicas: 2 });
});
afterAll(async () => {
  for (const process of processes) await process.kill();
  await fixture.close();
});

async function start() {
  const { config, network } = fixture;
  const started = await startServiceProcess({
    service: "investment",
    config: { ...config, MONGODB_URI: `${config.MONGODB_URI}&appName=${appName}`, INVESTMENT_DAY_EVERY_S: 0.2 },
    keys: network.keysOf("investment"),
    now: `${today}T12:00:00Z`,
  });
  processes.push(started);
  return started;
}

/** A tenant of sixteen customers with a holding each, 73 days later. */
async function tenantWithDays() {
  const tenantId = testTenant();
  const product = await fixture.product(tenantId);
  const held = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const investor = await fixture.investor({ tenantId });
      const { application } = await fixture.apply(investor, product);
      return { investor, slice: sliceOf(investor.customerId), holdingId: application!.holdingId };
    }),
  );
  await fixture.settled(tenantId);
  fixture.moveDate(tenantId, 73);
  const { db } = fixture.database;
  const holdings = tenantCollection<HoldingRow>(db, collections.holdings).forTenant(tenantId);
  const slices = tenantCollection<SliceRow>(db, collections.slices).forTenant(tenantId);
  return {
    tenantId,
    held,
    slices,
    behind: () => holdings.count({ through: { $lt: today } }),
    /** A transaction of somebody else, which keeps every batch from its commit until it ends. */
    async keepAll(): Promise<() => Promise<void>> {
      const session = db.getClient().startSession();
      session.startTransaction();
      await holdings.updateMany({}, { $inc: { version: 1 } }, { session });
      return async () => {
        await session.abortTransaction();
        await session.endSession();
      };
    },
    /** As when slices under way have been left for longer than their lease. */
    leasesRunOut: () => slices.updateMany({}, { $set: { leasedUntil: new Date(0) } }),
    async eachHasItsDaysOnce(): Promise<void> {
      await fixture.agree(tenantId);
      // 1,000.00 at 6 % for 73 of 365 days.
      for (const { investor, holdingId } of held) {
        const { holding } = await fixture.gateway.getHolding({ holdingId }, fixture.calls(investor));
        expect(holding).toMatchObject({ accruedInterest: { amountMinor: 12_00n }, interestThrough: today });
      }
      expect(fixture.accountOf(tenantId, "investment_interest_payable")).toBe(12_00n * BigInt(held.length));
    },
  };
}

// Fail points are the server's: this name keeps them away from other connections.
const appName = `investment-stop-${randomUUID()}`;

/**
 * Every commit of the process takes a second and a half until it is let go: a day takes a while.
 */
async function slowCommits(): Promise<() => Promise<void>> {
  const giveBack = await holdFailPoints();
  const admin = fixture.database.db.getClient().db("admin");
  const data = { appName, failCommands: ["commitTransaction"], blockConnection: true, blockTimeMS: 1_500 };
  await admin.command({ configureFailPoint: "failCommand", mode: "alwaysOn", data });
  return async () => {
    await admin.command({ configureFailPoint: "failCommand", mode: "off" });
    await giveBack();
  };
}

(hasFailPoints ? test : test.skip)(
  "told to stop while a day is worked on, the process ends before the day does, and the next start goes on: each holding has its days once",
  async () => {
    const { tenantId, held, slices, behind, leasesRunOut, eachHasItsDaysOnce } = await tenantWithDays();
    const tenant = createInvestmentStore(fixture.database.db).forTenant(tenantId);
    await tenant.scheduleNextRun(new Date(Date.now() + 3_600_000));
    const first = await start();
    const letGo = await slowCommits();
    try {
      await tenant.scheduleNextRun(new Date(0));
      await waitFor(async () => (await behind()) < held.length, { ...patience, what: "the first batch" });
      expect(await first.terminate()).toBe(0);
    } finally {
      await letGo();
    }
    expect(await behind()).toBeGreaterThan(0);
    expect(await behind()).toBeLessThan(held.length);

    await leasesRunOut();
    const next = await start();
    const isOver = async () => (await slices.count({ doneOn: today })) === (await slices.count({}));
    await waitFor(isOver, { ...patience, what: "the day's end" });
    expect(await next.terminate()).toBe(0);
    await eachHasItsDaysOnce();
  },
  240_000,
);

test("a day under way is left after the batches that are being counted, for another replica", async () => {
  const { tenantId, held, slices, behind, keepAll, leasesRunOut, eachHasItsDaysOnce } = await tenantWithDays();
  const [stopped, other] = fixture.services.map(({ days }) => days) as [Days, Days];
  const letGo = await keepAll();
  const working = stopped.workOn(tenantId);
  await waitFor(async () => (await slices.count({ leaseToken: { $ne: "" } })) === 2, patience);
  await stopped.stop();
  await letGo();
  expect(await working).toMatchObject({ isDone: false });
  const inTwoSlices = new Set((await slices.find({ leaseToken: { $ne: "" } })).map(({ slice }) => slice));
  expect(await behind()).toBe(held.filter(({ slice }) => !inTwoSlices.has(slice)).length);
  expect(await behind()).toBeGreaterThan(0);

  await leasesRunOut();
  expect(await other.workOn(tenantId)).toMatchObject({ isDone: true });
  await eachHasItsDaysOnce();
}, 120_000);
