import { randomUUID } from "node:crypto";
import {
  Comparison,
  CustomerStatus,
  Measure,
  RuleAction,
  Visibility,
  type CheckCashRequest,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  createComplianceWorld,
  on,
  question,
  refused,
  usd,
  type ComplianceWorld,
  type PolicyRequest,
} from "../../../../test/support/compliance-fixture.js";

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("cash");
});
afterEach(() => world.reset());
afterAll(() => world.close());

type Rule = NonNullable<PolicyRequest["transactionRules"]>[number];
type Aggregate = NonNullable<NonNullable<Rule["condition"]>["aggregates"]>[number];

const everyCash = ["CASH_IN", "CASH_OUT", "CASH_SALE"];
/** A rule over cash of a day above 1,000.00 USD. */
const cashRule = (aggregate: Aggregate = {}, rule: Partial<Rule> = {}): PolicyRequest => ({
  transactionRules: [
    {
      name: "Cash a day",
      action: RuleAction.RULE_ACTION_REJECT,
      visibility: Visibility.VISIBILITY_STAFF,
      condition: {
        operations: everyCash,
        aggregates: [
          {
            measure: Measure.MEASURE_SUM,
            of: "CASH",
            days: 1,
            comparison: Comparison.COMPARISON_ABOVE,
            amount: usd(1_000_00n),
            ...aggregate,
          },
        ],
      },
      ...rule,
    },
  ],
});

/** Asks as wallet does, in dollars unless it says otherwise. */
const check = (tenantId: string, minor: bigint, part: Partial<CheckCashRequest> = {}) =>
  world.wallet.checkCash(
    {
      cashId: randomUUID(),
      customerId: "c1",
      kind: "CASH_IN",
      amount: usd(minor),
      baseAmount: usd(minor),
      ...part,
    },
    on(tenantId),
  );
const yes = { approved: true };
const no = { approved: false, reasonCode: "RULE_REJECTED", message: "compliance refuses this payment in cash" };

test("cash in, cash out and sales of a person's day are one sum in base currency, over every currency", async () => {
  const tenantId = await world.openTenant(cashRule());
  expect(await check(tenantId, 400_00n)).toMatchObject(yes);
  const naira = { amount: { amountMinor: 610_300_00n, currency: "NGN" }, baseAmount: usd(400_00n), kind: "CASH_OUT" };
  expect(await check(tenantId, 0n, naira)).toMatchObject(yes);
  expect(await check(tenantId, 200_01n, { kind: "CASH_SALE" })).toMatchObject(no);
  // What was refused is not counted, and another person's is their own.
  expect(await check(tenantId, 200_00n, { kind: "CASH_SALE" })).toMatchObject(yes);
  expect(await check(tenantId, 1n)).toMatchObject(no);
  const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
  await world.operator.setCustomerStatus({ customerId: "c2", status, reason: "seen" }, on(tenantId));
  expect(await check(tenantId, 1_000_00n, { customerId: "c2" })).toMatchObject(yes);
  const strangers = await world.openTenant(cashRule());
  expect(await check(strangers, 1_000_00n)).toMatchObject(yes);
  // The day after it begins anew.
  world.state.now = new Date(world.state.now.getTime() + 86_400_000);
  expect(await check(tenantId, 1_000_00n)).toMatchObject(yes);
});

test("asked again it is the first answer and counted once, also when rates have moved; other cash is KEY_REUSED", async () => {
  const tenantId = await world.openTenant(cashRule());
  const cashId = randomUUID();
  for (const base of [600_00n, 900_00n]) {
    expect(await check(tenantId, 600_00n, { cashId, baseAmount: usd(base) })).toMatchObject(yes);
  }
  expect((await refused(check(tenantId, 601_00n, { cashId }))).code).toBe("KEY_REUSED");
  expect(await check(tenantId, 400_00n)).toMatchObject(yes);
});

test("cash that was not taken after all is given back, once", async () => {
  const tenantId = await world.openTenant(cashRule());
  const cashId = randomUUID();
  await check(tenantId, 700_00n, { cashId });
  await check(tenantId, 300_00n);
  expect(await check(tenantId, 1n)).toMatchObject(no);
  for (const _time of [1, 2]) await world.wallet.releaseReservation({ transactionId: cashId }, on(tenantId));
  expect(await check(tenantId, 700_01n)).toMatchObject(no);
  expect(await check(tenantId, 700_00n)).toMatchObject(yes);
  // The last of a day, too.
  const alone = await world.openTenant(cashRule());
  const only = randomUUID();
  await check(alone, 1_000_00n, { cashId: only });
  await world.wallet.releaseReservation({ transactionId: only }, on(alone));
  expect(await check(alone, 1_000_00n)).toMatchObject(yes);
});

test.each([
  ["without a rate", { baseAmount: undefined }],
  ["in another base than the rule's", { baseAmount: { amountMinor: 1n, currency: "EUR" } }],
])("cash %s counts as above, and so does what comes with it in the day", async (_name, part) => {
  const tenantId = await world.openTenant(cashRule());
  expect(await check(tenantId, 1n, part)).toMatchObject(no);
  const without = await world.openTenant({ transactionRules: [] });
  expect(await check(without, 1n, part)).toMatchObject(yes);
  await world.operator.putPolicy(cashRule(), on(without));
  expect(await check(without, 1n)).toMatchObject(no);
});

test("a hundred at once never pass what the rule lets", async () => {
  const tenantId = await world.openTenant(cashRule());
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, at) => check(tenantId, 30_00n, { kind: everyCash[at % 3]! })),
  );
  expect(all.filter(({ approved }) => approved)).toHaveLength(33);
});

test("a rule may ask for a document or for a person, count cash, or look at more days", async () => {
  const asking = cashRule(
    {},
    { action: RuleAction.RULE_ACTION_REQUIRE_DOCUMENTS, requiredDocuments: ["SOURCE_OF_FUNDS"] },
  );
  const documented = await world.openTenant(asking);
  expect(await check(documented, 1_000_01n)).toMatchObject({
    approved: false,
    outstandingRequirements: ["SOURCE_OF_FUNDS"],
  });
  const reviewed = await world.openTenant(cashRule({}, { action: RuleAction.RULE_ACTION_REVIEW }));
  expect(await check(reviewed, 1_000_01n)).toMatchObject({ approved: false });
  expect(await check(reviewed, 1_000_00n)).toMatchObject(yes);
  const counted = await world.openTenant(
    cashRule({ measure: Measure.MEASURE_COUNT, amount: undefined, count: 2n, days: 7 }),
  );
  for (const answer of [yes, yes, no]) {
    expect(await check(counted, 1n)).toMatchObject(answer);
    world.state.now = new Date(world.state.now.getTime() + 86_400_000);
  }
});

test("what is sent and what is paid in cash are counted each by itself", async () => {
  const { transactionRules: [rule] = [] } = cashRule();
  const sent = {
    ...rule,
    name: "Sent a day",
    condition: { aggregates: [{ ...rule!.condition!.aggregates![0], of: "" }] },
  };
  const policy = { transactionRules: [rule!, sent], dailyLimits: [{ amount: usd(1_500_00n) }] };
  const tenantId = await world.openTenant(policy);
  expect(await check(tenantId, 1_000_00n)).toMatchObject(yes);
  const transaction = () => question({ amount: usd(500_00n) });
  for (const decision of ["DECISION_APPROVED", "DECISION_APPROVED", "DECISION_REJECTED"]) {
    expect(await world.remittance.checkTransaction(transaction(), on(tenantId))).toMatchObject({ decision });
  }
  expect(await check(tenantId, 1n)).toMatchObject(no);
});

test("a tenant without a policy, or without a rule over cash, takes it; what is asked wrongly names its field", async () => {
  const tenantId = await world.openTenant({});
  expect(await check(tenantId, 9_000_000_00n)).toMatchObject(yes);
  for (const [part, path] of [
    [{ cashId: "" }, "cashId"],
    [{ customerId: "" }, "customerId"],
    [{ kind: "CASH" }, "kind"],
    [{ amount: usd(0n) }, "amount"],
  ] as const) {
    const error = await refused(check(tenantId, 1n, part));
    expect([error.code, JSON.stringify(error.details)]).toEqual(["INVALID_INPUT", expect.stringContaining(path)]);
  }
  for (const wrong of [
    { measure: Measure.MEASURE_AVERAGE },
    { receivingCountries: ["NGA"] },
    { sourcesOfFunds: ["SALARY"] },
    { of: "NOTES" },
  ]) {
    const error = await refused(world.operator.putPolicy(cashRule(wrong), on(tenantId)));
    expect(error.code).toBe("INVALID_INPUT");
  }
});
