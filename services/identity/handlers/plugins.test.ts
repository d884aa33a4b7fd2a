import { randomUUID } from "node:crypto";
import { mongo } from "mongoose";
import { insist } from "../../../test/support/insist.js";
import {
  apiKey,
  callbackSecret,
  payoutDraft,
  pluginOffice,
  route,
  startPluginIdentity,
  type PluginIdentity,
} from "../../../test/support/plugin-office.js";
import { pluginTypes } from "../../platform/plugins/types/index.js";

let identity: PluginIdentity;
beforeAll(async () => {
  identity = await startPluginIdentity();
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });
const faultAt = (...paths: string[]) => ({
  code: "INVALID_INPUT",
  details: { errors: paths.map((path) => expect.objectContaining({ path }) as unknown) },
});

test("types are those of this version, with their schemas and the names of their secrets", async () => {
  const t = await pluginOffice(identity);
  const { types } = await identity.plugins.gateway.listPluginTypes({}, t.as());
  expect(types.map(({ name }) => name)).toEqual(pluginTypes.map(({ name }) => name));
  const payout = types.find(({ name }) => name === "manilla-http")!;
  expect(payout).toMatchObject({ kind: "PAYOUT", trustedWith: "MONEY", secrets: [{ name: "apiKey" }, {}] });
  expect(JSON.parse(payout.configurationSchemaJson)).toHaveProperty("properties.url.format", "uri");
});

describe("a draft", () => {
  test("has the type's defaults filled in, and says which secrets are set", async () => {
    const t = await pluginOffice(identity);
    const plugin = await t.create({ routes: [route({ receivingCountry: "NG" })] });
    expect(plugin).toMatchObject({
      type: "manilla-http",
      kind: "PAYOUT",
      environment: "LIVE",
      status: "DRAFT",
      revision: 1n,
      routes: [route()],
      secrets: [{ name: "apiKey" }, { name: "callbackSecret" }],
      pendingApprovalId: "",
    });
    expect(JSON.parse(plugin.configurationJson)).toEqual({ url: "https://payouts.example", timeoutMs: 3000 });
    expect(await t.read(plugin.installationId)).toMatchObject({ status: "DRAFT", health: { calls: 0 } });
    expect(await t.changesOf(plugin.installationId)).toMatchObject([
      { action: "plugin.create", detail: 'manilla-http "Lagos payouts"' },
    ]);
  });

  test("lies with its secrets sealed: no document, log line or answer holds one", async () => {
    const t = await pluginOffice(identity);
    const plugin = await t.create();
    const fresh = "another-key-that-they-gave-us";
    const rotated = { ...t.asked(plugin.installationId), secrets: { apiKey: fresh } };
    await identity.plugins.gateway.rotatePluginSecret(rotated, t.as());
    await t.enable(await t.noteTest(await t.read(plugin.installationId)));
    const pending = { ...t.asked(plugin.installationId), secrets: { apiKey: `${fresh}-2` } };
    const waiting = await identity.plugins.gateway.rotatePluginSecret(pending, t.as());
    expect(waiting.plugin!.pendingApprovalId).not.toBe("");
    const names = (await identity.db.listCollections().toArray()).map(({ name }) => name);
    const found: string[] = [];
    for (const name of names) {
      const documents = await identity.db.collection(name).find().toArray();
      // As it lies in the database, binary fields and all.
      found.push(...documents.map((one) => Buffer.from(mongo.BSON.serialize(one)).toString("latin1")));
    }
    const answers = JSON.stringify([plugin, waiting, await t.read(plugin.installationId)], (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    for (const everything of [found.join("\n"), answers]) expect(everything).toContain(plugin.installationId);
    for (const everything of [found.join("\n"), identity.lines.join("\n"), answers]) {
      for (const secret of [apiKey, callbackSecret, fresh]) {
        expect(everything).not.toContain(secret);
        expect(everything).not.toContain(Buffer.from(secret).toString("base64"));
      }
    }
  });

  test("is made once per key, also by equal requests at once; another secret is another request", async () => {
    const t = await pluginOffice(identity);
    const request = { idempotencyKey: randomUUID(), ...payoutDraft };
    const create = (change: object = {}) =>
      insist(() => identity.plugins.gateway.createPlugin({ ...request, ...change }, t.as()));
    const [one, other] = await Promise.all([create(), create()]);
    expect(other).toEqual(one);
    await expect(create()).resolves.toEqual(one);
    await expect(create({ secrets: { apiKey: `${apiKey}-2` } })).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
    expect((await identity.plugins.gateway.listPlugins({}, t.as())).plugins).toHaveLength(1);
  });

  test("of a bad request names every fault by its path, and never what was sent as a secret", async () => {
    const t = await pluginOffice(identity);
    const bad = t.create({
      name: " ",
      configurationJson: '{"url":"not a url","timeoutMs":5,"colour":"red"}',
      secrets: { apiKey: "short", pin: "1234567890" },
      routes: [route({ receivingCountry: "XX", priority: 0 }), route({ method: "PIGEON" })],
    });
    const paths = [
      "name",
      "configuration.colour",
      "configuration.url",
      "configuration.timeoutMs",
      "secrets.apiKey",
      "secrets.pin",
      "routes[0].priority",
      "routes[0].receivingCountry",
      "routes[1].method",
    ];
    const error = (await bad.catch((reason: unknown) => reason)) as { details: { errors: { path: string }[] } };
    expect(error.details.errors.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    expect(JSON.stringify(error)).not.toMatch(/short|1234567890/);
  });

  test.each([
    ["an unknown type", { type: "pigeon-post" }, "type"],
    ["no JSON", { configurationJson: "{" }, "configuration"],
    ["a list", { configurationJson: "[]" }, "configuration"],
    ["what is missing", { configurationJson: "{}" }, "configuration.url"],
    ["too much of it", { configurationJson: JSON.stringify({ url: "x".repeat(20_000) }) }, "configuration"],
    ["a route twice", { routes: [route(), route({ priority: 2 })] }, "routes[1]"],
    ["plain http", { configurationJson: '{"url":"http://payouts.example"}' }, "configuration.url"],
    ["this machine", { configurationJson: '{"url":"https://localhost"}' }, "configuration.url"],
    ["a private address", { configurationJson: '{"url":"https://10.1.2.3"}' }, "configuration.url"],
    ["a name of one", { configurationJson: '{"url":"https://inside.example"}' }, "configuration.url"],
    ["a name of one among others", { configurationJson: '{"url":"https://mixed.example"}' }, "configuration.url"],
    ["a name of nobody", { configurationJson: '{"url":"https://nobody.example"}' }, "configuration.url"],
    [
      "a second URL that is private",
      { configurationJson: '{"url":"https://payouts.example","testUrl":"http://127.0.0.1:4000"}' },
      "configuration.testUrl",
    ],
  ])("of %s is refused at its path", async (_what, change, path) => {
    const t = await pluginOffice(identity);
    await expect(t.create(change)).rejects.toMatchObject(faultAt(path));
  });

  test("of a live tenant needs encrypted mail; routes are for what moves by corridors", async () => {
    const [live, sandbox] = [await pluginOffice(identity), await pluginOffice(identity, { sandbox: true })];
    const configurationJson = JSON.stringify({
      host: "payouts.example",
      port: 25,
      security: "NONE",
      from: "a@x.example",
    });
    const mail = { type: "smtp", configurationJson, secrets: { password: "p" } };
    await expect(live.create(mail)).rejects.toMatchObject(faultAt("configuration.security"));
    for (const host of ["10.0.0.9", "localhost", "inside.example", "nobody.example", "::1"]) {
      const inside = JSON.stringify({ host, port: 587, from: "a@x.example" });
      await expect(live.create({ ...mail, configurationJson: inside })).rejects.toMatchObject(
        faultAt("configuration.host"),
      );
    }
    await expect(sandbox.create(mail)).resolves.toMatchObject({ kind: "EMAIL", environment: "SANDBOX" });
    await expect(sandbox.create({ ...mail, routes: [route()] })).rejects.toMatchObject(faultAt("routes"));
  });

  test("of a sandbox may name origins that the operator allows it, and no others", async () => {
    const t = await pluginOffice(identity, { sandbox: true });
    await expect(t.create({ configurationJson: '{"url":"http://127.0.0.1:4000"}' })).resolves.toMatchObject({
      status: "DRAFT",
    });
    const other = t.create({ configurationJson: '{"url":"http://127.0.0.2:4000"}' });
    await expect(other).rejects.toMatchObject(faultAt("configuration.url"));
  });
});

test("an organisation has 50 plugins that are not removed; two who come at once share the last place", async () => {
  const t = await pluginOffice(identity);
  const made = [];
  for (let count = 0; count < 49; count += 1) made.push(await t.create({ name: `Partner ${count}` }));
  const lastTwo = await Promise.allSettled([t.create(), t.create()]);
  expect(lastTwo.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(t.create()).rejects.toEqual(refused("PLUGIN_LIMIT_REACHED"));
  await identity.plugins.gateway.removePlugin(t.asked(made[0]!.installationId), t.as());
  await expect(t.create()).resolves.toMatchObject({ status: "DRAFT" });
  const { plugins } = await identity.plugins.gateway.listPlugins({}, t.as());
  expect(plugins).toHaveLength(50);
  const ofStatus = await identity.plugins.gateway.listPlugins({ status: "REMOVED" }, t.as());
  expect(ofStatus.plugins.map(({ name }) => name)).toEqual(["Partner 0"]);
  await expect(identity.plugins.gateway.listPlugins({ kind: "PIGEON" }, t.as())).rejects.toMatchObject(faultAt("kind"));
});

test("a plugin is its tenant's alone, and its managers'", async () => {
  const [t, other] = [await pluginOffice(identity), await pluginOffice(identity)];
  const { installationId } = await t.create();
  const { gateway } = identity.plugins;
  await expect(gateway.getPlugin({ installationId }, other.as())).rejects.toEqual(refused("NOT_FOUND"));
  await expect(gateway.removePlugin(other.asked(installationId), other.as())).rejects.toEqual(refused("NOT_FOUND"));
  expect((await gateway.listPlugins({}, other.as())).plugins).toEqual([]);
  await expect(gateway.getPlugin({ installationId }, t.alone())).rejects.toEqual(refused("UNAUTHENTICATED"));
  await expect(identity.plugins.events.getPlugin({ installationId }, t.as())).rejects.toBeDefined();
});
