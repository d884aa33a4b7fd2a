import { randomUUID } from "node:crypto";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import { testTenant } from "../../../test/support/index.js";
import { maxInt64 } from "../../kernel/money.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_agents");
});
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const refused = (code: string) => expect.objectContaining({ code });
const endless = [{ upToMinor: maxInt64, bps: 100 }, { bps: 50 }];
const rule = { basis: "FEE", bps: 4_000 };
const plan = { planId: "STANDARD", name: "Standard agents", currency: "USD", rules: [rule], split: [] };
const usd = { currency: "USD", perTransactionMinor: 1_000_00n, perDayMinor: 5_000_00n, commissionPlanId: "STANDARD" };

/** A manager and an agent, and a plan where it is wanted. */
async function office({ withPlan = true } = {}) {
  const tenantId = testTenant();
  const [manager, agent] = [wallet.person(tenantId, "MANAGER"), wallet.person(tenantId, "AGENT")];
  const by = (person: Person = manager) => wallet.calls(person);
  const office = {
    tenantId,
    manager,
    agent,
    by,
    putPlan: (part: object = {}) =>
      wallet.gateway.putCommissionPlan({ ...key(), plan: { ...plan, ...part }, reason: "Signed" }, by()),
    put: (part: object = {}) =>
      wallet.gateway.putAgentConfiguration(
        { ...key(), agentId: agent.userId, mode: "TILL", terms: [usd], reason: "Signed", ...part },
        by(),
      ),
    suspend: (part: object = key()) =>
      wallet.gateway.suspendAgent({ ...key(), agentId: agent.userId, reason: "Till is short", ...part }, by()),
    reactivate: () => wallet.gateway.reactivateAgent({ ...key(), agentId: agent.userId, reason: "Counted" }, by()),
    read: (person: Person = manager, agentId = agent.userId) =>
      wallet.gateway.getAgentConfiguration({ agentId }, by(person)).then((answer) => answer.agent!),
    versions: (person: Person = manager, part: object = {}) =>
      wallet.gateway.listCommissionPlanVersions({ planId: "STANDARD", ...part }, by(person)),
  };
  if (withPlan) await wallet.decide((await office.putPlan()).approvalId);
  return office;
}

describe("a commission plan", () => {
  test("is a new version once a second manager approves, and the one before stays as it was", async () => {
    const { putPlan, versions, by, manager } = await office();
    const tiers = [{ upToMinor: 100_00n, bps: 100 }, { upToMinor: 500_00n, bps: 75 }, { bps: 50 }];
    const tiered = { basis: "PRINCIPAL", tierKind: "MARGINAL", tiers, minimumMinor: 10n };
    const split = [
      { party: "AGENT", bps: 7_000 },
      { party: "SUPER_AGENT", bps: 3_000 },
    ];
    const asked = await putPlan({ rules: [rule, tiered], split });
    expect(asked.approvalStatus).toBe("PENDING");
    expect((await versions()).plans).toHaveLength(1);
    const question = wallet.identity.state.approvals.find(({ approval }) => approval.approvalId === asked.approvalId);
    expect(question?.approval.changes).toEqual([
      expect.objectContaining({
        field: "rules.1",
        before: "",
        after: "MARGINAL 100 bps to 100.00, 75 bps to 500.00, 50 bps above of PRINCIPAL, at least 0.10",
      }),
      expect.objectContaining({ field: "split", before: "", after: "AGENT 7000 bps, SUPER_AGENT 3000 bps" }),
    ]);
    await wallet.decide(asked.approvalId);
    await wallet.decide(asked.approvalId);
    const { plans } = await versions();
    expect(plans).toMatchObject([
      { version: 2, rules: [rule, tiered], split, putBy: manager.userId },
      { version: 1, rules: [rule], split: [] },
    ]);
    const { plans: newest } = await wallet.gateway.listCommissionPlans({}, by());
    expect(newest).toMatchObject([{ planId: "STANDARD", version: 2 }]);
  });

  test("refused by the second manager it is none; of two asked about one version, one is put", async () => {
    const { putPlan, versions } = await office();
    await wallet.decide((await putPlan()).approvalId, "REFUSED");
    const both = [await putPlan({ name: "One" }), await putPlan({ name: "Other" })];
    for (const { approvalId } of both) await wallet.decide(approvalId);
    expect((await versions()).plans.map(({ name }) => name)).toEqual(["One", "Standard agents"]);
  });

  test("a repeat of a key asks once", async () => {
    const { by } = await office({ withPlan: false });
    const request = { ...key(), plan, reason: "Signed" };
    const [first, second] = [
      await wallet.gateway.putCommissionPlan(request, by()),
      await wallet.gateway.putCommissionPlan(request, by()),
    ];
    expect(second).toEqual(first);
  });

  test("pages through plans and versions", async () => {
    const { putPlan, versions, by } = await office();
    for (const planId of ["A", "B"]) await wallet.decide((await putPlan({ planId })).approvalId);
    await wallet.decide((await putPlan()).approvalId);
    const first = await wallet.gateway.listCommissionPlans({ pageSize: 2 }, by());
    const { plans } = await wallet.gateway.listCommissionPlans({ pageSize: 2, cursor: first.nextCursor }, by());
    expect([...first.plans, ...plans].map(({ planId }) => planId)).toEqual(["A", "B", "STANDARD"]);
    const newest = await versions(undefined, { pageSize: 1 });
    const older = await versions(undefined, { pageSize: 1, cursor: newest.nextCursor });
    expect([newest.plans[0]?.version, older.plans[0]?.version, older.nextCursor]).toEqual([2, 1, ""]);
  });

  test.each<[string, object, string]>([
    [
      "overlapping tiers",
      { rules: [{ basis: "FEE", tierKind: "SLAB", tiers: overlapping() }] },
      "rules.0.tiers.1.upTo",
    ],
    ["a split of 99.99 %", { split: [{ party: "AGENT", bps: 9_999 }] }, "split"],
    ["a basis that there is not", { rules: [{ basis: "TURNOVER", bps: 1 }] }, "rules.0.basis"],
    ["a fixed amount below zero", { rules: [{ basis: "FIXED", fixedMinor: -1n }] }, "rules.0.fixed"],
    ["a fixed amount of 2^63-1", { rules: [rule, { basis: "FIXED", fixedMinor: maxInt64 }] }, "rules.1.fixed"],
    ["a minimum of 2^63-1", { rules: [{ ...rule, minimumMinor: maxInt64 }] }, "rules.0.minimum"],
    ["a maximum of 2^63-1", { rules: [{ ...rule, maximumMinor: maxInt64 }] }, "rules.0.maximum"],
    ["a tier to 2^63-1", { rules: [{ basis: "FEE", tierKind: "SLAB", tiers: endless }] }, "rules.0.tiers.0.upTo"],
    ["no rule", { rules: [] }, "rules"],
    ["a currency that there is not", { currency: "XXA" }, "currency"],
    ["another currency than the version before", { currency: "NGN" }, "currency"],
    ["an id with blanks", { planId: "A B" }, "planId"],
  ])("with %s is refused by the field, and nobody is asked", async (_what, part, path) => {
    const { putPlan } = await office();
    const asked = wallet.identity.state.approvals.length;
    expect(await refusalOf(putPlan(part))).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
    expect(wallet.identity.state.approvals).toHaveLength(asked);
  });
});

function overlapping() {
  return [{ upToMinor: 100_00n, bps: 100 }, { upToMinor: 100_00n, bps: 75 }, { bps: 50 }];
}

describe("how an agent sells", () => {
  test("is set once a second manager approves, version after version", async () => {
    const { put, read, agent } = await office();
    const asked = await put({ corridors: ["USA-NGA"], methods: ["CASH_PICKUP"] });
    await expect(read()).rejects.toEqual(refused("NOT_FOUND"));
    await wallet.decide(asked.approvalId);
    expect(await read()).toMatchObject({
      agentId: agent.userId,
      version: 1,
      mode: "TILL",
      corridors: ["USA-NGA"],
      methods: ["CASH_PICKUP"],
      terms: [usd],
      status: "ACTIVE",
    });
    const again = await put({ mode: "TILL", terms: [{ currency: "USD", commissionPlanId: "" }] });
    const question = wallet.identity.state.approvals.find(({ approval }) => approval.approvalId === again.approvalId);
    expect(question?.approval).toMatchObject({ concernedUserId: agent.userId });
    expect(question?.approval.changes.map(({ field, before, after }) => [field, before, after])).toEqual([
      ["corridors", "USA-NGA", "all"],
      ["methods", "CASH_PICKUP", "all"],
      ["USD.perTransaction", "1000.00", ""],
      ["USD.perDay", "5000.00", ""],
      ["USD.commissionPlanId", "STANDARD", ""],
    ]);
    await wallet.decide(again.approvalId);
    expect(await read()).toMatchObject({ version: 2, mode: "TILL", corridors: [], methods: [] });
  });

  test("has contacts verified otherwise than the organisation, and compliance is told what differs", async () => {
    const { put, read, agent } = await office();
    const told = () => wallet.compliance.state.agentContacts.filter(({ agentId }) => agentId === agent.userId);
    const flags = { doNotForwardEmailVerification: true, doNotForwardPhoneVerification: false };
    const asked = await put(flags);
    await wallet.decide(asked.approvalId);
    expect(await read()).toMatchObject(flags);
    await wallet.decide((await put({ ...flags, corridors: ["USA-NGA"] })).approvalId);
    await wallet.decide((await put({ doNotForwardPhoneVerification: true })).approvalId);
    expect(await read()).toMatchObject({
      doNotForwardEmailVerification: undefined,
      doNotForwardPhoneVerification: true,
    });
    await eventually("compliance to be told", () => told().some(({ version }) => version === 3));
    expect(
      told().map((one) => [one.version, one.doNotForwardEmailVerification, one.doNotForwardPhoneVerification]),
    ).toEqual([
      [1, true, false],
      [3, undefined, true],
    ]);
  });

  test("is suspended at once by one manager, and what was asked before lifts nothing", async () => {
    const { put, suspend, reactivate, read } = await office();
    await wallet.decide((await put()).approvalId);
    await expect(reactivate()).rejects.toEqual(refused("STATE_CONFLICT"));
    const asked = await put({ corridors: ["USA-NGA"] });
    const mine = key();
    const suspended = await suspend(mine);
    expect(suspended.agent).toMatchObject({ status: "SUSPENDED", version: 2, reason: "Till is short" });
    expect(await suspend(mine)).toEqual(suspended);
    await expect(suspend()).rejects.toEqual(refused("STATE_CONFLICT"));
    await wallet.decide(asked.approvalId);
    expect(await read()).toMatchObject({ status: "SUSPENDED", version: 2, corridors: [] });
    const [one, other] = [await reactivate(), await reactivate()];
    await wallet.decide(one.approvalId);
    expect(await read()).toMatchObject({ status: "ACTIVE", version: 3, mode: "TILL", terms: [usd] });
    await wallet.decide(other.approvalId);
    expect(await read()).toMatchObject({ version: 3 });
  });

  test("stays suspended where other things of it are set", async () => {
    const { put, suspend, read } = await office();
    await wallet.decide((await put()).approvalId);
    await suspend();
    await wallet.decide((await put({ corridors: ["USA-NGA"] })).approvalId);
    expect(await read()).toMatchObject({ status: "SUSPENDED", corridors: ["USA-NGA"], version: 3 });
  });

  test("of two who suspend at once, one does", async () => {
    const { put, suspend, read } = await office();
    await wallet.decide((await put()).approvalId);
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => suspend(key())));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await read()).toMatchObject({ version: 2 });
  });

  test("is the agent's own to read, with their plan; another's is not, and another tenant's is not there", async () => {
    const { put, read, agent, versions, tenantId, by, putPlan } = await office();
    await expect(versions(agent)).rejects.toEqual(refused("FORBIDDEN"));
    await wallet.decide((await put()).approvalId);
    await wallet.decide((await putPlan({ planId: "OTHER" })).approvalId);
    expect(await read(agent)).toMatchObject({ mode: "TILL" });
    expect((await versions(agent)).plans).toHaveLength(1);
    await expect(versions(agent, { planId: "OTHER" })).rejects.toEqual(refused("FORBIDDEN"));
    const another = wallet.person(tenantId, "AGENT");
    await expect(read(another)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(versions(another)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(wallet.gateway.listAgentConfigurations({}, by(agent))).rejects.toEqual(refused("FORBIDDEN"));
    await expect(read(wallet.person(undefined, "MANAGER"))).rejects.toEqual(refused("NOT_FOUND"));
    const { agents } = await wallet.gateway.listAgentConfigurations({}, by());
    expect(agents.map(({ agentId }) => agentId)).toEqual([agent.userId]);
  });

  test("is for users alone who are agents", async () => {
    const { put, tenantId } = await office();
    for (const agentId of [wallet.person(tenantId, "CASHIER").userId, wallet.person(undefined, "AGENT").userId]) {
      await expect(put({ agentId })).rejects.toEqual(refused("NOT_FOUND"));
    }
  });

  test.each<[string, object, string]>([
    ["a mode that there is not", { mode: "BOTH" }, "mode"],
    ["no currency", { terms: [] }, "terms"],
    ["a currency twice", { terms: [usd, usd] }, "terms"],
    ["nothing for a sale", { terms: [{ ...usd, perTransactionMinor: 0n }] }, "terms.0.perTransaction"],
    ["2^63-1 for a sale", { terms: [{ currency: "USD", perTransactionMinor: maxInt64 }] }, "terms.0.perTransaction"],
    ["2^63-1 for a day", { terms: [usd, { currency: "NGN", perDayMinor: maxInt64 }] }, "terms.1.perDay"],
    ["more for a sale than a day", { terms: [{ ...usd, perDayMinor: 999_99n }] }, "terms.0.perTransaction"],
    ["a plan that there is not", { terms: [{ ...usd, commissionPlanId: "NONE" }] }, "terms.0.commissionPlanId"],
    ["a plan of another currency", { terms: [{ ...usd, currency: "NGN" }] }, "terms.0.commissionPlanId"],
    ["no corridor", { corridors: ["US-NG"] }, "corridors.0"],
    ["a method that there is not", { methods: ["PIGEON"] }, "methods.0"],
    ["no reason", { reason: " " }, "reason"],
  ])("with %s is refused by the field, and nobody is asked", async (_what, part, path) => {
    const { put } = await office();
    const asked = wallet.identity.state.approvals.length;
    expect(await refusalOf(put(part))).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
    expect(wallet.identity.state.approvals).toHaveLength(asked);
  });
});
