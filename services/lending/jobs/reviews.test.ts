import { silentLog, testDatabase, testTenant } from "../../../test/support/index.js";
import { systemClock } from "../../shared/clocks/clock.js";
import { holdOf } from "../../shared/mongo/held-tenants.js";
import { collections } from "../store/collections.js";
import { createLendingStore, type LendingStore } from "../store/index.js";
import { createReviews } from "./reviews.js";

test("a held tenant with more due reviews than a run takes keeps no other tenant's from being asked about", async () => {
  const { db, close } = await testDatabase("lending_reviews");
  const [held, other] = [testTenant(), testTenant()];
  const due = (tenantId: string, count: number, agoMs: number) =>
    Array.from({ length: count }, (_, n) => {
      const loanApplicationId = `${tenantId}-${n}`;
      return { tenantId, loanApplicationId, status: "SUBMITTED", askAgainAt: new Date(Date.now() - agoMs) };
    });
  await db.collection(collections.applications).insertMany([...due(held, 101, 60_000), ...due(other, 1, 1_000)]);
  const validator = holdOf([held]);
  await db.db!.command({ collMod: collections.applications, validator, validationLevel: "strict" });
  const asked: string[] = [];
  const { listDueReviews } = createLendingStore(db);
  const forTenant = (tenantId: string) => ({ findApplication: async () => void asked.push(tenantId) });
  const store = { listDueReviews, forTenant } as unknown as LendingStore;
  const outbox = { add: async () => "", wake: () => undefined };
  const reviews = createReviews({ store, compliance: {} as never, outbox, clock: systemClock, log: silentLog });
  await reviews.runDue();
  expect(asked).toEqual([other]);
  await close();
});
