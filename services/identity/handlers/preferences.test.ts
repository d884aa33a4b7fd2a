import { randomUUID } from "node:crypto";
import { createBusinessClock } from "../../shared/clocks/business-clock.js";
import { createPreferences, preferenceHeldForMs } from "../../shared/preferences.js";
import { waitFor } from "../../../test/support/index.js";
import {
  aboveTenants,
  inTenant,
  newTenant,
  startTestIdentity,
  type TestIdentity,
} from "../../../test/support/identity.js";
import { runsFor } from "../../../test/support/time.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

async function office(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  const { tenantId } = tenant;
  const manager = await tenant.staff("MANAGER");
  await tenant.staff("AGENT");
  await tenant.staff("CASHIER");
  await tenant.customer("amina");
  const as = async (name: string) => inTenant(tenantId, (await tenant.login(name)).accessToken);
  const manages = await as("manager");
  type Change = Parameters<typeof identity.rpc.gateway.changeOrganisationPreference>[0]["change"];
  const alter = (part: Change, more: { idempotencyKey?: string; reason?: string } = {}, call = manages) =>
    identity.rpc.gateway.changeOrganisationPreference(
      { idempotencyKey: randomUUID(), change: part, reason: "new year", ...more },
      call,
    );
  const history = async () => (await identity.rpc.gateway.listPreferenceChanges({}, manages)).changes;
  const read = async () => (await identity.rpc.wallet.getOrganisationPreference({}, inTenant(tenantId))).tenant!;
  return { ...tenant, manager, as, alter, history, read };
}

test("a MANAGER changes what is given and nothing else; who, why, before and after are kept", async () => {
  const t = await office();
  const before = (await t.read()).preference!;
  const { tenant } = await t.alter({ timeZone: "Africa/Nairobi", secondFactors: { otp: true, pin: false } });
  const after = { ...before, timeZone: "Africa/Nairobi", secondFactors: { otp: true, pin: false } };
  expect(tenant!.preference).toEqual(after);
  expect((await t.read()).preference).toEqual(after);
  expect(await t.history()).toMatchObject([
    {
      actor: t.manager.userId,
      reason: "new year",
      fields: [
        { field: "secondFactors", before: JSON.stringify(before.secondFactors), after: '{"otp":true,"pin":false}' },
        { field: "timeZone", before: JSON.stringify(before.timeZone), after: '"Africa/Nairobi"' },
      ],
    },
  ]);
});

test("lists may be emptied, and switches switched off", async () => {
  const t = await office({ selfRegistration: true });
  await t.alter({ corsOrigins: { names: ["https://app.example"] } });
  const { tenant } = await t.alter({ corsOrigins: { names: [] }, selfRegistration: false });
  expect(tenant!.preference).toMatchObject({ corsOrigins: [], selfRegistration: false });
  expect(await t.history()).toHaveLength(2);
});

test("whoever is a manager is told at once of what guards accounts and money, and of nothing else", async () => {
  const t = await office({ secondFactors: { otp: true, pin: true } });
  await t.staff("MANAGER", "second");
  const told = () =>
    identity.sent.filter((one) => one.account === t.tenantId && one.subject?.includes("guard") === true);
  await t.alter({ timeZone: "Africa/Nairobi" });
  await t.alter({ secondFactors: { otp: false, pin: false }, corsOrigins: { names: ["https://app.example"] } });
  await waitFor(() => told().length >= 2, { what: "both managers to be told" });
  expect(new Set(told().map(({ to }) => to)).size).toBe(2);
  for (const { text } of told()) {
    expect(text).toContain('corsOrigins from [] to ["https://app.example"]');
    expect(text).toContain('secondFactors from {"otp":true,"pin":true} to {"otp":false,"pin":false}');
    expect(text).not.toContain("Nairobi");
  }
});

test("ceilings of amounts are the tenant's below the operator's, all of them put at once", async () => {
  const t = await office();
  const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
  const { tenant } = await t.alter({ amountCeilings: { ceilings: [usd(5_000_00n)] } });
  expect(tenant!.preference!.amountCeilings).toEqual([usd(5_000_00n)]);
  expect((await t.read()).preference!.amountCeilings).toEqual([usd(5_000_00n)]);
  expect((await t.history())[0]!.fields).toMatchObject([{ field: "amountCeilings", after: '["5000.00 USD"]' }]);
  for (const [wrong, path] of [
    [[usd(10n ** 13n + 1n)], "amountCeilings[0].amount"],
    [[usd(0n)], "amountCeilings[0].amount"],
    [[usd(1n), usd(2n)], "amountCeilings[1].currency"],
  ] as const) {
    const refused = t.alter({ amountCeilings: { ceilings: [...wrong] } });
    await expect(refused).rejects.toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  }
  const again = await t.alter({ amountCeilings: { ceilings: [] } });
  expect(again.tenant!.preference!.amountCeilings).toEqual([]);
});

test("the same key changes once; what changes nothing leaves no history", async () => {
  const t = await office();
  const request = { idempotencyKey: randomUUID() };
  const first = await t.alter({ agentScope: "TENANT" }, request);
  await t.alter({ agentScope: "MANAGED" });
  await expect(t.alter({ agentScope: "TENANT" }, request)).resolves.toEqual(first);
  expect((await t.read()).preference!.agentScope).toBe("MANAGED");
  await expect(t.alter({ locale: "en" }, request)).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  await t.alter({ agentScope: "MANAGED" });
  expect(await t.history()).toHaveLength(2);
});

test("changes at the same moment are made one after the other", async () => {
  const t = await office();
  await Promise.all([
    t.alter({ timeZone: "Asia/Tokyo" }),
    t.alter({ agentScope: "TENANT" }),
    t.alter({ cashierWalletPayments: true }),
  ]);
  expect((await t.read()).preference).toMatchObject({
    timeZone: "Asia/Tokyo",
    agentScope: "TENANT",
    cashierWalletPayments: true,
  });
  expect(await t.history()).toHaveLength(3);
});

test("what the operator puts is kept too, for the sandbox as well", async () => {
  const t = await office();
  const { draft, tenantId } = t;
  await identity.rpc.operator.putTenant(
    { tenant: { ...draft, preference: { ...draft.preference, timeZone: "Asia/Tokyo" } } },
    inTenant(""),
  );
  expect(await t.history()).toMatchObject([
    { actor: "operator", fields: [{ field: "timeZone", after: '"Asia/Tokyo"' }] },
  ]);
  const ofSandbox = await identity.rpc.operator.listPreferenceChanges({}, inTenant(`${tenantId}--sandbox`));
  expect(ofSandbox.changes).toHaveLength(1);
});

test.each([
  ["change", {}, {}],
  ["timeZone", { timeZone: "Mars/Base" }, {}],
  ["currencies", { currencies: { names: ["EUR"] } }, {}],
  ["countries[0]", { countries: { names: ["Narnia"] } }, {}],
  ["corsOrigins[0]", { corsOrigins: { names: ["app.example"] } }, {}],
  ["agentScope", { agentScope: "ALL" }, {}],
  ["reason", { locale: "en" }, { reason: "" }],
  ["idempotencyKey", { locale: "en" }, { idempotencyKey: "" }],
])("400 INVALID_INPUT names %s", async (path, part, more) => {
  const t = await office();
  await expect(t.alter(part, more)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: [{ path }] },
  });
  expect(await t.history()).toEqual([]);
});

test("403 for everybody but a MANAGER; another tenant's history is its own", async () => {
  const t = await office();
  for (const name of ["agent", "cashier", "amina"]) {
    const call = await t.as(name);
    await expect(t.alter({ locale: "en" }, {}, call)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(identity.rpc.gateway.listPreferenceChanges({}, call)).rejects.toMatchObject({ code: "FORBIDDEN" });
  }
  await t.alter({ timeZone: "Asia/Tokyo" });
  expect(await (await office()).history()).toEqual([]);
});

describe("a change that was answered", () => {
  let replicated: TestIdentity;
  beforeAll(async () => void (replicated = await startTestIdentity({ replicas: 2, preferenceHeldForMs })));
  afterAll(() => replicated.stop());

  test("holds at once for whoever had asked before it: by a MANAGER, again by its key, by the operator", async () => {
    const tenant = await newTenant(replicated);
    const { tenantId } = tenant;
    await tenant.staff("MANAGER");
    const manages = inTenant(tenantId, (await tenant.login("manager")).accessToken);
    const replicas = [replicated.clientOf("compliance", 0), replicated.clientOf("remittance", 1)];
    const kept = replicas.map((identity) =>
      createPreferences({ identity, read: (one) => one?.preference?.timeZone ?? "" }),
    );
    const clocks = replicas.map((identity) => createBusinessClock({ identity }));
    const seen = async () => [
      ...(await Promise.all(kept.map((one) => one.of(inTenant(tenantId))))),
      ...(await Promise.all(clocks.map(async (one) => (await one.forTenant(tenantId)).timeZone))),
    ];
    const idempotencyKey = randomUUID();
    const change = { idempotencyKey, reason: "moved", change: { timeZone: "Asia/Tokyo" } };
    // Asked all the time, as by a service at work: some question is always about to be answered.
    let isOver = false;
    const asking = (async () => {
      while (!isOver) await seen();
    })();
    const first = replicated.clientOf("gateway", 0).changeOrganisationPreference(change, manages);
    const again = runsFor(300).then(() =>
      replicated.clientOf("gateway", 1).changeOrganisationPreference(change, manages),
    );
    await Promise.race([first, again]);
    expect(new Set(await seen())).toEqual(new Set(["Asia/Tokyo"]));
    const { tenant: now } = await again;
    await first;
    const put = { ...now!, hosts: now!.hosts, preference: { ...now!.preference!, timeZone: "Africa/Lagos" } };
    await replicated.rpc.operator.putTenant({ tenant: put }, aboveTenants());
    expect(new Set(await seen())).toEqual(new Set(["Africa/Lagos"]));
    isOver = true;
    await asking;
  });
});
