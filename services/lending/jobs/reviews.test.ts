import { silentLog, testDatabase, testTenant } from "../../../test/support/index.js";
import { systemClock } from "../../kernel/time/clock.js";
import { holdOf } from "../../kernel/mongo/held-tenants.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
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
  const requested: string[] = [];
  const { listDueReviews } = createLendingStore(db);
  const forTenant = (tenantId: string) => ({ findApplication: async () => void requested.push(tenantId) });
  const store = { listDueReviews, forTenant } as unknown as LendingStore;
  const outbox = { add: async () => "", wake: () => undefined };
  const reviews = createReviews({ store, compliance: {} as never, outbox, clock: systemClock, log: silentLog });
  await reviews.runDue();
  expect(requested).toEqual([other]);
  await close();
});

test("one application that cannot be asked about is left and counted, and those after it are asked about", async () => {
  const { db, close } = await testDatabase("lending_reviews_left");
  const tenantId = testTenant();
  const due = ["poisoned", "sound"].map((loanApplicationId, index) => {
    const askAgainAt = new Date(Date.now() - 60_000 + index);
    return { tenantId, loanApplicationId, status: "SUBMITTED", askAgainAt };
  });
  await db.collection(collections.applications).insertMany(due);
  const requested: string[] = [];
  const { listDueReviews } = createLendingStore(db);
  const forTenant = () => ({
    findApplication: async (id: string) => {
      if (id === "poisoned") throw new Error("it cannot be read");
      requested.push(id);
    },
    postponeReview: async () => undefined,
  });
  const store = { listDueReviews, forTenant } as unknown as LendingStore;
  const outbox = { add: async () => "", wake: () => undefined };
  const left = async () => {
    const counter = processMetrics.registry.getSingleMetric("manilla_rows_left_total");
    return (await counter!.get()).values.find(({ labels }) => labels["work"] === "reviews")!.value;
  };
  const before = await left();
  const reviews = createReviews({ store, compliance: {} as never, outbox, clock: systemClock, log: silentLog });
  await reviews.runDue();
  expect(requested).toEqual(["sound"]);
  expect(await left()).toBe(before + 1);
  await close();
});

test("more applications that cannot be asked about than a run takes keep nobody's from being asked about", async () => {
  const { db, close } = await testDatabase("lending_reviews_many_left");
  const tenantId = testTenant();
  const names = ["poisoned-1", "poisoned-2", "poisoned-3", "sound"];
  const due = names.map((loanApplicationId, index) => {
    const askAgainAt = new Date(Date.now() - 60_000 + index);
    return { tenantId, loanApplicationId, status: "SUBMITTED", askAgainAt };
  });
  const applications = db.collection(collections.applications);
  await applications.insertMany(due);
  const requested: string[] = [];
  const real = createLendingStore(db);
  const forTenant = (id: string) => ({
    postponeReview: real.forTenant(id).postponeReview,
    async findApplication(loanApplicationId: string) {
      requested.push(loanApplicationId);
      if (loanApplicationId !== "sound") throw new Error("it cannot be read");
    },
  });
  const store = { ...real, forTenant } as unknown as LendingStore;
  const outbox = { add: async () => "", wake: () => undefined };
  const reviews = createReviews({ store, compliance: {} as never, outbox, clock: systemClock, log: silentLog });
  for (let run = 0; run < 2; run++) await reviews.runDue(() => false, 2);
  expect(requested).toEqual(names);
  const later = await applications.countDocuments({ tenantId, askAgainAt: { $gt: new Date() } });
  expect(later).toBe(3);

  // Decided meanwhile, it is not asked about again.
  const [first] = due as [(typeof due)[0]];
  await applications.updateOne({ tenantId, loanApplicationId: "sound" }, { $unset: { askAgainAt: "" } });
  await real.forTenant(tenantId).postponeReview("sound", { from: first.askAgainAt, to: new Date() });
  const sound = await applications.findOne({ tenantId, loanApplicationId: "sound" });
  expect(sound).not.toHaveProperty("askAgainAt");
  await close();
});
