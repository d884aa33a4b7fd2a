import { randomBytes } from "node:crypto";
import type { Connection } from "mongoose";
import {
  ComplianceServiceDefinition,
  CustomerStatus,
  Decision,
  MoveKind,
  RuleAction,
  Visibility,
  type CheckTransactionRequest,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { everybody } from "../../../test/support/compliance-fixture.js";
import { useSandboxLists } from "../../../test/support/screening-lists.js";
import { withoutKeys } from "../../../test/support/without-keys.js";
import { testDatabase, testRedisUrl, testTenant, type TestDatabase } from "../../../test/support/index.js";
import {
  createServiceNetwork,
  stateUser,
  statedUsers,
  type ServiceNetwork,
} from "../../../test/support/service-network.js";
import type { BatchingClient } from "../../kernel/grpc/client.js";
import { refusalFromTrailer } from "../../kernel/grpc/refusal-trailer.js";
import { createLocalKey } from "../../kernel/keys/file-keys.js";
import { Refusal } from "../../kernel/refusal.js";
import { startCompliance } from "../server.js";
import { createComplianceStore } from "../decisions/store/index.js";

type ComplianceClient = BatchingClient<typeof ComplianceServiceDefinition>;
type PolicyRequest = Parameters<ComplianceClient["putPolicy"]>[0];

let network: ServiceNetwork;
let database: TestDatabase;
let db: Connection;
let services: Awaited<ReturnType<typeof startCompliance>>[];
let operator: ComplianceClient;
let remittance: ComplianceClient;
/** As remittance, at the other of two replicas. */
let elsewhere: ComplianceClient;
let gateway: ComplianceClient;
let now = new Date("2026-05-01T12:00:00Z");
const timeZones = new Map<string, string>();

beforeAll(async () => {
  network = await createServiceNetwork();
  database = await testDatabase("compliance");
  db = database.db;
  const identity = await network.standIn("identity", IdentityServiceDefinition, {
    async getCustomer({ customerId }) {
      if (customerId === undefined || !customerId.startsWith("c"))
        throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
      const names = { firstName: "Ada", lastName: "Lovelace" };
      return { customer: { customerId, ...names, country: "USA", createdAt: new Date("2020-01-01T00:00:00Z") } };
    },
    async getTenantClock(_request, { tenantId }) {
      return { clock: { timeZone: timeZones.get(tenantId) ?? "UTC" } };
    },
    async getOrganisationPreference(_request, call) {
      return { tenant: { tenantId: call.tenantId, preference: { timeZone: timeZones.get(call.tenantId) ?? "UTC" } } };
    },
  });
  await useSandboxLists(db);
  const wrapper = createLocalKey(randomBytes(32));
  const start = () =>
    startCompliance(
      {
        NODE_ENV: "test",
        LOG_LEVEL: "silent",
        HOST: "127.0.0.1",
        PORT: 0,
        MONGODB_URI: database.uri,
        MONGODB_DATABASE: database.database,
        REDIS_URL: testRedisUrl(),
        SERVICE_KEY_FILE: "",
        SERVICE_JWKS_FILE: "",
        IDENTITY_ADDRESS: identity,
      },
      {
        log: network.log,
        wrapper,
        clock: { now: () => now },
        keys: network.keysOf("compliance"),
        verifyUserToken: statedUsers,
      },
    );
  services = await Promise.all([start(), start()]);
  const client = (as: "operator" | "remittance" | "gateway", { port } = services[0]!) =>
    network.client(ComplianceServiceDefinition, "compliance", port, as);
  [operator, remittance, gateway] = [client("operator"), client("remittance"), client("gateway")];
  elsewhere = client("remittance", services[1]);
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await network.close();
  await database.close();
});

const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
const on = (tenantId: string, userToken?: string) => ({
  tenantId,
  interactionId: "i-1",
  ...(userToken !== undefined && { userToken }),
});
const question = (part: Partial<CheckTransactionRequest> = {}) => ({
  transactionId: "t1",
  customerId: "c1",
  amount: usd(100_00n),
  originCountry: "USA",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  remittancePurpose: "family",
  sourceOfFunds: "salary",
  parties: everybody,
  ...part,
});
const limitOf = (amountMinor: bigint): PolicyRequest => ({ dailyLimits: [{ amount: usd(amountMinor) }] });

/** A tenant with a policy and the confirmed customer c1. */
async function openTenant(policy: PolicyRequest = limitOf(1_000_00n), timeZone = "UTC"): Promise<string> {
  const tenantId = testTenant();
  timeZones.set(tenantId, timeZone);
  await operator.putPolicy(policy, on(tenantId));
  await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_CONFIRMED);
  return tenantId;
}
const setStatus = (tenantId: string, customerId: string, status: CustomerStatus, reason = "checked", more = {}) =>
  operator.setCustomerStatus({ customerId, status, reason, ...more }, on(tenantId));
const check = (tenantId: string, part: Partial<CheckTransactionRequest> = {}) =>
  remittance.checkTransaction(question(part), on(tenantId));
const usageOf = async (tenantId: string, day = "2026-05-01") => {
  const [stored] = await createComplianceStore(db, withoutKeys).forTenant(tenantId).listDays("c1", day, day);
  const { reservedMinor = 0n, usedMinor = 0n } = stored?.usage.find(({ currency }) => currency === "USD") ?? {};
  return { reservedMinor, usedMinor };
};

async function refused(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
}

describe("PutPolicy and GetPolicy", () => {
  const rule = { name: "Large", action: RuleAction.RULE_ACTION_REVIEW, visibility: Visibility.VISIBILITY_PUBLIC };

  test("keeps every version and makes none for the same content", async () => {
    const tenantId = testTenant();
    const first = await operator.putPolicy({ transactionRules: [rule], ...limitOf(5n) }, on(tenantId));
    expect(first.policy).toMatchObject({ version: 1, publishedBy: "operator", transactionRules: [{ id: "large" }] });
    expect((await operator.putPolicy({ transactionRules: [rule], ...limitOf(5n) }, on(tenantId))).policy!.version).toBe(
      1,
    );
    expect((await operator.putPolicy(limitOf(6n), on(tenantId))).policy!.version).toBe(2);
    const stored = await db
      .collection("policies")
      .find({ tenantId }, { sort: { version: 1 } })
      .toArray();
    expect(stored.map(({ version, dailyLimits }) => [version, dailyLimits])).toEqual([
      [1, [{ minor: 5n, currency: "USD" }]],
      [2, [{ minor: 6n, currency: "USD" }]],
    ]);
  });

  test("numbers policies that are published at the same time one after the other", async () => {
    const tenantId = testTenant();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => operator.putPolicy(limitOf(BigInt(i + 1)), on(tenantId))),
    );
    expect(answers.map(({ policy }) => policy!.version).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("400 INVALID_INPUT names every fault's path", async () => {
    const refusal = await refused(
      operator.putPolicy(
        {
          transactionRules: [
            {
              ...rule,
              condition: { amountAtLeast: { amountMinor: -1n, currency: "QQQ" }, originCountries: ["Narnia"] },
            },
            { ...rule, action: RuleAction.RULE_ACTION_UNSPECIFIED },
          ],
          dailyLimits: [{}],
        },
        on(testTenant()),
      ),
    );
    expect(refusal.code).toBe("INVALID_INPUT");
    expect(refusal.details!.errors!.map(({ path }) => path)).toEqual([
      "transactionRules[0].condition.amountAtLeast.currency",
      "transactionRules[0].condition.amountAtLeast.amountMinor",
      "transactionRules[0].condition.originCountries[0]",
      "transactionRules[1].action",
      "dailyLimits[0].amount",
    ]);
  });

  test("403 CALLER_NOT_ALLOWED: only the operator writes", async () => {
    expect((await refused(gateway.putPolicy({}, on(testTenant())))).code).toBe("CALLER_NOT_ALLOWED");
  });

  test("shows staff all of it, a customer neither staff's rules nor conditions", async () => {
    const tenantId = testTenant();
    const condition = { amountAtLeast: usd(5n), originCountries: ["US"], receivingCountries: [] };
    const secret = { ...rule, name: "Secret", visibility: Visibility.VISIBILITY_STAFF };
    await operator.putPolicy({ transactionRules: [{ ...rule, condition }, secret] }, on(tenantId));
    const seenBy = async (role?: "MANAGER" | "AGENT" | "CASHIER" | "CUSTOMER") => {
      const token = role && stateUser({ tenantId, role, userId: "u1" });
      return (await gateway.getPolicy({}, on(tenantId, token))).policy!.transactionRules;
    };
    for (const role of ["MANAGER", "AGENT", "CASHIER"] as const) {
      const rules = await seenBy(role);
      expect(rules.map(({ id }) => id)).toEqual(["large", "secret"]);
      expect(rules[0]!.condition).toMatchObject({ amountAtLeast: usd(5n), originCountries: ["USA"] });
    }
    for (const role of ["CUSTOMER", undefined] as const) {
      const rules = await seenBy(role);
      expect(rules.map(({ id }) => id)).toEqual(["large"]);
      expect(rules[0]!.condition).toMatchObject({ amountAtLeast: undefined, originCountries: [], aggregates: [] });
    }
  });

  test("never shows another tenant's policy", async () => {
    await operator.putPolicy({ transactionRules: [rule] }, on(testTenant()));
    expect((await operator.getPolicy({}, on(testTenant()))).policy).toMatchObject({ version: 0, transactionRules: [] });
  });

  test("401 for a user of another tenant, 403 for a service that has no business here", async () => {
    const token = stateUser({ tenantId: testTenant(), role: "MANAGER", userId: "u1" });
    expect((await refused(gateway.getPolicy({}, on(testTenant(), token)))).code).toBe("UNAUTHENTICATED");
    expect((await refused(remittance.getPolicy({}, on(testTenant())))).code).toBe("CALLER_NOT_ALLOWED");
  });
});

describe("SetCustomerStatus", () => {
  test("keeps each change with time, actor and reason, and none for the same word again", async () => {
    const tenantId = testTenant();
    await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_CONFIRMED, "documents seen");
    await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_CONFIRMED, " documents seen ");
    const answer = await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_BLOCKED, "court order");
    expect(answer.status).toBe(CustomerStatus.CUSTOMER_STATUS_BLOCKED);
    const history = await createComplianceStore(db, withoutKeys).forTenant(tenantId).listStatusChanges("c1");
    expect(history).toEqual([
      {
        customerId: "c1",
        sequence: 1,
        status: "CONFIRMED",
        reason: "documents seen",
        at: now,
        actor: "operator",
        interactionId: "i-1",
      },
      {
        customerId: "c1",
        sequence: 2,
        status: "BLOCKED",
        reason: "court order",
        at: now,
        actor: "operator",
        interactionId: "i-1",
      },
    ]);
  });

  test("only where there is none: a fixture loaded again does not undo a block", async () => {
    const tenantId = testTenant();
    const first = { onlyIfUnset: true };
    const confirmed = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
    expect((await setStatus(tenantId, "c1", confirmed, "fixture", first)).status).toBe(confirmed);
    await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_BLOCKED, "court order");
    const answer = await setStatus(tenantId, "c1", confirmed, "fixture", first);
    expect(answer.status).toBe(CustomerStatus.CUSTOMER_STATUS_BLOCKED);
  });

  test("numbers changes that happen at the same time one after the other", async () => {
    const tenantId = testTenant();
    await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_CONFIRMED, `by ${i}`),
      ),
    );
    const history = await createComplianceStore(db, withoutKeys).forTenant(tenantId).listStatusChanges("c1");
    expect(history.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("400 INVALID_INPUT without customer, status or reason", async () => {
    const confirmed = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
    const faults = [
      setStatus(testTenant(), "", confirmed),
      setStatus(testTenant(), "c1", CustomerStatus.CUSTOMER_STATUS_UNSPECIFIED),
      setStatus(testTenant(), "c1", confirmed, "  "),
      setStatus(testTenant(), "c1", confirmed, "x".repeat(301)),
    ];
    const paths = await Promise.all(faults.map(async (fault) => (await refused(fault)).details!.errors![0]!.path));
    expect(paths).toEqual(["customerId", "status", "reason", "reason"]);
  });

  test("404 CUSTOMER_NOT_FOUND for somebody identity does not know", async () => {
    const refusal = await refused(setStatus(testTenant(), "x1", CustomerStatus.CUSTOMER_STATUS_CONFIRMED));
    expect(refusal.code).toBe("CUSTOMER_NOT_FOUND");
  });

  test("403 CALLER_NOT_ALLOWED for anybody but the operator", async () => {
    const request = { customerId: "c1", status: CustomerStatus.CUSTOMER_STATUS_CONFIRMED, reason: "me" };
    expect((await refused(gateway.setCustomerStatus(request, on(testTenant())))).code).toBe("CALLER_NOT_ALLOWED");
  });
});

test("CheckMoves answers each move in the order asked, PENDING where nothing is known; the gateway does not ask", async () => {
  const tenantId = testTenant();
  await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_BLOCKED);
  await setStatus(tenantId, "c2", CustomerStatus.CUSTOMER_STATUS_CONFIRMED);
  const of = (customerId: string, kind: MoveKind) => ({ customerId, kind });
  const { MOVE_KIND_TRANSFER_RECEIVED: received, MOVE_KIND_EXCHANGE: exchange } = MoveKind;
  const moves = [of("c1", received), of("c1", exchange), of("c2", received), of("c3", received), of("c3", exchange)];
  const { answers } = await remittance.checkMoves({ moves }, on(tenantId));
  expect(answers.map(({ verdict, reasonCode }) => [verdict.replace("MOVE_VERDICT_", ""), reasonCode])).toEqual([
    ["HOLD", ""],
    ["REFUSE", "CUSTOMER_BLOCKED"],
    ["PASS", ""],
    ["HOLD", ""],
    ["REFUSE", "CUSTOMER_NOT_CONFIRMED"],
  ]);
  expect((await refused(gateway.checkMoves({ moves }, on(tenantId)))).code).toBe("CALLER_NOT_ALLOWED");
  expect((await refused(remittance.checkMoves({ moves: [] }, on(tenantId)))).code).toBe("INVALID_INPUT");
});

describe("CheckTransaction", () => {
  test("approves, reserves, and keeps policy version and inputs", async () => {
    const tenantId = await openTenant();
    expect(await check(tenantId)).toEqual({
      decision: Decision.DECISION_APPROVED,
      reasonCode: "",
      message: "",
      outstandingRequirements: [],
      policyVersion: 1,
      transparencyMembers: [],
      asksByFunding: false,
      isOutdated: false,
    });
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 100_00n, usedMinor: 0n });
    const stored = await createComplianceStore(db, withoutKeys).forTenant(tenantId).findDecision("t1");
    expect(stored).toMatchObject({
      policyVersion: 1,
      reservation: "HELD",
      decidedAt: now,
      interactionId: "i-1",
      inputs: {
        customerStatus: "CONFIRMED",
        day: "2026-05-01",
        timeZone: "UTC",
        usage: { reservedMinor: 0n, usedMinor: 0n },
      },
    });
  });

  test("repeats the first decision, whatever has changed since", async () => {
    const tenantId = await openTenant();
    const first = await check(tenantId);
    await operator.putPolicy(limitOf(1n), on(tenantId));
    await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_BLOCKED);
    expect(await check(tenantId)).toEqual(first);
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 100_00n, usedMinor: 0n });
  });

  test("decides once when asked many times at the same time", async () => {
    const tenantId = await openTenant();
    const answers = await Promise.all(Array.from({ length: 10 }, () => check(tenantId)));
    expect(new Set(answers.map(({ decision }) => decision))).toEqual(new Set([Decision.DECISION_APPROVED]));
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 100_00n, usedMinor: 0n });
  });

  test("422 KEY_REUSED for other content under a decided id", async () => {
    const tenantId = await openTenant();
    await check(tenantId);
    expect((await refused(check(tenantId, { amount: usd(1n) }))).code).toBe("KEY_REUSED");
  });

  test("rejects who is not confirmed or blocked, and reserves nothing", async () => {
    const tenantId = await openTenant();
    expect(await check(tenantId, { transactionId: "t2", customerId: "c2" })).toMatchObject({
      decision: Decision.DECISION_REJECTED,
      reasonCode: "CUSTOMER_NOT_CONFIRMED",
    });
    await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_BLOCKED);
    expect(await check(tenantId)).toMatchObject({
      decision: Decision.DECISION_REJECTED,
      reasonCode: "CUSTOMER_BLOCKED",
    });
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 0n, usedMinor: 0n });
  });

  test("follows its rules: refuse, look at, ask for documents", async () => {
    const from = (amountMinor: bigint) => ({ condition: { amountAtLeast: usd(amountMinor) } });
    const tenantId = await openTenant({
      transactionRules: [
        {
          name: "Big",
          action: RuleAction.RULE_ACTION_REVIEW,
          visibility: Visibility.VISIBILITY_STAFF,
          ...from(200_00n),
        },
        {
          name: "Bigger",
          action: RuleAction.RULE_ACTION_REQUIRE_DOCUMENTS,
          visibility: Visibility.VISIBILITY_PUBLIC,
          requiredDocuments: ["SOURCE_OF_FUNDS"],
          ...from(300_00n),
        },
        {
          name: "Too big",
          action: RuleAction.RULE_ACTION_REJECT,
          visibility: Visibility.VISIBILITY_STAFF,
          ...from(400_00n),
        },
      ],
    });
    const decided = async (amountMinor: bigint) => {
      const { decision, outstandingRequirements } = await check(tenantId, {
        transactionId: `t${amountMinor}`,
        amount: usd(amountMinor),
      });
      return [decision, outstandingRequirements];
    };
    expect(await decided(199_99n)).toEqual([Decision.DECISION_APPROVED, []]);
    expect(await decided(200_00n)).toEqual([Decision.DECISION_REVIEW, []]);
    expect(await decided(300_00n)).toEqual([Decision.DECISION_PENDING, ["SOURCE_OF_FUNDS"]]);
    expect(await decided(400_00n)).toEqual([Decision.DECISION_REJECTED, []]);
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 199_99n, usedMinor: 0n });
  });

  test("sends a transaction of a tenant without policy to review", async () => {
    const tenantId = testTenant();
    await setStatus(tenantId, "c1", CustomerStatus.CUSTOMER_STATUS_CONFIRMED);
    expect(await check(tenantId)).toMatchObject({
      decision: Decision.DECISION_REVIEW,
      reasonCode: "NO_POLICY",
      policyVersion: 0,
    });
  });

  test("the 10,000 dollar day: 4,000 + 3,500 + 2,500 fit, one cent more does not", async () => {
    const tenantId = await openTenant(limitOf(10_000_00n));
    for (const [index, minor] of [4_000_00n, 3_500_00n, 2_500_00n].entries()) {
      expect(await check(tenantId, { transactionId: `t${index}`, amount: usd(minor) })).toMatchObject({
        decision: Decision.DECISION_APPROVED,
      });
    }
    expect(await check(tenantId, { transactionId: "t9", amount: usd(1n) })).toMatchObject({
      decision: Decision.DECISION_REJECTED,
      reasonCode: "DAILY_LIMIT_EXCEEDED",
      message: "the daily limit is 10000.00 USD, of which 0.00 USD is left today",
    });
  });

  test("50 transactions race at two replicas for the rest of a limit that holds 7: 7 pass", async () => {
    const tenantId = await openTenant(limitOf(700_00n));
    const ask = (index: number) => {
      const replica = index % 2 === 0 ? remittance : elsewhere;
      return replica.checkTransaction(question({ transactionId: `t${index}` }), { ...on(tenantId), timeoutMs: 25_000 });
    };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => ask(index)));
    const approved = answers.filter(({ decision }) => decision === Decision.DECISION_APPROVED);
    expect(approved).toHaveLength(7);
    expect(new Set(answers.map(({ reasonCode }) => reasonCode))).toEqual(new Set(["", "DAILY_LIMIT_EXCEEDED"]));
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 700_00n, usedMinor: 0n });
  });

  test("counts customers, currencies and tenants apart", async () => {
    const policy = { dailyLimits: [{ amount: usd(100_00n) }, { amount: { amountMinor: 100_00n, currency: "GBP" } }] };
    const [here, there] = [await openTenant(policy), await openTenant(policy)];
    await setStatus(here, "c2", CustomerStatus.CUSTOMER_STATUS_CONFIRMED);
    const answers = [
      await check(here),
      await check(here, { transactionId: "t2", customerId: "c2" }),
      await check(here, { transactionId: "t3", amount: { amountMinor: 100_00n, currency: "GBP" } }),
      await check(there),
    ];
    expect(answers.map(({ decision }) => decision)).toEqual(Array(4).fill(Decision.DECISION_APPROVED));
    expect(await check(here, { transactionId: "t4", amount: usd(1n) })).toMatchObject({
      reasonCode: "DAILY_LIMIT_EXCEEDED",
    });
  });

  test("begins a new day at midnight of the tenant's time zone, over a change of clocks too", async () => {
    const tenantId = await openTenant(limitOf(100_00n), "America/New_York");
    // Clocks go back on 2026-11-01: the day has 25 hours, 04:00Z to 05:00Z of the next.
    const at = async (instant: string, transactionId: string) => {
      now = new Date(instant);
      return (await check(tenantId, { transactionId })).decision;
    };
    try {
      expect(await at("2026-11-01T03:59:59Z", "t1")).toBe(Decision.DECISION_APPROVED);
      expect(await at("2026-11-01T04:00:00Z", "t2")).toBe(Decision.DECISION_APPROVED);
      expect(await at("2026-11-02T04:59:59Z", "t3")).toBe(Decision.DECISION_REJECTED);
      expect(await at("2026-11-02T05:00:00Z", "t4")).toBe(Decision.DECISION_APPROVED);
    } finally {
      now = new Date("2026-05-01T12:00:00Z");
    }
  });

  test("400 INVALID_INPUT names the fault", async () => {
    const tenantId = await openTenant();
    const faults: [Partial<CheckTransactionRequest>, string][] = [
      [{ transactionId: "" }, "transactionId"],
      [{ customerId: "" }, "customerId"],
      [{ amount: undefined }, "amount"],
      [{ amount: usd(0n) }, "amount.amountMinor"],
      [{ amount: { amountMinor: 1n, currency: "QQQ" } }, "amount.currency"],
      [{ originCountry: "Narnia" }, "originCountry"],
      [{ receivingCountry: "" }, "receivingCountry"],
    ];
    for (const [part, path] of faults) {
      const refusal = await refused(check(tenantId, part));
      expect([refusal.code, refusal.details!.errors![0]!.path]).toEqual(["INVALID_INPUT", path]);
    }
  });

  test("403 CALLER_NOT_ALLOWED for anybody but remittance", async () => {
    expect((await refused(gateway.checkTransaction(question(), on(testTenant())))).code).toBe("CALLER_NOT_ALLOWED");
  });
});

describe("checks in a batch", () => {
  const requested = (interactionId: string, part: Partial<CheckTransactionRequest> = {}) => ({
    interactionId,
    request: { ...question(), ...part },
  });

  test("each is decided, refused and kept by itself, under its own interaction id", async () => {
    const tenantId = await openTenant();
    const checks = [
      requested("i-a", { transactionId: "ta" }),
      requested("i-b", { transactionId: "tb", amount: usd(0n) }),
      requested("i-c", { transactionId: "tc", customerId: "c2" }),
      requested("i-d", { transactionId: "" }),
      requested("", { transactionId: "te" }),
    ];
    const answers = await remittance.batch("checkTransaction", checks, on(tenantId));
    expect(answers.map(({ response }) => response?.decision)).toEqual([
      Decision.DECISION_APPROVED,
      undefined,
      Decision.DECISION_REJECTED,
      undefined,
      undefined,
    ]);
    const paths = answers.flatMap(({ refusal }) => refusalFromTrailer(refusal)?.details?.errors?.[0]?.path ?? []);
    expect(paths).toEqual(["amount.amountMinor", "transactionId", "calls[4].interaction_id"]);
    expect(await createComplianceStore(db, withoutKeys).forTenant(tenantId).findDecision("ta")).toMatchObject({
      interactionId: "i-a",
    });
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 100_00n, usedMinor: 0n });
    expect(await remittance.batch("checkTransaction", checks, on(tenantId))).toEqual(answers);
  });

  test("at most 64 in one call, and from remittance alone", async () => {
    const tenantId = await openTenant();
    const checks = Array.from({ length: 65 }, (_, n) => requested(`i-${n}`, { transactionId: `t-${n}` }));
    const refusal = await refused(remittance.batch("checkTransaction", checks, on(tenantId)));
    expect([refusal.code, refusal.details!.errors![0]!.path]).toEqual(["INVALID_INPUT", "calls"]);
    expect((await refused(gateway.batch("checkTransaction", [], on(tenantId)))).code).toBe("CALLER_NOT_ALLOWED");
    const unknown = await refused(remittance.batch("checkMoves", [], on(tenantId)));
    expect([unknown.code, unknown.details!.errors![0]!.path]).toEqual(["INVALID_INPUT", "rpc"]);
    // Each rpc says itself who may batch it.
    const wallets = await refused(remittance.batch("checkWalletPayment", [], on(tenantId)));
    expect(wallets.code).toBe("CALLER_NOT_ALLOWED");
  });
});

describe("ConfirmReservation and ReleaseReservation", () => {
  const confirm = (tenantId: string, transactionId = "t1") =>
    remittance.confirmReservation({ transactionId }, on(tenantId));
  const release = (tenantId: string, transactionId = "t1") =>
    remittance.releaseReservation({ transactionId }, on(tenantId));

  test("confirm counts once, however often it is said", async () => {
    const tenantId = await openTenant();
    await check(tenantId);
    await Promise.all([confirm(tenantId), confirm(tenantId), confirm(tenantId)]);
    await confirm(tenantId);
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 0n, usedMinor: 100_00n });
  });

  test("release gives back once, and the room can be used again", async () => {
    const tenantId = await openTenant(limitOf(100_00n));
    await check(tenantId);
    await Promise.all([release(tenantId), release(tenantId), release(tenantId)]);
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 0n, usedMinor: 0n });
    expect(await check(tenantId, { transactionId: "t2" })).toMatchObject({ decision: Decision.DECISION_APPROVED });
  });

  test("a refunded transaction gives back what was confirmed, once, and the room can be used again", async () => {
    const tenantId = await openTenant(limitOf(100_00n));
    await check(tenantId);
    await confirm(tenantId);
    const giveBack = (transactionId = "t1") => remittance.giveBackReservation({ transactionId }, on(tenantId));
    await Promise.all([giveBack(), giveBack(), giveBack()]);
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 0n, usedMinor: 0n });
    // News that come late or again change nothing.
    await confirm(tenantId);
    await release(tenantId);
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 0n, usedMinor: 0n });
    expect(await check(tenantId, { transactionId: "t2" })).toMatchObject({ decision: Decision.DECISION_APPROVED });
    // Before it was confirmed it gives back what is held; what was given back stays so.
    await giveBack("t2");
    await giveBack("t2");
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 0n, usedMinor: 0n });
    expect((await refused(giveBack("unknown"))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(gateway.giveBackReservation({ transactionId: "t1" }, on(tenantId)))).code).toBe(
      "CALLER_NOT_ALLOWED",
    );
  });

  test("confirm after release counts: the money did move", async () => {
    const tenantId = await openTenant();
    await check(tenantId);
    await release(tenantId);
    await confirm(tenantId);
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 0n, usedMinor: 100_00n });
  });

  test("409 STATE_CONFLICT: release after confirm, and confirm of what was never approved", async () => {
    const tenantId = await openTenant();
    await check(tenantId);
    await confirm(tenantId);
    expect((await refused(release(tenantId))).code).toBe("STATE_CONFLICT");
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 0n, usedMinor: 100_00n });
    await check(tenantId, { transactionId: "t2", customerId: "c2" });
    expect((await refused(confirm(tenantId, "t2"))).code).toBe("STATE_CONFLICT");
    await release(tenantId, "t2");
  });

  test("settles the day on which it was decided", async () => {
    const tenantId = await openTenant();
    await check(tenantId);
    now = new Date("2026-05-02T12:00:00Z");
    try {
      await confirm(tenantId);
    } finally {
      now = new Date("2026-05-01T12:00:00Z");
    }
    expect(await usageOf(tenantId, "2026-05-01")).toEqual({ reservedMinor: 0n, usedMinor: 100_00n });
    expect(await usageOf(tenantId, "2026-05-02")).toEqual({ reservedMinor: 0n, usedMinor: 0n });
  });

  test("404 for an unknown and for another tenant's transaction, 400 without one, 403 for others", async () => {
    const tenantId = await openTenant();
    await check(tenantId);
    for (const settle of [confirm, release]) {
      expect((await refused(settle(testTenant()))).code).toBe("TRANSACTION_NOT_FOUND");
      expect((await refused(settle(tenantId, ""))).code).toBe("INVALID_INPUT");
    }
    expect((await refused(gateway.confirmReservation({ transactionId: "t1" }, on(tenantId)))).code).toBe(
      "CALLER_NOT_ALLOWED",
    );
    expect((await refused(operator.releaseReservation({ transactionId: "t1" }, on(tenantId)))).code).toBe(
      "CALLER_NOT_ALLOWED",
    );
    const transactionIds = Array.from({ length: 300 }, testTenant);
    expect((await remittance.releaseReservations({ transactionIds }, on(tenantId))).answers).toHaveLength(300);
    expect(await usageOf(tenantId)).toEqual({ reservedMinor: 100_00n, usedMinor: 0n });
  });
});
