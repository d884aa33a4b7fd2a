import { randomUUID } from "node:crypto";
import type { mongo } from "mongoose";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import { parseDecimal } from "../../kernel/decimal.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { newHolding } from "../domain/holding.js";
import type { ProductVersion } from "../domain/product.js";
import { migrations } from "./migrations.js";
import { collections } from "./collections.js";
import { sliceOf } from "./slices.js";
import { createInvestmentStore } from "./index.js";

const tenantId = testTenant();
const customers = Array.from({ length: 40 }, (_, index) => `customer-${index}`);
let database: TestDatabase;

const product: ProductVersion = {
  productId: randomUUID(),
  version: 1,
  name: "Deposit",
  description: "",
  currency: "USD",
  unitPriceMinor: 100_00n,
  unitsOffered: 1_000n,
  minimumUnits: 1n,
  maximumUnitsPerCustomer: 1_000n,
  tiers: [{ fromMinor: 0n, ratePercent: parseDecimal("6") }],
  compounding: "NONE",
  dayCount: "ACT/365 FIXED",
  term: { months: 12, days: 0 },
  lockInDays: 0,
  penalty: { kind: "NONE" },
  payout: "AT_MATURITY",
  reinvestment: "NONE",
  withholdingTaxBps: 0,
  status: "OPEN",
};

beforeAll(async () => {
  database = await testDatabase("investment_plans");
  await runMigrations(database.db, migrations, silentLog);
  const store = createInvestmentStore(database.db);
  const tenant = store.forTenant(tenantId);
  await store.transaction(
    async (session) => {
      for (const [index, customerId] of customers.entries()) {
        const id = `h-${String(index).padStart(3, "0")}`;
        const bought = {
          holdingId: `${tenantId} ${id}`,
          applicationId: id,
          customerId,
          walletAccountId: "w",
          units: 1n,
        };
        const since = Temporal.PlainDate.from(index % 4 === 0 ? "2025-01-01" : "2025-02-01");
        await tenant.insertHolding(newHolding(product, bought, since), new Date(), session);
        await tenant.addToTotals(customerId, "USD", { principalMinor: 1n, interestMinor: 0n }, session);
      }
      return true;
    },
    async () => true,
  );
});
afterAll(() => database.close());

interface Plan {
  inputStage?: Plan;
  stage: string;
}

/**
 * Documents examined and returned of a find that needs no sorting in memory and no scan of the
 * collection.
 */
async function planOf(collection: string, filter: mongo.Filter<mongo.BSON.Document>, sort: mongo.Sort = {}) {
  const explained = (await database.db.collection(collection).find(filter).sort(sort).explain("executionStats")) as {
    queryPlanner: { winningPlan: Plan & { queryPlan?: Plan } };
    executionStats: { totalDocsExamined: number; nReturned: number };
  };
  const stages: string[] = [];
  const { winningPlan } = explained.queryPlanner;
  for (let plan: Plan | undefined = winningPlan.queryPlan ?? winningPlan; plan; plan = plan.inputStage) {
    stages.push(plan.stage);
  }
  expect(stages).not.toContain("SORT");
  expect(stages).not.toContain("COLLSCAN");
  const { totalDocsExamined, nReturned } = explained.executionStats;
  return { examined: totalDocsExamined, returned: nReturned };
}

test("holdings that lag behind a day are found in order of customers, and those that do not are not read", async () => {
  const slice = sliceOf(customers[0]!);
  const filter = { tenantId, slice, status: "ACTIVE", settlementId: null, through: { $lt: "2025-01-15" } };
  const late = customers.filter((customerId, index) => index % 4 === 0 && sliceOf(customerId) === slice).length;
  expect(await planOf(collections.holdings, filter, { through: 1, customerId: 1 })).toEqual({
    examined: late,
    returned: late,
  });
});

test("a customer's holdings, sums and a holding's statement are read by themselves", async () => {
  const customerId = customers[7]!;
  const mine = { tenantId, customerId };
  expect(await planOf(collections.holdings, mine, { _id: -1 })).toEqual({ examined: 1, returned: 1 });
  expect(await planOf(collections.totals, mine, { currency: 1 })).toEqual({ examined: 1, returned: 1 });
  const statement = { tenantId, holdingId: "h" };
  expect(await planOf(collections.movements, statement, { _id: 1 })).toEqual({ examined: 0, returned: 0 });
});

test("a dividend reads the holdings of its product in order, and pays the shares that are due", async () => {
  const holders = { tenantId, productId: product.productId };
  expect(await planOf(collections.holdings, holders, { _id: 1 })).toEqual({ examined: 40, returned: 40 });
  const due = { tenantId, dividendId: "d", status: "DUE" };
  expect(await planOf(collections.shares, due, { _id: 1 })).toEqual({ examined: 0, returned: 0 });
});

test("tenants whose day may have begun are found by time", async () => {
  const plan = await planOf(collections.tenants, { nextRunAt: { $lte: new Date(0) } }, { nextRunAt: 1 });
  expect(plan.examined).toBe(plan.returned);
});
