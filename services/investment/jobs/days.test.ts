import { silentLog, testDatabase, testTenant } from "../../../test/support/index.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { holdOf } from "../../kernel/mongo/held-tenants.js";
import { collections } from "../store/collections.js";
import { createInvestmentStore } from "../store/index.js";
import { startDays } from "./days.js";

test("held tenants, more than a run takes, keep no other tenant's day from being done", async () => {
  const { db, close } = await testDatabase("investment_days_held");
  const held = Array.from({ length: 101 }, () => testTenant());
  const other = testTenant();
  const due = (tenantId: string, agoMs: number) => ({
    _id: tenantId as never,
    tenantId,
    nextRunAt: new Date(Date.now() - agoMs),
  });
  const tenants = db.collection(collections.tenants);
  await tenants.insertMany([...held.map((tenantId) => due(tenantId, 60_000)), due(other, 1_000)]);
  await db.db!.command({ collMod: collections.tenants, validator: holdOf(held), validationLevel: "strict" });
  const begun: string[] = [];
  const businessClock = {
    async forTenant(tenantId: string) {
      begun.push(tenantId);
      throw new Error("what follows has tests of its own");
    },
  } as unknown as BusinessClock;
  const store = createInvestmentStore(db);
  const rest = { accrual: {} as never, unpaid: {} as never, crashPoint: () => undefined };
  const days = startDays({ store, businessClock, log: silentLog, everyMs: 3_600_000, ...rest });
  await days.runNow();
  await days.stop();
  expect(begun).toEqual([other]);
  await close();
});
