import { randomUUID } from "node:crypto";
import { PersonalDataServiceDefinition } from "../../../proto/gen/identity/v1/erasure.js";
import { password, registration } from "../../../test/support/identity-drafts.js";
import {
  aboveTenants,
  inTenant,
  newTenant,
  startTestIdentity,
  type TestIdentity,
  type TestIdentityOptions,
} from "../../../test/support/identity.js";
import { waitFor } from "../../../test/support/index.js";
import { holdOf } from "../../kernel/mongo/held-tenants.js";
import { startGrpcServer } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { createServiceTokenVerifier } from "../../kernel/tokens/service-tokens.js";
import { serveOpenMoney } from "../../platform/erasure/open-money.js";

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startTestIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });
const erase = (tenantId: string, customerId: string) =>
  identity.rpc.operator.eraseCustomer({ customerId, reason: "asked to be forgotten" }, inTenant(tenantId));

test("erasing a customer leaves nothing that says who they were, and lets nobody in as them", async () => {
  const t = await newTenant(identity);
  const name = `zuberi${randomUUID().slice(0, 8)}`;
  const request = { ...registration(name), phoneNumber: "+254700123987" };
  const { customer } = await identity.rpc.operator.registerCustomer(request, inTenant(t.tenantId));
  const session = await t.login(name);
  const call = inTenant(t.tenantId, session.accessToken);
  const { token } = await identity.rpc.gateway.createApiToken(
    { idempotencyKey: "k", name: `of ${name}`, lifetime: "API_TOKEN_LIFETIME_DAY", scopes: ["profile:read"], password },
    call,
  );
  // What tells them of it, and of a forgotten password, goes too, told or not.
  await identity.rpc.gateway.requestPasswordReset({ email: `${name.toUpperCase()}@X.example` }, inTenant(t.tenantId));
  const { erasedAt } = await erase(t.tenantId, customer!.customerId);
  await expect(identity.rpc.gateway.getProfile({}, call)).rejects.toEqual(refused("TOKEN_REVOKED"));
  await expect(t.login(name)).rejects.toEqual(refused("LOGIN_FAILED"));
  await expect(identity.rpc.gateway.exchangeApiToken({ token }, inTenant(t.tenantId))).rejects.toEqual(
    refused("UNAUTHENTICATED"),
  );
  // Ids stay for the books.
  const { customer: left } = await identity.rpc.remittance.getCustomer(
    { customerId: customer!.customerId },
    inTenant(t.tenantId),
  );
  expect(left).toMatchObject({ customerCode: customer!.customerCode, firstName: "erased", phoneNumber: "" });
  for (const collection of await identity.db.collections()) {
    const stored = JSON.stringify(await collection.find({}).toArray());
    for (const trace of [name, "+254700123987", "700123987"]) {
      expect([collection.collectionName, stored.includes(trace)]).toEqual([collection.collectionName, false]);
    }
  }
  // The kept answer too, in MongoDB and in the replay cache.
  await expect(identity.rpc.operator.registerCustomer(request, inTenant(t.tenantId))).rejects.toEqual(
    refused("NOT_FOUND"),
  );
  await expect(erase(t.tenantId, customer!.customerId)).resolves.toMatchObject({ erasedAt });
  const audit = await identity.db
    .collection("audit")
    .find({ action: "customer.erase", tenantId: t.tenantId })
    .toArray();
  expect(audit).toMatchObject([{ actor: "operator", reason: "asked to be forgotten", subject: customer!.userId }]);
});

test("an erased customer stays so: they are not enabled, and their e-mail address is free again", async () => {
  const t = await newTenant(identity);
  const amina = await t.customer("amina");
  await t.staff("MANAGER");
  await erase(t.tenantId, amina.customerId);
  const { accessToken } = await t.login("manager");
  const enable = identity.rpc.gateway.enableUser(
    { userId: amina.userId, reason: "back" },
    inTenant(t.tenantId, accessToken),
  );
  await expect(enable).rejects.toEqual(refused("NOT_FOUND"));
  expect((await t.customer("amina")).customerId).not.toBe(amina.customerId);
});

test("is the operator's, in the tenant of the customer, with a reason", async () => {
  const t = await newTenant(identity);
  const other = await newTenant(identity);
  const { customerId } = await t.customer("amina");
  const { gateway, operator } = identity.rpc;
  await expect(gateway.eraseCustomer({ customerId, reason: "x" }, inTenant(t.tenantId))).rejects.toEqual(
    refused("CALLER_NOT_ALLOWED"),
  );
  await expect(erase(other.tenantId, customerId)).rejects.toEqual(refused("CUSTOMER_NOT_FOUND"));
  await expect(operator.eraseCustomer({ customerId, reason: "" }, inTenant(t.tenantId))).rejects.toEqual(
    refused("INVALID_INPUT"),
  );
});

test("retention erases the customers who were disabled long enough ago, in every tenant, and nobody else", async () => {
  const [one, two] = [await newTenant(identity), await newTenant(identity)];
  const gone = [await one.customer("amina"), await two.customer("amina")];
  const recent = await one.customer("kofi");
  const active = await one.customer("yara");
  const apply = () => identity.rpc.operator.applyRetention({ disabledForDays: 30 }, aboveTenants());
  const hold = (...tenantIds: string[]) =>
    identity.db.command({ collMod: "users", validator: holdOf(tenantIds), validationLevel: "strict" });
  await expect(apply()).resolves.toEqual({ erased: 0, unsettled: 0 });
  const disable = (tenantId: string, userId: string) =>
    identity.rpc.operator.disableUser({ userId, reason: "closed" }, inTenant(tenantId));
  await disable(one.tenantId, gone[0]!.userId);
  await disable(two.tenantId, gone[1]!.userId);
  identity.passMs(40 * 86_400_000);
  await disable(one.tenantId, recent.userId);
  // The held tenant's comes first, and waits.
  await hold(one.tenantId);
  await expect(apply()).resolves.toEqual({ erased: 1, unsettled: 0 });
  await hold();
  await expect(apply()).resolves.toEqual({ erased: 1, unsettled: 0 });
  await expect(apply()).resolves.toEqual({ erased: 0, unsettled: 0 });
  const nameOf = async (customerId: string) =>
    (await identity.rpc.remittance.getCustomer({ customerId }, inTenant(one.tenantId))).customer!.firstName;
  expect([await nameOf(gone[0]!.customerId), await nameOf(recent.customerId), await nameOf(active.customerId)]).toEqual(
    ["erased", "kofi", "yara"],
  );
  for (const disabledForDays of [0, 36_501]) {
    const call = identity.rpc.operator.applyRetention({ disabledForDays }, aboveTenants());
    await expect(call).rejects.toEqual(refused("INVALID_INPUT"));
  }
});

describe("the services that keep personal data", () => {
  interface Requested {
    tenantId: string;
    customerId: string;
    userId: string;
    stage: string;
  }
  const keepers = ["compliance", "remittance", "wallet", "lending", "events"] as const;
  type Keeper = (typeof keepers)[number];
  const requested = Object.fromEntries(keepers.map((name) => [name, [] as Requested[]])) as Record<Keeper, Requested[]>;
  const away = new Set<Keeper>();
  /** What is not settled in the wallet, by customer; of -1 it does not answer. */
  const wallets = new Map<string, number>();
  /**
   * How many calls of remittance find more to erase, and what it still has under way afterwards.
   */
  const remittance = { parts: 0, underWay: 0n };
  const servers: { stop(graceMs?: number): Promise<void> }[] = [];
  let telling: TestIdentity;

  const standIn = (name: Keeper, deps: Parameters<NonNullable<TestIdentityOptions["startNeighbours"]>>[0]) =>
    startGrpcServer<typeof PersonalDataServiceDefinition>({
      service: name,
      definition: PersonalDataServiceDefinition,
      access: { erasePerson: { callers: ["identity"] } },
      handlers: {
        async erasePerson({ customerId, userId, stage }, { tenantId }) {
          if (away.has(name)) throw new Refusal("UNAVAILABLE", "away");
          requested[name].push({ tenantId, customerId, userId, stage });
          const isAfter = stage === "ERASURE_STAGE_AFTER_RETENTION";
          const more = name === "remittance" && remittance.parts-- > 0;
          const left = isAfter ? (name === "remittance" ? remittance.underWay : 0n) : 2n;
          return {
            erased: [{ kind: "things", records: isAfter ? 2n : 5n }],
            kept: left > 0n ? [{ kind: "records", records: left }] : [],
            more,
          };
        },
      },
      extraDefinitions: [
        serveOpenMoney(async (customerId) => {
          const count = name === "wallet" ? (wallets.get(customerId) ?? 0) : 0;
          if (count < 0) throw new Refusal("UNAVAILABLE", "away");
          return { wallets: count };
        }),
      ],
      host: "127.0.0.1",
      port: 0,
      verifyServiceToken: createServiceTokenVerifier({ self: name, jwks: deps.keys.jwks }),
      verifyUserToken: () => Promise.reject(new Error("no user has a part in it")),
      log: deps.log,
    });

  beforeAll(async () => {
    telling = await startTestIdentity({
      async startNeighbours(deps) {
        const addresses: Record<string, string> = {};
        for (const name of keepers) {
          const server = await standIn(name, deps);
          servers.push(server);
          addresses[`${name.toUpperCase()}_ADDRESS`] = `127.0.0.1:${server.port}`;
        }
        return addresses;
      },
    });
  });
  beforeEach(() => {
    for (const name of keepers) requested[name].length = 0;
    away.clear();
    wallets.clear();
    Object.assign(remittance, { parts: 0, underWay: 0n });
  });
  afterAll(async () => {
    await telling.stop();
    for (const server of servers) await server.stop(100);
  });

  async function erased(change: object = {}) {
    const t = await newTenant(telling, change);
    const { customerId, userId } = await t.customer("amina");
    const call = inTenant(t.tenantId);
    const erase = () => telling.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, call);
    const { erasure } = await erase();
    const show = async () => (await telling.rpc.operator.getErasure({ customerId }, call)).erasure!;
    const states = async () =>
      Object.fromEntries((await show()).services.map(({ service, state }) => [service, state]));
    const reached = (state: string) =>
      waitFor(async () => Object.values(await states()).every((one) => one === state), {
        timeoutMs: 20_000,
        what: `all to be ${state}`,
      });
    return { ...t, customerId, userId, call, erase, erasure: erasure!, show, states, reached };
  }
  const yearMs = 366 * 86_400_000;

  test("are told at once, and what each answered is shown; after the retention they are told once more, and that is all", async () => {
    const { tenantId, customerId, userId, erase, erasure, show, reached } = await erased({ recordRetentionYears: 1 });
    const years = erasure.retainedUntil!.getTime() - erasure.erasedAt!.getTime();
    expect(years / 86_400_000).toBeGreaterThanOrEqual(365);
    expect(years).toBeLessThanOrEqual(yearMs);
    await reached("RETAINING");
    const at = { tenantId, customerId, userId };
    for (const name of keepers) expect(requested[name]).toEqual([{ ...at, stage: "ERASURE_STAGE_AT_ONCE" }]);
    expect(await show()).toMatchObject({
      customerId,
      erasedBy: "operator",
      reason: "asked for it",
      services: [
        { service: "identity", state: "RETAINING", erased: [], kept: [] },
        ...keepers.map((service) => ({
          service,
          state: "RETAINING",
          erased: [{ kind: "things", records: 5n }],
          kept: [{ kind: "records", records: 2n }],
        })),
      ],
    });
    // Repeating it tells nobody again.
    expect((await erase()).erasure).toEqual(await show());
    // A day later once more, for what was under way.
    telling.passMs(86_400_000 + 60_000);
    await waitFor(() => keepers.every((name) => requested[name].length === 2), { timeoutMs: 20_000 });
    expect(requested.wallet.map(({ stage }) => stage)).toEqual(["ERASURE_STAGE_AT_ONCE", "ERASURE_STAGE_AT_ONCE"]);
    telling.passMs(yearMs);
    await reached("ERASED");
    for (const name of keepers) expect(requested[name]).toHaveLength(3);
    const [, service] = (await show()).services;
    expect(service).toMatchObject({ state: "ERASED", erased: [{ kind: "things", records: 7n }], kept: [] });
    const open = { tenantId, kind: "erasure.tell", state: { $ne: "DONE" } };
    expect(await telling.db.collection("outbox").countDocuments(open)).toBe(0);
  });

  test("keep whoever has money with them from being erased, by name and by retention, and so does one that does not say", async () => {
    const t = await newTenant(telling);
    const [amina, kofi] = [await t.customer("amina"), await t.customer("kofi")];
    const eraseOne = ({ customerId }: { customerId: string }) =>
      telling.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, inTenant(t.tenantId));
    wallets.set(amina.customerId, 2);
    const unsettled = { code: "STATE_CONFLICT", message: "money is not settled with the customer: 2 wallets (wallet)" };
    await expect(eraseOne(amina)).rejects.toMatchObject(unsettled);
    wallets.set(amina.customerId, -1);
    await expect(eraseOne(amina)).rejects.toEqual(refused("UNAVAILABLE"));
    for (const { userId } of [amina, kofi])
      await telling.rpc.operator.disableUser({ userId, reason: "closed" }, inTenant(t.tenantId));
    telling.passMs(40 * 86_400_000);
    wallets.set(amina.customerId, 1);
    const apply = () => telling.rpc.operator.applyRetention({ disabledForDays: 30 }, aboveTenants());
    expect(await apply()).toEqual({ erased: 1, unsettled: 1 });
    expect((await telling.rpc.remittance.getCustomer(amina, inTenant(t.tenantId))).customer!.firstName).toBe("amina");
    wallets.clear();
    expect(await apply()).toEqual({ erased: 1, unsettled: 0 });
    // Whoever is erased already is so, whatever a service says of them now.
    wallets.set(amina.customerId, 1);
    expect((await eraseOne(amina)).erasure).toMatchObject({ customerId: amina.customerId });
  });

  test("one that is away is told when it is back, and holds up nobody else", async () => {
    away.add("wallet");
    const { states } = await erased();
    const others = async () => Object.values(await states()).filter((state) => state === "RETAINING").length;
    // Identity has nobody to ask but itself.
    await waitFor(async () => (await others()) === keepers.length, { timeoutMs: 20_000, what: "the others" });
    expect(await states()).toMatchObject({ wallet: "PENDING", compliance: "RETAINING" });
    away.clear();
    telling.passMs(600_000);
    await waitFor(async () => (await states())["wallet"] === "RETAINING", { timeoutMs: 20_000, what: "the wallet" });
    expect(requested.wallet).toHaveLength(1);
  });

  test("where nothing has to be kept all is erased at once: in parts, and again while something is under way", async () => {
    Object.assign(remittance, { parts: 2, underWay: 1n });
    const { states } = await erased({ recordRetentionYears: 0 });
    const isWaiting = async () => {
      const { remittance: own, ...others } = await states();
      return own === "RETAINING" && Object.values(others).every((state) => state === "ERASED");
    };
    await waitFor(isWaiting, { timeoutMs: 20_000, what: "all but remittance" });
    await waitFor(() => requested.remittance.some(({ stage }) => stage.endsWith("AFTER_RETENTION")), {
      timeoutMs: 20_000,
    });
    expect(requested.remittance.filter(({ stage }) => stage.endsWith("AT_ONCE"))).toHaveLength(3);
    remittance.underWay = 0n;
    // An hour at a time: the row may be put off by an hour only after the first of them has passed.
    const isErased = async () => {
      telling.passMs(3_600_000 + 60_000);
      return (await states())["remittance"] === "ERASED";
    };
    await waitFor(isErased, { timeoutMs: 20_000, everyMs: 200, what: "remittance" });
  });

  test("the retention begins when the customer was disabled, if that was before; seven years where nobody says otherwise", async () => {
    const t = await newTenant(telling);
    const { customerId, userId } = await t.customer("amina");
    const call = inTenant(t.tenantId);
    const disabledAt = Date.now();
    await telling.rpc.operator.disableUser({ userId, reason: "left" }, call);
    telling.passMs(400 * 86_400_000);
    const { erasure } = await telling.rpc.operator.eraseCustomer({ customerId, reason: "later" }, call);
    const until = new Date(erasure!.erasedAt!.getTime() - 400 * 86_400_000);
    until.setUTCFullYear(until.getUTCFullYear() + 7);
    expect(Math.abs(erasure!.retainedUntil!.getTime() - until.getTime())).toBeLessThan(60_000);
    expect(disabledAt).toBeLessThan(erasure!.retainedUntil!.getTime());
  });

  test("an erasure is shown to the operator alone, and only where there is one", async () => {
    const { customerId, call } = await erased();
    await expect(telling.rpc.gateway.getErasure({ customerId }, call)).rejects.toEqual(refused("CALLER_NOT_ALLOWED"));
    const { tenantId } = await newTenant(telling);
    await expect(telling.rpc.operator.getErasure({ customerId }, inTenant(tenantId))).rejects.toEqual(
      refused("NOT_FOUND"),
    );
  });

  test.each([-1, 101])("a retention of %s years is refused", async (recordRetentionYears) => {
    const { draft } = await newTenant(telling);
    const tenant = { ...draft, preference: { ...draft.preference, recordRetentionYears } };
    await expect(telling.rpc.operator.putTenant({ tenant }, aboveTenants())).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "preference.recordRetentionYears" }] },
    });
  });
});
