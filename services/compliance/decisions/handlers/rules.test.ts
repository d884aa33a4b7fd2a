import mongoose, { type mongo } from "mongoose";
import {
  Comparison,
  Decision,
  Measure,
  RuleAction,
  Visibility,
  type Aggregate,
  type CheckTransactionRequest,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  createComplianceWorld,
  on,
  everybody,
  question,
  refused,
  usd,
  type ComplianceWorld,
  type PolicyRequest,
} from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { decide } from "../domain/decision.js";
import { compilePolicy } from "../domain/policy.js";

// Of the services that the world starts.
const clients: mongo.MongoClient[] = [];
(mongoose as unknown as { events: NodeJS.EventEmitter }).events.on("createConnection", (db: mongoose.Connection) => {
  db.once("open", () => void clients.push(db.getClient()));
});

let world: ComplianceWorld;
beforeAll(async () => {
  world = await createComplianceWorld("rules");
});
afterEach(() => world.reset());
afterAll(() => world.close());

type Condition = NonNullable<NonNullable<PolicyRequest["transactionRules"]>[number]["condition"]>;

/** A policy that sends to review whatever meets the condition. */
const reviewing = (condition: Condition): PolicyRequest => ({
  transactionRules: [
    {
      name: "Rule",
      action: RuleAction.RULE_ACTION_REVIEW,
      visibility: Visibility.VISIBILITY_STAFF,
      condition,
    },
  ],
});
const over = (aggregate: WirePartial<Aggregate>): PolicyRequest =>
  reviewing({ aggregates: [{ comparison: Comparison.COMPARISON_ABOVE, days: 1, ...aggregate }] });
const decisionOn = async (tenantId: string, part: Partial<CheckTransactionRequest> = {}) =>
  (await world.remittance.checkTransaction(question(part), on(tenantId))).decision.replace("DECISION_", "");
const of = (amountMinor: bigint, part: Partial<CheckTransactionRequest> = {}) => ({
  amount: usd(amountMinor),
  ...part,
});

describe("each kind of condition, on both sides of its threshold", () => {
  const cases: [string, Condition, Partial<CheckTransactionRequest>, Partial<CheckTransactionRequest>][] = [
    ["an amount from", { amountAtLeast: usd(500_00n) }, of(499_99n), of(500_00n)],
    ["an amount above", { amountAbove: usd(500_00n) }, of(500_00n), of(500_01n)],
    ["an amount below", { amountBelow: usd(5_00n) }, of(5_00n), of(4_99n)],
    ["an origin", { originCountries: ["GB"] }, { originCountry: "USA" }, { originCountry: "GBR" }],
    ["a corridor", { originCountries: ["US"], receivingCountries: ["KE"] }, {}, { receivingCountry: "KEN" }],
    ["a purpose", { purposes: ["gift"] }, { remittancePurpose: "gifts" }, { remittancePurpose: " GIFT " }],
    ["a source of funds", { sourcesOfFunds: ["Cash"] }, { sourceOfFunds: "salary" }, { sourceOfFunds: "cash" }],
    ["an operation", { operations: ["REMITTANCE"], amountAbove: usd(1n) }, of(1n), of(2n)],
  ];
  test.each(cases)("%s", async (_name, condition, misses, meets) => {
    const tenantId = await world.openTenant(reviewing(condition));
    expect(await decisionOn(tenantId, misses)).toBe("APPROVED");
    expect(await decisionOn(tenantId, meets)).toBe("REVIEW");
  });

  test("a new beneficiary, and one that was sent to", async () => {
    const tenantId = await world.openTenant(reviewing({ newBeneficiary: true, amountAbove: usd(50_00n) }));
    expect(await decisionOn(tenantId, of(60_00n))).toBe("REVIEW");
    expect(await decisionOn(tenantId, of(50_00n))).toBe("APPROVED");
    expect(await decisionOn(tenantId, of(60_00n))).toBe("APPROVED");
    expect(await decisionOn(tenantId, of(60_00n, { recipientCode: "B-2" }))).toBe("REVIEW");
  });

  test("a customer's risk profile", async () => {
    const tenantId = await world.openTenant({
      ...reviewing({ riskProfiles: ["HIGH"] }),
      riskModel: {
        countryWeight: 40,
        requirementsWeight: 20,
        identityWeight: 20,
        flaggedWeight: 10,
        newCustomerWeight: 10,
        highRiskCountries: ["NG"],
        mediumFrom: 20,
        highFrom: 40,
        approveBelow: 50,
        rejectFrom: 80,
      },
    });
    const status = "CUSTOMER_STATUS_CONFIRMED" as const;
    await world.operator.setCustomerStatus({ customerId: "ng1", status, reason: "seen" }, on(tenantId));
    expect(await decisionOn(tenantId)).toBe("APPROVED");
    expect(await decisionOn(tenantId, { customerId: "ng1" })).toBe("REVIEW");
  });
});

describe("aggregates over the customer's past", () => {
  test("the 10,000 dollar cash day (31 CFR 1010.311): 4,000 + 3,500 + 2,500 is not more, one cent more is", async () => {
    const cashDay = { measure: Measure.MEASURE_SUM, amount: usd(10_000_00n), sourcesOfFunds: ["CASH"] };
    const tenantId = await world.openTenant(over(cashDay));
    const cash = (minor: bigint) => decisionOn(tenantId, of(minor, { sourceOfFunds: "cash" }));
    expect([await cash(4_000_00n), await cash(3_500_00n), await cash(2_500_00n)]).toEqual(Array(3).fill("APPROVED"));
    expect(await decisionOn(tenantId, of(9_000_00n))).toBe("APPROVED");
    expect(await cash(1n)).toBe("REVIEW");
  });

  test("a sum over 3 calendar days, in its own currency", async () => {
    const sum = {
      measure: Measure.MEASURE_SUM,
      amount: usd(300_00n),
      days: 3,
      comparison: Comparison.COMPARISON_AT_LEAST,
    };
    const tenantId = await world.openTenant(over(sum));
    for (const day of ["2026-05-01", "2026-05-02"]) {
      world.at(`${day}T12:00:00Z`);
      expect(await decisionOn(tenantId)).toBe("APPROVED");
    }
    world.at("2026-05-03T12:00:00Z");
    expect(await decisionOn(tenantId, { amount: { amountMinor: 900_00n, currency: "GBP" } })).toBe("APPROVED");
    expect(await decisionOn(tenantId, of(99_99n))).toBe("APPROVED");
    expect(await decisionOn(tenantId, of(1n))).toBe("REVIEW");
    // 1 May is no longer among the last three days.
    world.at("2026-05-04T00:00:00Z");
    expect(await decisionOn(tenantId, of(1n))).toBe("APPROVED");
  });

  test("velocity: the fourth of a day is one too many", async () => {
    const tenantId = await world.openTenant(over({ measure: Measure.MEASURE_COUNT, count: 3n }));
    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await decisionOn(tenantId));
    expect(answers).toEqual(["APPROVED", "APPROVED", "APPROVED", "REVIEW"]);
  });

  test("distinct recipients and distinct countries", async () => {
    const people = { measure: Measure.MEASURE_DISTINCT, of: "RECIPIENTS", count: 2n, days: 7 };
    const tenantId = await world.openTenant(over(people));
    const to = (recipientCode: string) => decisionOn(tenantId, { recipientCode });
    expect([await to("B-1"), await to("B-2"), await to("B-1"), await to("B-3")]).toEqual([
      "APPROVED",
      "APPROVED",
      "APPROVED",
      "REVIEW",
    ]);
    const countries = { measure: Measure.MEASURE_DISTINCT, of: "RECEIVING_COUNTRIES", count: 1n, days: 7 };
    const second = await world.openTenant(over(countries));
    expect(await decisionOn(second, { receivingCountry: "NGA" })).toBe("APPROVED");
    expect(await decisionOn(second, { receivingCountry: "KEN" })).toBe("REVIEW");
  });

  test("an average, without rounding: of 1.00 and 1.01 it is above 1.00, of 1.00 and 1.00 it is not", async () => {
    const average = { measure: Measure.MEASURE_AVERAGE, amount: usd(1_00n), days: 30 };
    const tenantId = await world.openTenant(over(average));
    expect(await decisionOn(tenantId, of(1_00n))).toBe("APPROVED");
    expect(await decisionOn(tenantId, of(1_00n))).toBe("APPROVED");
    expect(await decisionOn(tenantId, of(1_01n))).toBe("REVIEW");
  });

  test("a maximum that stays for its window", async () => {
    const max = { measure: Measure.MEASURE_MAX, amount: usd(500_00n), days: 2 };
    const tenantId = await world.openTenant(over(max));
    expect(await decisionOn(tenantId, of(500_00n))).toBe("APPROVED");
    expect(await decisionOn(tenantId, of(500_01n))).toBe("REVIEW");
    // What was not let through is no past.
    expect(await decisionOn(tenantId, of(1_00n))).toBe("APPROVED");
  });

  test("structuring: the third amount just below 10,000 within 5 days", async () => {
    const band = { from: usd(9_000_00n), below: usd(10_000_00n) };
    const tenantId = await world.openTenant(over({ measure: Measure.MEASURE_COUNT, count: 2n, days: 5, band }));
    const answers = [];
    for (const minor of [9_000_00n, 9_999_99n, 10_000_00n, 8_999_99n, 9_500_00n]) {
      answers.push(await decisionOn(tenantId, of(minor)));
    }
    expect(answers).toEqual(["APPROVED", "APPROVED", "APPROVED", "APPROVED", "REVIEW"]);
  });

  test("what is released is no past; what is refunded neither", async () => {
    const tenantId = await world.openTenant(over({ measure: Measure.MEASURE_SUM, amount: usd(150_00n) }));
    const first = question();
    await world.remittance.checkTransaction(first, on(tenantId));
    expect(await decisionOn(tenantId)).toBe("REVIEW");
    await world.remittance.releaseReservation({ transactionId: first.transactionId }, on(tenantId));
    const second = question();
    expect((await world.remittance.checkTransaction(second, on(tenantId))).decision).toBe(Decision.DECISION_APPROVED);
    await world.remittance.confirmReservation({ transactionId: second.transactionId }, on(tenantId));
    await world.remittance.giveBackReservation({ transactionId: second.transactionId }, on(tenantId));
    expect(await decisionOn(tenantId)).toBe("APPROVED");
  });
});

describe("days of the tenant's time zone", () => {
  test.each([
    // Clocks go forward: 8 March 2026 has 23 hours in New York, 05:00Z to 04:00Z of the next.
    [
      "America/New_York",
      ["2026-03-08T04:59:59Z", "2026-03-08T05:00:00Z", "2026-03-09T03:59:59Z", "2026-03-09T04:00:00Z"],
    ],
    // Clocks go back: 25 October 2026 has 25 hours in London, 23:00Z to 00:00Z of the 26th.
    ["Europe/London", ["2026-10-24T22:59:59Z", "2026-10-24T23:00:00Z", "2026-10-25T23:59:59Z", "2026-10-26T00:00:00Z"]],
    ["Africa/Lagos", ["2026-05-01T22:59:59Z", "2026-05-01T23:00:00Z", "2026-05-02T22:59:59Z", "2026-05-02T23:00:00Z"]],
    [
      "Asia/Kathmandu",
      ["2026-05-01T18:14:59Z", "2026-05-01T18:15:00Z", "2026-05-02T18:14:59Z", "2026-05-02T18:15:00Z"],
    ],
  ])("in %s a calendar day begins and ends where it does there", async (timeZone, [before, first, last, after]) => {
    const tenantId = await world.openTenant(over({ measure: Measure.MEASURE_COUNT, count: 1n }), { timeZone });
    const answers = [];
    for (const instant of [before, first, last, after]) {
      world.at(instant!);
      answers.push(await decisionOn(tenantId));
    }
    expect(answers).toEqual(["APPROVED", "APPROVED", "REVIEW", "APPROVED"]);
  });
});

test("two transactions race at two replicas for the rest of a sum over days: one passes", async () => {
  const tenantId = await world.openTenant({
    transactionRules: [
      {
        name: "Week",
        action: RuleAction.RULE_ACTION_REJECT,
        visibility: Visibility.VISIBILITY_STAFF,
        condition: {
          aggregates: [
            { measure: Measure.MEASURE_SUM, amount: usd(150_00n), days: 7, comparison: Comparison.COMPARISON_ABOVE },
          ],
        },
      },
    ],
  });
  const answers = await Promise.all(
    [world.remittance, world.elsewhere, world.remittance, world.elsewhere].map((replica) =>
      replica.checkTransaction(question(), on(tenantId)),
    ),
  );
  expect(answers.map(({ decision }) => decision).toSorted()).toEqual([
    "DECISION_APPROVED",
    "DECISION_REJECTED",
    "DECISION_REJECTED",
    "DECISION_REJECTED",
  ]);
});

test("a decision made again from its kept policy version and inputs is the same", async () => {
  const tenantId = await world.openTenant({
    ...over({ measure: Measure.MEASURE_AVERAGE, amount: usd(120_00n), days: 10 }),
    dailyLimits: [{ amount: usd(500_00n) }],
  });
  const ids: string[] = [];
  for (const minor of [100_00n, 200_00n, 10_00n, 400_00n]) {
    const requested = question({ amount: usd(minor) });
    ids.push(requested.transactionId);
    await world.remittance.checkTransaction(requested, on(tenantId));
  }
  await world.operator.putPolicy({}, on(tenantId));
  const tenant = world.store.forTenant(tenantId);
  const seen = new Set<string>();
  for (const id of ids) {
    const stored = (await tenant.findDecision(id))!;
    const policy = await tenant.findPolicy(undefined, stored.policyVersion);
    expect(decide(policy && compilePolicy(policy), stored.inputs)).toEqual({
      decision: stored.decision,
      reasonCode: stored.reasonCode,
      message: stored.message,
      outstandingRequirements: stored.outstandingRequirements,
      matchedRules: stored.matchedRules,
    });
    seen.add(stored.decision);
  }
  expect([...seen].toSorted()).toEqual(["APPROVED", "REJECTED", "REVIEW"]);
});

describe("round trips to MongoDB of a check, however long the past", () => {
  const policy = () => over({ measure: Measure.MEASURE_SUM, amount: usd(10n ** 12n), days: 90 });
  async function lived(): Promise<string> {
    const tenantId = await world.openTenant(policy());
    for (let day = 1; day <= 9; day++) {
      world.at(`2026-05-0${day}T12:00:00Z`);
      await decisionOn(tenantId);
    }
    return tenantId;
  }

  test("are 7 for a customer whose past the process knows, whoever has decided on them since", async () => {
    const tenantId = await lived();
    const elsewhere = () => world.elsewhere.checkTransaction(question(), on(tenantId));
    // Earlier decisions; lock the customer and, beside it, version of the policy; today; day,
    // decision, commit.
    expect(await commandsDuring(() => decisionOn(tenantId))).toBe(7);
    await elsewhere();
    expect(await commandsDuring(() => decisionOn(tenantId))).toBe(7);
    expect(await commandsDuring(elsewhere)).toBe(7);
    // Somebody who was not compared with lists before is noted, in one write.
    const [sender, recipient] = everybody;
    const parties = [sender!, { ...recipient!, name: "Ngozi Adeyemi" }];
    expect(await commandsDuring(() => decisionOn(tenantId, { parties }))).toBe(8);
    expect(await commandsDuring(() => decisionOn(tenantId, { parties }))).toBe(7);
  });

  test("are 8 on a new day", async () => {
    const tenantId = await lived();
    world.at("2026-05-10T12:00:00Z");
    // All days of the longest window, in one, and the recipient.
    expect(await commandsDuring(() => decisionOn(tenantId))).toBe(8);
  });

  test("are shared by checks on different customers at the same moment", async () => {
    const tenantId = await world.openTenant(policy());
    const customers = await confirmed(tenantId, 16);
    const all = () => Promise.all(customers.map((customerId) => decisionOn(tenantId, { customerId })));
    await all();
    // One by one they would take 80.
    expect(await commandsDuring(all)).toBeLessThan(40);
    for (const customerId of customers) {
      const [day] = await world.store.forTenant(tenantId).listDays(customerId, "2026-05-01", "2026-05-01");
      expect(day!.usage).toEqual([{ currency: "USD", reservedMinor: 200_00n, usedMinor: 0n }]);
    }
  });

  test("are 8 for all of a group whose pasts the process knows, however many, whoever has decided on them since", async () => {
    const tenantId = await world.openTenant(policy());
    const customers = await confirmed(tenantId, 5);
    const group = () => decisionsOn(tenantId, customers, 100_00n);
    const approved = customers.map(() => "APPROVED");
    // Policy and recipients for the first time, too.
    expect(await group()).toEqual(approved);
    // Earlier decisions; lock the customers and, beside it, version of the policy; read them, and
    // today; days, decisions, commit.
    expect(await commandsDuring(group)).toBe(8);
    await world.elsewhere.checkTransaction(question({ customerId: "c12" }), on(tenantId));
    expect(await commandsDuring(group)).toBe(8);
  });

  test("are 1 for a group that was decided on before, and what is asked for the first time is decided beside it", async () => {
    const tenantId = await world.openTenant(policy());
    const customers = await confirmed(tenantId, 5);
    const requested = customers.map((customerId) => question({ customerId }));
    const group = (requests: ReturnType<typeof question>[]) =>
      world.remittance.batch(
        "checkTransaction",
        requests.map((request, index) => ({ interactionId: `i-${index}`, request })),
        on(tenantId),
      );
    // What takes long is left out of a group's answers, and asked again.
    const first = await waitFor(async () => {
      const answers = await group(requested);
      return answers.every(({ response }) => response) ? answers : undefined;
    });
    // Four of them are asked about a second time and one for the first.
    const again = [...requested.slice(0, 4), question({ customerId: "c14" })];
    const second = await group(again);
    expect(second.slice(0, 4)).toEqual(first.slice(0, 4));
    expect(second[4]!.response!.decision).toBe("DECISION_APPROVED");
    const [counted] = await world.store.forTenant(tenantId).listDays("c10", "2026-05-01", "2026-05-01");
    expect(counted!.usage).toEqual([{ currency: "USD", reservedMinor: 100_00n, usedMinor: 0n }]);
    expect(await commandsDuring(() => group(again))).toBe(1);
    expect(await group(again)).toEqual(second);
  });
});

/** What is decided on a transaction of each of these customers, in one call. */
async function decisionsOn(tenantId: string, customers: readonly string[], minor: bigint): Promise<string[]> {
  const checks = customers.map((customerId, index) => ({
    interactionId: `${customerId}-${index}`,
    request: question({ customerId, amount: usd(minor) }),
  }));
  const answers = await world.remittance.batch("checkTransaction", checks, on(tenantId));
  // As remittance does: what is not answered within the call's patience is asked for alone.
  const decided = answers.map(
    async ({ response }, index) =>
      response ?? (await world.remittance.checkTransaction(checks[index]!.request, on(tenantId))),
  );
  return (await Promise.all(decided)).map(({ decision }) => decision.replace("DECISION_", ""));
}

/** Customers c10, c11… of a tenant. */
async function confirmed(tenantId: string, count: number): Promise<string[]> {
  const customers = Array.from({ length: count }, (_, n) => `c${10 + n}`);
  const status = "CUSTOMER_STATUS_CONFIRMED" as const;
  for (const customerId of customers) {
    await world.operator.setCustomerStatus({ customerId, status, reason: "seen" }, on(tenantId));
  }
  return customers;
}

describe("checks that share a transaction", () => {
  test("are decided each by itself: what one of them needs or meets is nobody else's", async () => {
    const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(150_00n) }] });
    const customers = await confirmed(tenantId, 6);
    const blocked = { customerId: "c10", status: "CUSTOMER_STATUS_BLOCKED", reason: "no" } as const;
    await world.operator.setCustomerStatus(blocked, on(tenantId));
    // Every customer is worked out anew for it, some of them while others are decided on.
    await world.operator.putPolicy({ dailyLimits: [{ amount: usd(250_00n) }] }, on(tenantId));
    const decided = await Promise.all(
      [...customers, "c99"].flatMap((customerId) =>
        [100_00n, 100_00n, 100_00n].map((minor) => decisionOn(tenantId, { customerId, amount: usd(minor) })),
      ),
    );
    const of = (at: number) => decided.slice(3 * at, 3 * at + 3).toSorted();
    expect(of(0)).toEqual(["REJECTED", "REJECTED", "REJECTED"]);
    for (const at of [1, 2, 3, 4, 5]) expect(of(at)).toEqual(["APPROVED", "APPROVED", "REJECTED"]);
    // Nobody has confirmed this one.
    expect(of(6)).toEqual(["REJECTED", "REJECTED", "REJECTED"]);
  });

  describe("on customers whom the process has decided on before", () => {
    const elsewhere = {
      "was decided": (tenantId: string) =>
        world.elsewhere.checkTransaction(question({ customerId: "c12", amount: usd(60_00n) }), on(tenantId)),
      "changed of a customer": (tenantId: string) => {
        const blocked = { customerId: "c12", status: "CUSTOMER_STATUS_BLOCKED", reason: "no" } as const;
        return world.operator.setCustomerStatus(blocked, on(tenantId));
      },
    };
    test.each(Object.entries(elsewhere))("see what %s elsewhere since", async (_what, change) => {
      const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(250_00n) }] });
      const customers = await confirmed(tenantId, 5);
      expect(new Set(await decisionsOn(tenantId, customers, 100_00n))).toEqual(new Set(["APPROVED"]));
      await change(tenantId);
      const after = ["APPROVED", "APPROVED", "REJECTED", "APPROVED", "APPROVED"];
      expect(await decisionsOn(tenantId, customers, 100_00n)).toEqual(after);
      const [day] = await world.store.forTenant(tenantId).listDays("c13", "2026-05-01", "2026-05-01");
      expect(day!.usage).toEqual([{ currency: "USD", reservedMinor: 200_00n, usedMinor: 0n }]);
      expect(day!.cells).toMatchObject([{ count: 2, sumMinor: 200_00n, maxMinor: 100_00n }]);
    });
  });

  test("are decided by the policy of this moment, not by the one of the group before", async () => {
    const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(250_00n) }] });
    const customers = await confirmed(tenantId, 5);
    const group = () => decisionsOn(tenantId, customers, 100_00n);
    expect(new Set(await group())).toEqual(new Set(["APPROVED"]));
    await world.operator.putPolicy({ dailyLimits: [{ amount: usd(150_00n) }] }, on(tenantId));
    expect(new Set(await group())).toEqual(new Set(["REJECTED"]));
  });

  test("of the same customers at two replicas hold every limit, and each is decided once", async () => {
    const tenantId = await world.openTenant({ dailyLimits: [{ amount: usd(400_00n) }] });
    const customers = await confirmed(tenantId, 6);
    const requested = customers.flatMap((customerId) => Array.from({ length: 6 }, () => question({ customerId })));
    const answers = await Promise.all(
      requested.flatMap((request, n) =>
        [world.remittance, world.elsewhere].map((replica) =>
          replica.checkTransaction(request, on(tenantId)).then(({ decision }) => [n, decision] as const),
        ),
      ),
    );
    for (const [at, customerId] of customers.entries()) {
      const own = answers.filter(([n]) => Math.floor(n / 6) === at);
      const approved = own.filter(([, decision]) => decision === "DECISION_APPROVED").map(([n]) => n);
      // Both replicas say the same of each.
      expect([approved.length, new Set(approved).size]).toEqual([8, 4]);
      const [day] = await world.store.forTenant(tenantId).listDays(customerId, "2026-05-01", "2026-05-01");
      expect(day!.usage).toEqual([{ currency: "USD", reservedMinor: 400_00n, usedMinor: 0n }]);
    }
  });

  test("what another replica decided first is looked for, not decided over and over", async () => {
    const tenantId = await world.openTenant({});
    const [customerId] = await confirmed(tenantId, 1);
    const request = question({ customerId: customerId! });
    await world.remittance.checkTransaction(request, on(tenantId));
    const tenant = world.store.forTenant(tenantId);
    const stored = await tenant.findDecision(request.transactionId);
    let runs = 0;
    const again = world.store.transactionUntilInserted(
      async (session) => {
        runs += 1;
        await tenant.insertDecisions([stored!], session);
        return true;
      },
      async () => undefined,
    );
    await expect(again).rejects.toMatchObject({ code: 11_000 });
    expect(runs).toBe(1);
  });

  test("one transaction id for two customers is decided for one of them", async () => {
    const tenantId = await world.openTenant({});
    const [first, second] = await confirmed(tenantId, 2);
    const request = question({ customerId: first! });
    const outcomes = await Promise.allSettled([
      world.remittance.checkTransaction(request, on(tenantId)),
      world.remittance.checkTransaction({ ...request, customerId: second! }, on(tenantId)),
    ]);
    const codes = outcomes.map((one) => (one.status === "rejected" ? one.reason.code : one.value.decision));
    expect(codes.toSorted()).toEqual(["DECISION_APPROVED", "KEY_REUSED"]);
  });
});

test("what is remembered of a past is never wrong: two replicas, releases, refunds and days in any order", async () => {
  const aggregates = [
    { measure: Measure.MEASURE_SUM, amount: usd(10n ** 12n), days: 3 },
    { measure: Measure.MEASURE_COUNT, count: 1_000n, days: 3 },
    { measure: Measure.MEASURE_MAX, amount: usd(10n ** 12n), days: 2 },
    { measure: Measure.MEASURE_DISTINCT, of: "RECIPIENTS", count: 1_000n, days: 3 },
  ];
  const tenantId = await world.openTenant({
    transactionRules: aggregates.map((one) => over(one).transactionRules![0]!),
  });
  const store = world.store.forTenant(tenantId);
  const random = createRandom(7);
  const counted = new Map<string, { day: number; minor: bigint; recipient: string }>();
  let day = 10;
  for (let step = 0; step < 120; step++) {
    const what = random(10);
    if (what < 2) day += random(3) - 1;
    world.at(`2026-05-${String(day).padStart(2, "0")}T12:00:00Z`);
    const ids = [...counted.keys()];
    if (what === 2 && ids.length > 0) {
      const transactionId = ids[random(ids.length)]!;
      await world.remittance.releaseReservation({ transactionId }, on(tenantId));
      counted.delete(transactionId);
      continue;
    }
    const client = random(2) === 0 ? world.remittance : world.elsewhere;
    const minor = BigInt(1 + random(5_000));
    const request = question({ amount: usd(minor), recipientCode: `B-${random(6)}` });
    await client.checkTransaction(request, on(tenantId));
    const own = { day, minor, recipient: request.recipientCode };
    const within = (days: number) => [...counted.values(), own].filter((one) => one.day > day - days && one.day <= day);
    const most = within(2).reduce((max, one) => (one.minor > max ? one.minor : max), 0n);
    const stored = await store.findDecision(request.transactionId);
    expect([step, ...stored!.inputs.figures]).toEqual([
      step,
      within(3).reduce((sum, one) => sum + one.minor, 0n),
      BigInt(within(3).length),
      most,
      BigInt(new Set(within(3).map(({ recipient }) => recipient)).size),
    ]);
    counted.set(request.transactionId, own);
  }
}, 180_000);

test("a decision's figures are kept as one text", async () => {
  const aggregate = { measure: Measure.MEASURE_AVERAGE, amount: usd(10n ** 12n), days: 1 };
  const tenantId = await world.openTenant(over(aggregate));
  const request = question({ amount: usd(25_00n) });
  await world.remittance.checkTransaction(request, on(tenantId));
  const stored = world.db.collection<{ inputs: { figures: unknown } }>("decisions");
  const { inputs } = (await stored.findOne({ tenantId, transactionId: request.transactionId }))!;
  expect(inputs.figures).toBe("2500 1");
  const found = await world.store.forTenant(tenantId).findDecision(request.transactionId);
  expect(found!.inputs.figures).toEqual([25_00n, 1n]);
});

/** The same numbers at each run: 0 up to, not including, `below`. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/**
 * Round trips of the services while `work` runs, without those of the relay, which looks at
 * its outbox by itself, of jobs that look at all tenants, and for the policy of screening,
 * which is kept for two seconds.
 */
async function commandsDuring(work: () => Promise<unknown>): Promise<number> {
  let requests = 0;
  const watch = ({ commandName, command }: mongo.CommandStartedEvent) => {
    // Whoever is to be compared again is counted, tenant by tenant.
    const isCount = commandName === "aggregate" && command[commandName] === "screening_subjects";
    const isOfJob = isCount || String(command["comment"] ?? "").startsWith("acrossTenants:");
    const isOther = ["outbox", "screening_policies"].includes(command[commandName] as string);
    if (!["endSessions", "ping", "hello"].includes(commandName) && !isOther && !isOfJob) requests += 1;
  };
  for (const client of clients) client.on("commandStarted", watch);
  try {
    await work();
  } finally {
    for (const client of clients) client.off("commandStarted", watch);
  }
  return requests;
}

describe("what may not be written", () => {
  test("names the path of each fault of an aggregate", async () => {
    const bad = reviewing({
      amountAtLeast: usd(10n),
      amountBelow: usd(10n),
      aggregates: [
        { measure: Measure.MEASURE_SUM, days: 0, comparison: Comparison.COMPARISON_ABOVE, count: 1n },
        {
          measure: Measure.MEASURE_COUNT,
          days: 367,
          comparison: Comparison.COMPARISON_UNSPECIFIED,
          count: 1n,
          band: { from: usd(9_001_00n), below: usd(8_000_00n) },
        },
        { measure: Measure.MEASURE_DISTINCT, of: "SHOES", days: 1, comparison: Comparison.COMPARISON_ABOVE, count: 0n },
      ],
    });
    const refusal = await refused(world.openTenant(bad));
    const at = "transactionRules[0].condition";
    expect(refusal.details!.errors!.map(({ path }) => path).toSorted()).toEqual(
      [
        `${at}.amountBelow`,
        `${at}.aggregates[0].days`,
        `${at}.aggregates[0].amount`,
        `${at}.aggregates[0].count`,
        `${at}.aggregates[1].comparison`,
        `${at}.aggregates[1].days`,
        `${at}.aggregates[1].band.from.amountMinor`,
        `${at}.aggregates[1].band.below`,
        `${at}.aggregates[2].count`,
        `${at}.aggregates[2].of`,
      ].toSorted(),
    );
  });

  test("a risk model whose weights or thresholds make no sense", async () => {
    const riskModel = { countryWeight: 50, requirementsWeight: 51, mediumFrom: 5, highFrom: 5, approveBelow: 9 };
    const refusal = await refused(world.openTenant({ riskModel }));
    expect(refusal.details!.errors!.map(({ path }) => path)).toEqual([
      "riskModel",
      "riskModel.highFrom",
      "riskModel.rejectFrom",
    ]);
  });
});
