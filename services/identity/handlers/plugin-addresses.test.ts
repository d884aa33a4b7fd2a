import { randomUUID } from "node:crypto";
import type { Plugin } from "../../../proto/gen/identity/v1/plugins.js";
import {
  apiKey,
  bankDraft,
  pluginOffice,
  startPluginIdentity,
  type PluginIdentity,
} from "../../../test/support/plugin-office.js";

let identity: PluginIdentity;
let gateway: PluginIdentity["plugins"]["gateway"];
beforeAll(async () => {
  identity = await startPluginIdentity();
  ({ gateway } = identity.plugins);
});
afterAll(() => identity.stop());

type Office = Awaited<ReturnType<typeof pluginOffice>>;

const identityDraft = {
  type: "identity-http",
  name: "Who is who",
  configurationJson: '{"url":"https://payouts.example"}',
  secrets: { apiKey },
};
const mail = { host: "payouts.example", port: 587, from: "hello@x.example" };
const smtpDraft = {
  type: "smtp",
  name: "Mail",
  configurationJson: JSON.stringify(mail),
  secrets: { password: "a-secret-of-the-bank" },
};
const elsewhere = '{"url":"https://other.example"}';
const fresh = "the-key-that-the-others-gave-us";
const lacks = (...paths: string[]) => ({
  code: "PLUGIN_NOT_READY",
  details: { errors: paths.map((path) => expect.objectContaining({ path }) as unknown) },
});
const namesOf = ({ secrets }: Plugin) => secrets.map(({ name }) => name);
const change = async (t: Office, { installationId }: Plugin, more: object) =>
  (await gateway.changePlugin({ ...t.asked(installationId), ...more }, t.as())).plugin!;

async function changedByTwo(t: Office, plugin: Plugin, more: object) {
  await t.decide((await change(t, plugin, more)).pendingApprovalId, true);
  return t.settled(plugin.installationId);
}

/** All that who calls the partner is given of it, also to test it. */
async function known(t: Office, { installationId }: Plugin, owner: "compliance" | "events" | "wallet" = "compliance") {
  const { plugins } = await identity.plugins[owner].resolvePlugins({ installationId }, t.alone());
  const { configurationJson, secrets, missingSecrets } = plugins[0]!;
  const { url } = JSON.parse(configurationJson) as { url?: string };
  return { url, secrets, missingSecrets };
}

test.each([
  ["url", elsewhere],
  ["testUrl", '{"url":"https://payouts.example","testUrl":"https://other.example"}'],
])("one manager who points %s of a draft elsewhere has no kept key sent there", async (_name, configurationJson) => {
  const t = await pluginOffice(identity);
  const draft = await t.create(identityDraft);
  expect(draft).toMatchObject({ missingSecrets: [] });
  const moved = await change(t, draft, { configurationJson });
  expect(moved).toMatchObject({ status: "DRAFT", secrets: [], missingSecrets: ["apiKey"] });
  expect(await t.read(draft.installationId)).toMatchObject({ secrets: [], missingSecrets: ["apiKey"] });
  expect(await known(t, draft)).toMatchObject({ secrets: {}, missingSecrets: ["apiKey"] });
  // Not only left out of answers: gone.
  const stored = await identity.db.collection("plugins").findOne({ _id: draft.installationId as never });
  expect(stored).toMatchObject({ secrets: {} });
  const enable = gateway.enablePlugin(t.asked(draft.installationId), t.as());
  await expect(enable).rejects.toMatchObject(lacks("secrets.apiKey", "test"));
  // Pointing it back brings nothing back.
  await change(t, moved, { configurationJson: identityDraft.configurationJson });
  expect(await known(t, draft)).toMatchObject({ secrets: {} });
  await gateway.rotatePluginSecret({ ...t.asked(draft.installationId), secrets: { apiKey: fresh } }, t.as());
  expect(await known(t, draft)).toMatchObject({ secrets: { apiKey: fresh }, missingSecrets: [] });
  const details = (await t.changesOf(draft.installationId)).map(({ detail }) => detail);
  expect(details.at(-2)).toMatch(/^configuration\.\w+, secrets\.apiKey dropped$/);
});

test("an installation that is enabled is paused by it, until its secret is given anew and tested", async () => {
  const t = await pluginOffice(identity);
  const { events } = identity.plugins;
  const draft = await t.create(smtpDraft);
  const plugin = await t.enable(await t.noteTest(draft, true, events));
  expect(plugin).toMatchObject({ status: "ENABLED" });
  const moved = await changedByTwo(t, plugin, { configurationJson: JSON.stringify({ ...mail, port: 2525 }) });
  expect(moved).toMatchObject({ status: "PAUSED", secrets: [], missingSecrets: ["password"] });
  expect((await gateway.listPlugins({ status: "PAUSED" }, t.as())).plugins).toMatchObject([
    { missingSecrets: ["password"] },
  ]);
  expect(await known(t, plugin, "events")).toMatchObject({ secrets: {} });
  // The type does not require it, but it had one.
  const enable = () => gateway.enablePlugin(t.asked(plugin.installationId), t.as());
  await expect(enable()).rejects.toMatchObject(lacks("secrets.password", "test"));
  const rotate = { ...t.asked(plugin.installationId), secrets: { password: "another-of-the-bank" } };
  const waiting = (await gateway.rotatePluginSecret(rotate, t.as())).plugin!;
  await t.decide(waiting.pendingApprovalId, true);
  const given = await t.settled(plugin.installationId);
  await expect(enable()).rejects.toMatchObject(lacks("test"));
  await t.noteTest(given, true, events);
  expect(await t.enable(given)).toMatchObject({ status: "ENABLED", missingSecrets: [] });
});

/** A bank's test system, which is sent the same key. */
const tests = '{"url":"https://payouts.example","testUrl":"https://other.example","account":"acme"}';

test("what the second manager agreed to is without the secrets that it does not bring; before that all is as it was", async () => {
  const t = await pluginOffice(identity);
  const { wallet } = identity.plugins;
  const plugin = await t.enable(await t.noteTest(await t.create(bankDraft), true, wallet));
  const there = { configurationJson: tests };
  const waiting = await change(t, plugin, there);
  expect(waiting).toMatchObject({ status: "ENABLED", missingSecrets: [] });
  expect(await known(t, plugin, "wallet")).toMatchObject({ url: "https://payouts.example", secrets: { apiKey } });
  const subject = `plugin:${plugin.installationId}`;
  const summaries = async () =>
    (await identity.rpc.gateway.listApprovals({ subject, status: "PENDING" }, t.as())).approvals.map(
      ({ summary }) => summary,
    );
  expect(await summaries()).toEqual([
    'Change the bank "Our bank": without its secrets apiKey until they are given anew; testUrl "https://other.example"',
  ]);
  await t.decide(waiting.pendingApprovalId, true);
  expect(await t.settled(plugin.installationId)).toMatchObject({ status: "PAUSED", missingSecrets: ["apiKey"] });
  expect(await known(t, plugin, "wallet")).toMatchObject({ url: "https://payouts.example", secrets: {} });
  expect((await t.changesOf(plugin.installationId)).slice(0, 2).map(({ action, detail }) => [action, detail])).toEqual([
    ["plugin.change", "configuration.testUrl, secrets.apiKey dropped"],
    ["plugin.change.ask", "configuration.testUrl, secrets.apiKey dropped"],
  ]);
});

test("whoever calls the partner of one that is to go is told what is missing, although nobody has to give it", async () => {
  const t = await pluginOffice(identity);
  const { wallet } = identity.plugins;
  const plugin = await t.enable(await t.noteTest(await t.create(bankDraft), true, wallet));
  const waiting = await change(t, plugin, { configurationJson: tests });
  await t.decide(waiting.pendingApprovalId, true);
  await t.settled(plugin.installationId);
  await gateway.removePlugin(t.asked(plugin.installationId), t.as());
  expect(await t.read(plugin.installationId)).toMatchObject({ status: "REMOVING", missingSecrets: [] });
  expect(await known(t, plugin, "wallet")).toMatchObject({ secrets: {}, missingSecrets: ["apiKey"] });
});

test("one manager who has the body of a text message show the secret has it dropped", async () => {
  const t = await pluginOffice(identity);
  const { events } = identity.plugins;
  const sms = {
    url: "https://payouts.example/send",
    headers: { Authorization: "Bearer {{secret}}" },
    body: '{"to":"{{to}}","message":"{{text}}"}',
  };
  const draft = await t.create({
    type: "http-sms",
    name: "Texts",
    configurationJson: JSON.stringify(sms),
    secrets: { secret: "the-key-of-the-service" },
  });
  const plugin = await t.enable(await t.noteTest(draft, true, events));
  const shown = { ...sms, body: '{"to":"{{to}}","message":"{{text}} {{secret}}"}' };
  const moved = await changedByTwo(t, plugin, { configurationJson: JSON.stringify(shown) });
  expect(moved).toMatchObject({ status: "PAUSED", secrets: [], missingSecrets: ["secret"] });
  expect(await known(t, plugin, "events")).toMatchObject({ secrets: {}, missingSecrets: ["secret"] });
});

test("secrets that come with the change of address are kept, also where it waits, and the partner goes on", async () => {
  const t = await pluginOffice(identity);
  const plugin = await t.enable(await t.noteTest(await t.create(bankDraft), true, identity.plugins.wallet));
  const waiting = await change(t, plugin, { configurationJson: tests, secrets: { apiKey: fresh } });
  expect(await known(t, plugin, "wallet")).toMatchObject({ secrets: { apiKey } });
  await t.decide(waiting.pendingApprovalId, true);
  expect(await t.settled(plugin.installationId)).toMatchObject({ status: "ENABLED", missingSecrets: [] });
  expect(await known(t, plugin, "wallet")).toMatchObject({ secrets: { apiKey: fresh } });
  // Of one that waits for nobody too.
  const draft = await t.create(identityDraft);
  expect(namesOf(await change(t, draft, { configurationJson: elsewhere, secrets: { apiKey: fresh } }))).toEqual([
    "apiKey",
  ]);
  expect(await known(t, draft)).toMatchObject({ secrets: { apiKey: fresh }, missingSecrets: [] });
});

test("secrets of a change are of the type and its form, and other ones are another request", async () => {
  const t = await pluginOffice(identity);
  const draft = await t.create(identityDraft);
  const bad = change(t, draft, { configurationJson: elsewhere, secrets: { apiKey: "short", pin: "1234" } });
  await expect(bad).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: [{ path: "secrets.apiKey" }, { path: "secrets.pin" }] },
  });
  const keyed = { idempotencyKey: randomUUID(), configurationJson: elsewhere };
  const first = await change(t, draft, { ...keyed, secrets: { apiKey: fresh } });
  expect(await change(t, draft, { ...keyed, secrets: { apiKey: fresh } })).toEqual(first);
  const other = change(t, draft, { ...keyed, secrets: { apiKey: `${fresh}-2` } });
  await expect(other).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
});

test("another path of the same origin keeps the secrets", async () => {
  const t = await pluginOffice(identity);
  const draft = await t.create(identityDraft);
  await change(t, draft, {
    configurationJson: '{"url":"https://payouts.example/v2","testUrl":"https://payouts.example/t"}',
  });
  expect(await known(t, draft)).toMatchObject({ secrets: { apiKey }, missingSecrets: [] });
});
