import { randomUUID } from "node:crypto";
import fc from "fast-check";
import {
  apiKey,
  bankDraft,
  callbackSecret,
  cardDraft,
  pluginOffice,
  route,
  startPluginIdentity,
  type PluginIdentity,
} from "../../../test/support/plugin-office.js";

let identity: PluginIdentity;
beforeAll(async () => {
  identity = await startPluginIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });
const smsDraft = {
  type: "http-sms",
  name: "Texts",
  configurationJson: '{"url":"https://payouts.example","body":"{{to}} {{text}}"}',
  secrets: {},
};
const callsOf = (count: number, change: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    callId: randomUUID(),
    at: new Date(),
    operation: "submit",
    reference: `T${at}`,
    status: 200,
    durationMs: 10,
    outcome: "OK",
    ...change,
  }));

describe("resolving", () => {
  test("gives an owner what is enabled, paused or removing of its kinds, with secrets", async () => {
    const t = await pluginOffice(identity);
    const { gateway, remittance } = identity.plugins;
    const [one, two, three] = [await t.enabled(), await t.enabled(), await t.enabled()];
    await t.create();
    await t.noteTest(await t.create());
    await gateway.pausePlugin(t.asked(two.installationId), t.as());
    await gateway.removePlugin(t.asked(three.installationId), t.as());
    const { plugins } = await remittance.resolvePlugins({ kinds: ["PAYOUT"] }, t.alone());
    expect(plugins.map(({ installationId, status }) => [installationId, status])).toEqual([
      [one.installationId, "ENABLED"],
      [two.installationId, "PAUSED"],
      [three.installationId, "REMOVING"],
    ]);
    expect(plugins[0]).toMatchObject({
      type: "manilla-http",
      kind: "PAYOUT",
      secrets: { apiKey, callbackSecret },
      routes: [route()],
      revision: 1n,
    });
  });

  test("one alone, of any status but REMOVED, is for its test", async () => {
    const t = await pluginOffice(identity);
    const { gateway, remittance, events } = identity.plugins;
    const { installationId } = await t.create();
    const resolve = async (client = remittance) =>
      (await client.resolvePlugins({ installationId }, t.alone())).plugins.map(({ status }) => status);
    expect(await resolve()).toEqual(["DRAFT"]);
    expect(await resolve(events)).toEqual([]);
    await gateway.removePlugin(t.asked(installationId), t.as());
    expect(await resolve()).toEqual([]);
  });

  test("says who has set the configuration as it is, whoever gave it secrets since", async () => {
    const t = await pluginOffice(identity);
    const { gateway, remittance } = identity.plugins;
    const { installationId } = await t.create();
    const by = async () => (await remittance.resolvePlugins({ installationId }, t.alone())).plugins[0]!.configuredBy;
    const first = await by();
    expect(first).toMatch(/./);
    const configurationJson = '{"url":"https://other.example"}';
    await gateway.changePlugin({ ...t.asked(installationId), configurationJson }, t.as("second"));
    const second = await by();
    expect(second).not.toBe(first);
    await gateway.rotatePluginSecret(
      { ...t.asked(installationId), secrets: { apiKey: "another-key-of-ours" } },
      t.as(),
    );
    expect(await by()).toBe(second);
  });

  test("is by the kinds of the caller: another's are refused, those of a newer version are nothing", async () => {
    const t = await pluginOffice(identity);
    const { remittance, events, compliance, gateway } = identity.plugins;
    const resolve = (client: typeof events, ...kinds: string[]) => client.resolvePlugins({ kinds }, t.alone());
    await expect(resolve(events, "PAYOUT")).rejects.toEqual(refused("FORBIDDEN"));
    await expect(resolve(remittance, "SMS")).rejects.toEqual(refused("FORBIDDEN"));
    await expect(resolve(compliance, "EMAIL", "SMS")).resolves.toEqual({ plugins: [] });
    await expect(resolve(events, "PIGEON")).resolves.toEqual({ plugins: [] });
    await expect(resolve(gateway, "PAYOUT")).rejects.toBeDefined();
  });

  test("names its own tenant's alone, whatever live tenants and sandboxes have installed", async () => {
    const live = [await pluginOffice(identity), await pluginOffice(identity)];
    const offices = [
      ...live,
      await pluginOffice(identity, { sandbox: true }),
      await pluginOffice(identity, { sandbox: true }),
    ];
    const own = new Map<string, Set<string>>(offices.map(({ tenantId }) => [tenantId, new Set()]));
    const { remittance, events, wallet, lending } = identity.plugins;
    const kinds = [
      { draft: {}, owner: remittance, kind: "PAYOUT" },
      { draft: smsDraft, owner: events, kind: "SMS" },
      { draft: bankDraft, owner: wallet, kind: "BANK" },
      { draft: cardDraft, owner: wallet, kind: "CARD" },
    ];
    const step = fc.record({
      office: fc.nat(offices.length - 1),
      of: fc.nat(kinds.length - 1),
      isEnabled: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const { office, of, isEnabled } of steps) {
          const t = offices[office]!;
          const { draft: wanted, owner } = kinds[of]!;
          const draft = await t.create(wanted);
          own.get(t.tenantId)!.add(draft.installationId);
          if (isEnabled) await t.enable(await t.noteTest(draft, true, owner));
        }
        for (const { tenantId, alone } of offices) {
          const requested = [...kinds, { owner: lending, kind: "BANK" }, { owner: lending, kind: "CARD" }];
          const found = [];
          for (const { owner, kind } of requested) {
            found.push(...(await owner.resolvePlugins({ kinds: [kind] }, alone())).plugins);
          }
          for (const { installationId } of found) expect(own.get(tenantId)).toContain(installationId);
          // Nor by the name of another's.
          for (const other of offices) {
            if (other.tenantId === tenantId) continue;
            for (const installationId of own.get(other.tenantId)!) {
              for (const { owner } of requested) {
                expect((await owner.resolvePlugins({ installationId }, alone())).plugins).toEqual([]);
              }
            }
          }
        }
      }),
      { numRuns: 4 },
    );
  });
});

test("whose plugin it is is found by its id alone, for callbacks", async () => {
  const t = await pluginOffice(identity, { sandbox: true });
  const { installationId } = await t.create({ configurationJson: '{"url":"http://127.0.0.1:4000"}' });
  const above = { ...t.alone(), tenantId: "" };
  const { gateway, remittance } = identity.plugins;
  await expect(gateway.findPlugin({ installationId }, above)).resolves.toEqual({
    tenantId: t.tenantId,
    kind: "PAYOUT",
  });
  const { installationId: uncalled } = await t.create({
    ...smsDraft,
    configurationJson: '{"url":"http://127.0.0.1:4000","body":"{{to}}"}',
  });
  await expect(gateway.findPlugin({ installationId: uncalled }, above)).rejects.toEqual(refused("NOT_FOUND"));
  await expect(gateway.findPlugin({ installationId: "nobody" }, above)).rejects.toEqual(refused("NOT_FOUND"));
  await expect(remittance.findPlugin({ installationId }, above)).rejects.toBeDefined();
});

describe("a test's report", () => {
  test("moves a draft on once; an enabled plugin keeps its status, and an older report is nothing new", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.enabled();
    const test = { at: new Date(), hasPassed: false, revision: 1n, checks: [] };
    const note = (at: Date) =>
      identity.plugins.remittance.notePluginTest({ installationId, test: { ...test, at } }, t.alone());
    expect((await note(new Date(0))).plugin).toMatchObject({ lastTest: { hasPassed: true } });
    identity.passMs(60_000);
    const at = new Date(Date.now() + 400 * 86_400_000);
    expect((await note(at)).plugin).toMatchObject({ status: "ENABLED", lastTest: { hasPassed: false } });
    const { plugin } = await note(new Date(0));
    expect(plugin).toMatchObject({ status: "ENABLED", lastTest: { hasPassed: false } });
    const tests = (await t.changesOf(installationId)).filter(({ action }) => action === "plugin.test");
    expect(tests).toHaveLength(2);
  });

  test("comes from the owner of the kind, and has results that there are", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.create();
    const test = { at: new Date(), hasPassed: true, revision: 1n, checks: [] };
    const foreign = identity.plugins.events.notePluginTest({ installationId, test }, t.alone());
    await expect(foreign).rejects.toEqual(refused("FORBIDDEN"));
    const checks = [{ name: "x", result: "MAYBE", detail: "", durationMs: 1 }];
    const odd = identity.plugins.remittance.notePluginTest({ installationId, test: { ...test, checks } }, t.alone());
    await expect(odd).rejects.toMatchObject({ details: { errors: [{ path: "test.checks[0].result" }] } });
  });
});

describe("calls that were made", () => {
  async function noted() {
    const t = await pluginOffice(identity);
    const { installationId } = await t.create();
    const note = (calls: ReturnType<typeof callsOf>, breaker = "CLOSED") =>
      identity.plugins.remittance.notePluginCalls({ noted: [{ installationId, calls, breaker }] }, t.alone());
    const list = (more: object = {}) => identity.plugins.gateway.listPluginCalls({ installationId, ...more }, t.as());
    return { ...t, installationId, note, list };
  }

  test("are kept, the last 1,000 of them, and read by pages, newest first", async () => {
    const t = await noted();
    for (const name of ["a", "b", "c"]) await t.note(callsOf(400, { operation: name }));
    await Promise.all(["d", "e"].map((name) => t.note(callsOf(30, { operation: name }))));
    await t.note(callsOf(1, { operation: "last" }));
    const pages = [];
    for (let pageToken = ""; ;) {
      const page = await t.list({ pageToken, pageSize: 90 });
      pages.push(page.calls);
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    const all = pages.flat();
    expect(all).toHaveLength(1_000);
    expect(all[0]).toMatchObject({ operation: "last", reference: "T0" });
    expect(new Set(all.map(({ callId }) => callId)).size).toBe(1_000);
    expect(all.filter(({ operation }) => operation === "a")).toHaveLength(139);
    expect(await identity.db.collection("plugin_calls").countDocuments({ installationId: t.installationId })).toBe(
      1_000,
    );
    await expect(t.list({ pageToken: "x" })).rejects.toEqual(refused("INVALID_INPUT"));
    await expect(t.list({ pageSize: 101 })).rejects.toEqual(refused("INVALID_INPUT"));
  });

  test("make the health of the last 15 minutes: how many, how many failed, how long they took", async () => {
    const t = await noted();
    await t.note([
      ...callsOf(90, { durationMs: 20 }),
      ...callsOf(10, { durationMs: 900, outcome: "UNKNOWN", status: 0 }),
    ]);
    const { health } = await t.read(t.installationId);
    expect(health).toMatchObject({ calls: 100, errors: 10, breaker: "CLOSED" });
    // Within a tenth.
    expect(health!.p50Ms).toBeGreaterThanOrEqual(20);
    expect(health!.p50Ms).toBeLessThanOrEqual(22);
    expect(health!.p95Ms).toBeGreaterThanOrEqual(900);
    expect(health!.p95Ms).toBeLessThanOrEqual(990);
    expect(health!.lastErrorAt).toBeInstanceOf(Date);
    identity.passMs(16 * 60_000);
    const later = (await t.read(t.installationId)).health;
    expect(later).toMatchObject({ calls: 0, errors: 0, p95Ms: 0, lastCallAt: health!.lastCallAt });
  });

  test("tell of an open breaker for a while, whoever else finds it closed", async () => {
    const t = await noted();
    await t.note([], "OPEN");
    await t.note(callsOf(1), "CLOSED");
    const { plugins } = await identity.plugins.gateway.listPlugins({}, t.as());
    expect(plugins[0]!.health).toMatchObject({ calls: 1, breaker: "OPEN" });
    identity.passMs(60_000);
    expect((await t.read(t.installationId)).health!.breaker).toBe("CLOSED");
  });

  test("come from who calls partners of the kind; those of nobody's plugin are left out", async () => {
    const t = await noted();
    const noted_ = [{ installationId: t.installationId, calls: callsOf(1), breaker: "CLOSED" }];
    const foreign = identity.plugins.events.notePluginCalls({ noted: noted_ }, t.alone());
    await expect(foreign).rejects.toEqual(refused("FORBIDDEN"));
    const nobody = [{ installationId: "nobody", calls: callsOf(1), breaker: "OPEN" }];
    await identity.plugins.remittance.notePluginCalls({ noted: nobody }, t.alone());
    const other = await pluginOffice(identity);
    await identity.plugins.remittance.notePluginCalls({ noted: noted_ }, other.alone());
    expect((await t.list()).calls).toEqual([]);
    await expect(t.note(callsOf(1_001))).rejects.toEqual(refused("INVALID_INPUT"));
  });
});
