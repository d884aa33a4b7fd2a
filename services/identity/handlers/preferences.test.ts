import { randomUUID } from "node:crypto";
import type { ApprovalEffect } from "../../../proto/gen/identity/v1/approvals.js";
import { createBusinessClock } from "../../platform/preferences/business-clock.js";
import { createPreferences, preferenceHeldForMs } from "../../platform/preferences/preferences.js";
import { decideAsShown } from "../../../test/support/asking-service.js";
import { organisationSettings } from "../../../test/contract/turning-settings.js";
import { waitFor } from "../../../test/support/index.js";
import {
  aboveTenants,
  inTenant,
  newTenant,
  startTestIdentity,
  type TestIdentity,
} from "../../../test/support/identity.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

async function office(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  const { tenantId } = tenant;
  const manager = await tenant.staff("MANAGER");
  const second = await tenant.staff("MANAGER", "second");
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
  const seconds = await as("second");
  const approval = async (approvalId: string) =>
    (await identity.rpc.gateway.getApproval({ approvalId, withEffects: true }, seconds)).approval!;
  const decide = (approvalId: string, approve: boolean) =>
    decideAsShown(identity.rpc.gateway, { approvalId, approve, reason: "looked at it" }, seconds);
  return { ...tenant, manager, second, as, alter, history, read, approval, decide };
}

test("a MANAGER changes what is given and nothing else; who, why, before and after are kept", async () => {
  const t = await office();
  const before = (await t.read()).preference!;
  const { tenant } = await t.alter({ locale: "en-KE", secondFactors: { otp: true, pin: false } });
  const after = { ...before, locale: "en-KE", secondFactors: { otp: true, pin: false } };
  expect(tenant!.preference).toEqual(after);
  expect((await t.read()).preference).toEqual(after);
  expect(await t.history()).toMatchObject([
    {
      actor: t.manager.userId,
      reason: "new year",
      fields: [
        { field: "locale", before: JSON.stringify(before.locale), after: '"en-KE"' },
        { field: "secondFactors", before: JSON.stringify(before.secondFactors), after: '{"otp":true,"pin":false}' },
      ],
    },
  ]);
});

test("lists may be emptied, and switches switched off", async () => {
  const t = await office({ selfRegistration: true, corsOrigins: ["https://app.example"] });
  const { tenant } = await t.alter({ corsOrigins: { names: [] }, selfRegistration: false });
  expect(tenant!.preference).toMatchObject({ corsOrigins: [], selfRegistration: false });
  expect(await t.history()).toHaveLength(1);
});

test("whoever is a manager is told at once of what guards accounts and money, and of nothing else", async () => {
  const t = await office({ secondFactors: { otp: false, pin: false }, corsOrigins: ["https://app.example"] });
  const messages = () =>
    identity.sent.filter((one) => one.account === t.tenantId && one.subject?.includes("guard") === true);
  await t.alter({ locale: "en-KE" });
  await t.alter({ secondFactors: { otp: true, pin: true }, corsOrigins: { names: [] } });
  await waitFor(() => messages().length >= 2, { what: "both managers to be told" });
  expect(new Set(messages().map(({ to }) => to)).size).toBe(2);
  for (const { text } of messages()) {
    expect(text).toContain('corsOrigins from ["https://app.example"] to []');
    expect(text).toContain('secondFactors from {"otp":false,"pin":false} to {"otp":true,"pin":true}');
    expect(text).not.toContain("en-KE");
  }
});

const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
const whenRegistered = { detail: "ADDRESS", at: "REGISTRATION" };
const beforeTheFirst = { detail: "ADDRESS", at: "FIRST_TRANSACTION" };

describe("a guard of accounts and money", () => {
  type Change = NonNullable<Parameters<TestIdentity["rpc"]["gateway"]["changeOrganisationPreference"]>[0]["change"]>;
  type Guarded = [stronger: Change, weaker: Change, effects: string[]];
  const guards: Record<string, Guarded> = {
    agentCounterSales: [{ agentCounterSales: false }, { agentCounterSales: true }, ["agentCounterSales: false → true"]],
    agentScope: [{ agentScope: "MANAGED" }, { agentScope: "TENANT" }, ["agentScope: MANAGED → TENANT"]],
    "amountCeilings, raised": [
      { amountCeilings: { ceilings: [usd(5_000_00n)] } },
      { amountCeilings: { ceilings: [usd(5_000_01n)] } },
      ["amountCeilings: 5000.00 → 5000.01 USD"],
    ],
    "amountCeilings, left out": [
      { amountCeilings: { ceilings: [usd(5_000_00n)] } },
      { amountCeilings: { ceilings: [] } },
      ["amountCeilings: 5000.00 →  USD"],
    ],
    blindTillCounts: [{ blindTillCounts: true }, { blindTillCounts: false }, ["blindTillCounts: true → false"]],
    cashierWalletPayments: [
      { cashierWalletPayments: false },
      { cashierWalletPayments: true },
      ["cashierWalletPayments: false → true"],
    ],
    corsOrigins: [
      { corsOrigins: { names: ["https://one.example"] } },
      { corsOrigins: { names: ["https://two.example"] } },
      ["corsOrigins:  → https://two.example", "corsOrigins: https://one.example →"],
    ],
    requiredDetails: [
      { requiredDetails: { details: [whenRegistered, beforeTheFirst] } },
      { requiredDetails: { details: [beforeTheFirst] } },
      ["requiredDetails.ADDRESS: REGISTRATION →"],
    ],
    "secondFactors, the code": [
      { secondFactors: { otp: true, pin: false } },
      { secondFactors: { otp: false, pin: true } },
      ["secondFactors.otp: true → false", "secondFactors.pin: false → true"],
    ],
    "secondFactors, the PIN": [
      { secondFactors: { otp: true, pin: true } },
      { secondFactors: { otp: true, pin: false } },
      ["secondFactors.pin: true → false"],
    ],
    staffTotpRequired: [{ staffTotpRequired: true }, { staffTotpRequired: false }, ["staffTotpRequired: true → false"]],
    transactionPasswordRequired: [
      { transactionPasswordRequired: true },
      { transactionPasswordRequired: false },
      ["transactionPasswordRequired: true → false"],
    ],
  };

  test("is every setting that is listed as one", () => {
    const cases = Object.keys(guards).map((name) => name.split(",")[0]);
    const listed = Object.entries(organisationSettings).flatMap(([name, when]) => (when === "WEAKENED" ? name : []));
    expect([...new Set(cases)]).toEqual(listed);
  });

  test.each(Object.entries(guards))(
    "%s is made stronger at once, and weaker by a second manager alone",
    async (_name, [stronger, weaker, effects]) => {
      const t = await office({
        corsOrigins: ["https://one.example", "https://three.example"],
        cashierWalletPayments: true,
      });
      const strong = await t.alter(stronger);
      expect(strong).toMatchObject({ approvalId: "", approvalStatus: "" });
      const held = (await t.read()).preference!;
      expect(held).toEqual(strong.tenant!.preference);
      const { approvalId, approvalStatus, tenant } = await t.alter(weaker);
      expect([approvalStatus, tenant!.preference]).toEqual(["PENDING", held]);
      const shown = await t.approval(approvalId);
      const subject = `organisation:${t.tenantId}`;
      expect(shown).toMatchObject({ kind: "SETTING_CHANGE", service: "identity", subject, askedBy: t.manager.userId });
      expect(shown.effects.map(textOf)).toEqual(effects.map((one) => `SETTING_SET ${subject} ${one}`));
      expect((await t.read()).preference).toEqual(held);
      await t.decide(approvalId, true);
      await waitFor(async () => (await t.history()).some(({ approvedBy }) => approvedBy !== ""));
      expect((await t.history())[0]).toMatchObject({ actor: t.manager.userId, approvedBy: t.second.userId });
      expect((await t.approval(approvalId)).joined).toEqual([]);
      expect((await t.read()).preference).not.toEqual(held);
    },
  );

  const textOf = ({ kind, subject, change }: ApprovalEffect) =>
    `${kind} ${subject} ${change!.field}: ${change!.before} → ${change!.after} ${change!.currency}`.trim();

  test("is nothing that is listed as guarding nothing: all of that is changed by one manager", async () => {
    const t = await office({ selfRegistration: false });
    const change = {
      countries: { names: ["KEN"] },
      currencies: { names: ["USD", "KES"] },
      locale: "en-KE",
      selfRegistration: true,
    };
    const listed = Object.entries(organisationSettings).flatMap(([name, when]) => (when === "AT_ONCE" ? name : []));
    expect(Object.keys(change)).toEqual(listed);
    expect(await t.alter(change)).toMatchObject({ approvalId: "", tenant: { preference: { locale: "en-KE" } } });
  });

  type Either =
    { doNotForwardEmailVerification: boolean } | { doNotForwardPhoneVerification: boolean } | { timeZone: string };
  const eitherWay: Record<string, readonly [Either, Either]> = {
    doNotForwardEmailVerification: [{ doNotForwardEmailVerification: true }, { doNotForwardEmailVerification: false }],
    doNotForwardPhoneVerification: [{ doNotForwardPhoneVerification: true }, { doNotForwardPhoneVerification: false }],
    // Another day begins, and with it the limits of a day.
    timeZone: [{ timeZone: "Africa/Lagos" }, { timeZone: "Pacific/Kiritimati" }],
  };
  test("waits either way where neither is plainly the weaker one", () => {
    const listed = Object.entries(organisationSettings).flatMap(([name, when]) => (when === "EITHER_WAY" ? name : []));
    expect(Object.keys(eitherWay)).toEqual(listed);
  });
  test.each(Object.entries(eitherWay))("%s waits for a second manager either way", async (_name, [one, other]) => {
    for (const [before, after] of [
      [one, other],
      [other, one],
    ] as const) {
      const t = await office(before);
      expect(await t.alter(after)).toMatchObject({ approvalStatus: "PENDING" });
      expect((await t.read()).preference).toMatchObject(before);
    }
  });

  test("is weakened by nobody who asked for it themselves, and not at all once it is refused; what else was asked with it waits too", async () => {
    const t = await office({ staffTotpRequired: false, cashierWalletPayments: false });
    const request = { idempotencyKey: randomUUID() };
    const requested = await t.alter({ cashierWalletPayments: true, locale: "ja-JP" }, request);
    const { approvalId } = requested;
    const mine = { approvalId, approve: true, reason: "me", digest: (await t.approval(approvalId)).digest };
    await expect(identity.rpc.gateway.resolveApproval(mine, await t.as("manager"))).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await t.alter({ cashierWalletPayments: true, locale: "ja-JP" }, request)).toEqual(requested);
    await t.decide(approvalId, false);
    await t.alter({ locale: "en" });
    expect((await t.history()).map(({ fields }) => fields.map(({ field }) => field))).toEqual([["locale"]]);
    expect((await t.read()).preference).toMatchObject({ cashierWalletPayments: false, locale: "en" });
  });

  test("is approved as it is by now: an approval that was overtaken does nothing, and one that means more by now is shown anew", async () => {
    const t = await office({ secondFactors: { otp: true, pin: false }, cashierWalletPayments: false });
    const first = await t.alter({ secondFactors: { otp: false, pin: false } });
    const { digest } = await t.approval(first.approvalId);
    await t.alter({ secondFactors: { otp: true, pin: true } });
    const older = { approvalId: first.approvalId, approve: true, reason: "seen", digest };
    await expect(identity.rpc.gateway.resolveApproval(older, await t.as("second"))).rejects.toMatchObject({
      code: "APPROVAL_CHANGED",
    });
    expect((await t.approval(first.approvalId)).effects.map(({ change }) => change!.field)).toEqual([
      "secondFactors.otp",
      "secondFactors.pin",
    ]);
    const [one, same] = [
      await t.alter({ cashierWalletPayments: true }),
      await t.alter({ cashierWalletPayments: true }),
    ];
    await t.decide(one.approvalId, true);
    await waitFor(async () => (await t.read()).preference!.cashierWalletPayments);
    expect((await t.approval(same.approvalId)).effects).toMatchObject([{ kind: "NOTHING_DONE" }]);
  });
});

test("ceilings of amounts are the tenant's below the operator's, all of them put at once", async () => {
  const t = await office();
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
  const lower = await t.alter({
    amountCeilings: { ceilings: [usd(1n), { amountMinor: 10n ** 13n, currency: "NGN" }] },
  });
  expect(lower.tenant!.preference!.amountCeilings).toHaveLength(2);
});

test("the same key changes once; what changes nothing leaves no history", async () => {
  const t = await office();
  const request = { idempotencyKey: randomUUID() };
  const first = await t.alter({ locale: "ja-JP" }, request);
  await t.alter({ locale: "en-KE" });
  await expect(t.alter({ locale: "ja-JP" }, request)).resolves.toEqual(first);
  expect((await t.read()).preference!.locale).toBe("en-KE");
  await expect(t.alter({ locale: "en" }, request)).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  await t.alter({ locale: "en-KE" });
  expect(await t.history()).toHaveLength(2);
});

test("changes at the same moment are made one after the other", async () => {
  const t = await office();
  await Promise.all([
    t.alter({ locale: "ja-JP" }),
    t.alter({ selfRegistration: true }),
    t.alter({ secondFactors: { otp: true, pin: true } }),
  ]);
  expect((await t.read()).preference).toMatchObject({
    locale: "ja-JP",
    selfRegistration: true,
    secondFactors: { otp: true, pin: true },
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
  await t.alter({ locale: "ja-JP" });
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
    const cached = replicas.map((identity) =>
      createPreferences({ identity, read: (one) => one?.preference?.locale ?? "" }),
    );
    const clocks = replicas.map((identity) => createBusinessClock({ identity }));
    const seen = async () => ({
      locales: new Set(await Promise.all(cached.map((one) => one.of(inTenant(tenantId))))),
      zones: new Set(await Promise.all(clocks.map(async (one) => (await one.forTenant(tenantId)).timeZone))),
    });
    const { zones } = await seen();
    const idempotencyKey = randomUUID();
    const change = { idempotencyKey, reason: "moved", change: { locale: "ja-JP" } };
    // Asked all the time, as by a service at work: some question is always about to be answered.
    let isOver = false;
    const asking = (async () => {
      while (!isOver) await seen();
    })();
    const first = replicated.clientOf("gateway", 0).changeOrganisationPreference(change, manages);
    // It is written by then, and its answer is held.
    const isWritten = async () => {
      const { changes } = await replicated.rpc.operator.listPreferenceChanges({}, inTenant(tenantId));
      return changes.length > 0;
    };
    const again = waitFor(isWritten, { what: "the change to be written" }).then(() =>
      replicated.clientOf("gateway", 1).changeOrganisationPreference(change, manages),
    );
    await Promise.race([first, again]);
    expect(await seen()).toEqual({ locales: new Set(["ja-JP"]), zones });
    const { tenant: now } = await again;
    await first;
    const preference = { ...now!.preference!, locale: "en-KE", timeZone: "Africa/Nairobi" };
    await replicated.rpc.operator.putTenant({ tenant: { ...now!, preference } }, aboveTenants());
    expect(await seen()).toEqual({ locales: new Set(["en-KE"]), zones: new Set(["Africa/Nairobi"]) });
    isOver = true;
    await asking;
  });
});
