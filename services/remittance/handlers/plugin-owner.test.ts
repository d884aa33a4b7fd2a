import { createHmac, randomUUID } from "node:crypto";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { waitFor as waitShortly } from "../../../test/support/index.js";
import { createPayoutWorld, type PayoutWorld } from "../../../test/support/payout-fixture.js";
import {
  callbackSecret,
  partnerKey,
  signedCallback,
  startSandboxPartner,
} from "../../../test/support/payout-partner.js";
import { patient } from "../../../test/support/stand-in-plugins.js";
import { manager, on, refused } from "../../../test/support/remittance-calls.js";

type Own = Awaited<ReturnType<typeof startSandboxPartner>>;

let world: PayoutWorld;
let own: Own;
let live: string;
let tenantId: string;
let id: string;
beforeAll(async () => {
  world = await createPayoutWorld("owner");
  own = await startSandboxPartner();
});
beforeEach(async () => {
  live = `t${randomUUID().slice(0, 8)}`;
  tenantId = await world.tenant(sandboxIdOf(live));
  id = randomUUID();
});
afterEach(() => world.reset());
afterAll(async () => {
  await world.close();
  await own.stopPartner();
  await own.removeBooks();
});

jest.setTimeout(120_000);

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 60_000 });
const install = (part: object = {}) =>
  world.plugins.install(tenantId, { installationId: id, url: own.url, ...patient, ...part });
const test_ = (of = tenantId) => world.pluginOwner.testPlugin({ installationId: id }, on(of, manager));
const tests = () => world.plugins.testsOf(id);
const lastTest = () => tests().at(-1)!;

describe("a test", () => {
  test("runs the checks against the partner and notes the report with identity, by the revision that it was of", async () => {
    install({ status: "DRAFT", revision: 7 });
    const { plugin } = await test_();
    const { hasPassed, revision, checks } = lastTest();
    expect(checks.filter(({ result }) => result !== "PASSED")).toEqual([]);
    expect(plugin).toMatchObject({ installationId: id, status: "TESTED" });
    expect([hasPassed, revision]).toEqual([true, 7n]);
  });

  test("goes to the test system where one is named", async () => {
    install({ url: "http://127.0.0.1:1", configuration: { testUrl: own.url } });
    await test_();
    expect(lastTest().checks.find(({ name }) => name === "an unknown reference is 404")?.result).toBe("PASSED");
  });

  test("of a live tenant never goes to where it is paid in earnest", async () => {
    const real = await world.tenant(live);
    world.plugins.install(real, { installationId: id, url: own.url });
    await test_(real);
    expect(lastTest()).toMatchObject({ hasPassed: false, checks: [{ name: "a test system is named" }] });
    expect(await own.statement(real)).toEqual([]);
  });

  test("of a live tenant reaches no private address, whatever sandboxes may", async () => {
    const real = await world.tenant(live);
    world.plugins.install(real, { installationId: id, url: own.url, configuration: { testUrl: own.url } });
    await test_(real);
    expect(lastTest().hasPassed).toBe(false);
    expect(new Set(lastTest().checks.map(({ result }) => result))).toEqual(new Set(["FAILED"]));
  });

  test("of who knows payees asks about made-up ones, and a live tenant's at its test system alone", async () => {
    install({ type: "payee-http", secrets: { apiKey: partnerKey } });
    await test_();
    const { hasPassed, checks } = lastTest();
    expect(checks.filter(({ result }) => result !== "PASSED")).toEqual([]);
    expect([hasPassed, checks.length]).toEqual([true, 12]);
    const real = await world.tenant(live);
    world.plugins.install(real, { installationId: id, url: own.url, type: "payee-http" });
    await test_(real);
    expect(lastTest()).toMatchObject({ hasPassed: false, checks: [{ name: "a test system is named" }] });
  });

  test("who asks while it runs waits for that one", async () => {
    install();
    await Promise.all([test_(), test_(), test_()]);
    expect(tests()).toHaveLength(1);
  });

  test("without a secret that is missing is PLUGIN_NOT_READY by its name, and nothing reaches the partner", async () => {
    install({ secrets: {}, missingSecrets: ["apiKey"] });
    const errors = [{ path: "secrets.apiKey", message: "is not set" }];
    expect(await refused(test_())).toMatchObject({ code: "PLUGIN_NOT_READY", details: { errors } });
    expect([tests(), world.plugins.callsOf(id)]).toEqual([[], []]);
  });

  test("of what there is not is NOT_FOUND, and nobody but a manager asks for one", async () => {
    expect(await refused(test_())).toMatchObject({ code: "NOT_FOUND" });
    const alone = world.pluginOwner.testPlugin({ installationId: id }, on(tenantId));
    expect(await refused(alone)).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

describe("a callback", () => {
  const headersOf = (callback: { webhookId: string; webhookTimestamp: string; webhookSignature: string }) => ({
    "webhook-id": callback.webhookId,
    "webhook-timestamp": callback.webhookTimestamp,
    "webhook-signature": callback.webhookSignature,
  });
  const send = (signed: ReturnType<typeof signedCallback>, installationId = id) =>
    world.pluginOwner.receiveCallback({ installationId, headers: headersOf(signed), body: signed.body }, on(tenantId));
  const requested = async () => world.plugins.callsOf(id).filter(({ operation }) => operation === "find").length;

  /** A payout that the partner has, and nobody asks about soon. */
  async function waiting() {
    install();
    await own.force({ behaviour: "STALL", account: tenantId });
    const paid = await world.paid(tenantId);
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).payout?.acceptedAt !== undefined);
    return paid;
  }

  test("has the partner asked at once; it moves nothing by itself, and counts once", async () => {
    const paid = await waiting();
    const signed = signedCallback(paid, "PAID");
    await send(signed);
    const version = async () => (await world.find(tenantId, paid.transactionId)).version;
    await waitFor(async () => (await requested()) > 0);
    await waitFor(async () => (await world.find(tenantId, paid.transactionId)).status === "PROCESSING");
    const stored = () => world.db.collection("payout_callbacks").countDocuments({ tenantId });
    expect(await stored()).toBe(1);
    await send(signed);
    expect(await stored()).toBe(1);
    expect(await version()).toBeGreaterThan(0);
    expect((await world.find(tenantId, paid.transactionId)).status).toBe("PROCESSING");
  });

  test("signed by another secret, too old or not at all is UNAUTHENTICATED", async () => {
    const paid = await waiting();
    install({
      secrets: { apiKey: "the-key-that-they-gave-us", callbackSecret: `${callbackSecret.slice(0, -8)}AAAAAAA=` },
    });
    expect(await refused(send(signedCallback(paid, "PAID")))).toMatchObject({ code: "UNAUTHENTICATED" });
    install();
    const old = resigned(signedCallback(paid, "PAID"), Math.floor(Date.now() / 1_000) - 301);
    expect(await refused(send(old))).toMatchObject({ code: "UNAUTHENTICATED" });
    const none = world.pluginOwner.receiveCallback({ installationId: id, headers: {}, body: old.body }, on(tenantId));
    expect(await refused(none)).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("of a partner about another one's payout changes nothing; the operator's about a plugin's neither", async () => {
    const paid = await waiting();
    const other = randomUUID();
    world.plugins.install(
      tenantId,
      { installationId: id, url: own.url },
      { installationId: other, url: own.url, routes: [] },
    );
    await send(signedCallback(paid, "PAID"), other);
    await world.callback(paid, "PAID");
    expect(await world.db.collection("payout_callbacks").countDocuments({ tenantId })).toBe(0);
  });

  test("for a plugin that there is not is NOT_FOUND", async () => {
    const paid = { tenantId, transactionId: "t" };
    expect(await refused(send(signedCallback(paid, "PAID")))).toMatchObject({ code: "NOT_FOUND" });
  });

  test("of a test's own payout is remembered for the test", async () => {
    install();
    const reference = `certification-${randomUUID()}`;
    await send(signedCallback({ tenantId, transactionId: reference }, "PAID"));
    expect(await world.store.forTenant(tenantId).hasCallback(`${id}:test:${reference}`)).toBe(true);
  });

  /** As if it had been sent then. */
  function resigned(signed: ReturnType<typeof signedCallback>, atS: number) {
    const key = Buffer.from(callbackSecret.replace(/^whsec_/, ""), "base64");
    const text = `${signed.webhookId}.${atS}.${Buffer.from(signed.body).toString()}`;
    const webhookSignature = `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
    return { ...signed, webhookTimestamp: String(atS), webhookSignature };
  }
});

describe("corridors that nobody would serve", () => {
  test("none where the operator's default serves the tenant", async () => {
    install();
    const requested = { installationId: id, routes: [] };
    expect(await world.pluginOwner.listUnservedCorridors(requested, on(tenantId, manager))).toEqual({ corridors: [] });
  });
});

describe("where sandboxes have no default", () => {
  let alone: PayoutWorld;
  beforeAll(async () => {
    alone = await createPayoutWorld("alone", {}, { hasDefault: (of) => !of.endsWith("--sandbox") });
  });
  afterAll(() => alone.close());

  test("the open corridors that it alone serves, by method; those of wallets are ours", async () => {
    const tenant = await alone.tenant(sandboxIdOf(`t${randomUUID().slice(0, 8)}`));
    const other = randomUUID();
    const installed = { installationId: id, url: own.url };
    const ask = async (routes: object[]) => {
      const requested = { installationId: id, routes: routes.map((part) => ({ priority: 1, ...part })) };
      return (await alone.pluginOwner.listUnservedCorridors(requested, on(tenant, manager))).corridors;
    };
    alone.plugins.install(tenant, installed);
    const all = await ask([]);
    expect(all).toContain("USA USD - NGA NGN ACCOUNTPAYMENT");
    expect(all.some((one) => one.endsWith("WALLET"))).toBe(false);
    expect(await ask([{ method: "ACCOUNTPAYMENT" }])).toEqual(all.filter((one) => !one.endsWith("ACCOUNTPAYMENT")));
    alone.plugins.install(tenant, installed, { installationId: other, url: own.url });
    await waitFor(async () => (await ask([])).length === 0);
  });

  test("a payout waits, PAID, while nobody takes it, and goes out once somebody does", async () => {
    const tenant = await alone.tenant(sandboxIdOf(`t${randomUUID().slice(0, 8)}`));
    const installed = { installationId: id, url: own.url };
    alone.plugins.install(tenant, { ...installed, status: "PAUSED" });
    const paid = await alone.paid(tenant);
    await waitFor(() => alone.network.lines.some((line) => line.includes("no partner takes this payout")));
    expect((await alone.find(tenant, paid.transactionId)).status).toBe("PAID");
    alone.plugins.install(tenant, installed);
    const done = await alone.until(paid, "COMPLETED");
    expect(done.payout?.installationId).toBe(id);
  });
});
