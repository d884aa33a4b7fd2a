import { waitFor } from "../../../test/support/index.js";
import {
  apiKey,
  pluginOffice,
  route,
  startPluginIdentity,
  type PluginIdentity,
} from "../../../test/support/plugin-office.js";

let identity: PluginIdentity;
let gateway: PluginIdentity["plugins"]["gateway"];
let remittance: PluginIdentity["plugins"]["remittance"];
let events: PluginIdentity["plugins"]["events"];
beforeAll(async () => {
  identity = await startPluginIdentity();
  ({ gateway, remittance, events } = identity.plugins);
});
afterAll(() => identity.stop());

const refused = (code: string) => expect.objectContaining({ code });
const lacks = (...paths: string[]) => ({
  code: "PLUGIN_NOT_READY",
  details: { errors: paths.map((path) => expect.objectContaining({ path }) as unknown) },
});
const moved = '{"url":"https://payouts.example","timeoutMs":2000}';
const smsDraft = {
  type: "http-sms",
  name: "Texts",
  configurationJson: '{"url":"https://payouts.example","body":"{{to}} {{text}}"}',
  secrets: {},
};
describe("a partner that moves money", () => {
  test("is enabled by a second manager, after a test that it passed", async () => {
    const t = await pluginOffice(identity);
    const draft = await t.create();
    const { installationId } = draft;
    const tested = await t.noteTest(draft);
    expect(tested).toMatchObject({ status: "TESTED", lastTest: { hasPassed: true, revision: 1n } });
    const request = t.asked(installationId);
    const { plugin: waiting } = await gateway.enablePlugin(request, t.as());
    expect(waiting).toMatchObject({ status: "TESTED" });
    const approvalId = waiting!.pendingApprovalId;
    const { approvals } = await identity.rpc.gateway.listApprovals({ subject: `plugin:${installationId}` }, t.as());
    expect(approvals[0]).toMatchObject({
      approvalId,
      kind: "PARTNER_CHANGE",
      service: "identity",
      status: "PENDING",
      summary: 'Enable the payout partner "Lagos payouts": url "https://payouts.example"; timeoutMs 3000',
      changes: [
        { field: "name", before: "", after: "Lagos payouts" },
        { field: "configuration.url", before: "", after: "https://payouts.example" },
        { field: "configuration.timeoutMs", before: "", after: "3000" },
      ].map((one) => expect.objectContaining(one) as object),
    });
    const alone = identity.rpc.gateway.resolveApproval({ approvalId, approve: true, reason: "me" }, t.as());
    await expect(alone).rejects.toEqual(refused("FORBIDDEN"));
    const subject = `plugin:${installationId}`;
    const shown = await identity.rpc.gateway.getApproval({ approvalId, withEffects: true }, t.as("second"));
    const set = { kind: "PLUGIN_SET", subject, amount: undefined };
    expect(shown.approval!.effects).toEqual([
      { ...set, change: { field: "configuration.timeoutMs", before: "", after: "3000", currency: "" } },
      { ...set, change: { field: "configuration.url", before: "", after: "https://payouts.example", currency: "" } },
      { ...set, change: { field: "name", before: "", after: "Lagos payouts", currency: "" } },
    ]);
    const older = { approvalId, approve: true, reason: "seen", digest: "0" };
    await expect(identity.rpc.gateway.resolveApproval(older, t.as("second"))).rejects.toEqual(
      refused("APPROVAL_CHANGED"),
    );
    await t.decide(approvalId, true);
    expect(await t.settled(installationId)).toMatchObject({ status: "ENABLED" });
    // A replay answers as it did; enabling what is enabled changes nothing.
    expect((await gateway.enablePlugin(request, t.as())).plugin).toEqual(waiting);
    expect((await gateway.enablePlugin(t.asked(installationId), t.as())).plugin).toMatchObject({ status: "ENABLED" });
    expect((await t.changesOf(installationId)).map(({ action }) => action)).toEqual([
      "plugin.enable",
      "plugin.enable.ask",
      "plugin.test",
      "plugin.create",
    ]);
  });

  test("is not enabled before it is ready: the missing secret and the test are named", async () => {
    const t = await pluginOffice(identity);
    const draft = await t.create({ secrets: { apiKey } });
    const enable = () => gateway.enablePlugin(t.asked(draft.installationId), t.as());
    await expect(enable()).rejects.toMatchObject(lacks("secrets.callbackSecret", "test"));
    await t.noteTest(draft);
    await expect(enable()).rejects.toMatchObject(lacks("secrets.callbackSecret"));
  });

  test("needs a passed test of what it is now, younger than 30 days", async () => {
    const t = await pluginOffice(identity);
    const plugin = await t.create();
    const { installationId } = plugin;
    const enable = () => gateway.enablePlugin(t.asked(installationId), t.as());
    const why = async () => ((await enable().catch((reason: unknown) => reason)) as Error).message;
    expect(await t.noteTest(plugin, false)).toMatchObject({ status: "DRAFT" });
    expect(await why()).toContain("the last one has failed");
    await t.noteTest(plugin);
    const change = { ...t.asked(installationId), configurationJson: moved };
    const { plugin: changed } = await gateway.changePlugin(change, t.as());
    expect(changed).toMatchObject({ status: "DRAFT", revision: 2n });
    expect(await why()).toContain("of an earlier configuration");
    // What was tested is not what there is: the report is kept and changes no status.
    expect(await t.noteTest({ ...changed!, revision: 1n })).toMatchObject({
      status: "DRAFT",
      lastTest: { revision: 1n },
    });
    await t.noteTest(changed!);
    await t.passDays(31);
    expect(await why()).toContain("older than 30 days");
  });

  test("takes other routes, configuration and secrets from a second manager; none before that", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.enabled();
    const change = {
      ...t.asked(installationId),
      configurationJson: moved,
      routes: { routes: [route({ priority: 7 })] },
    };
    // What was handed over there would be paid again elsewhere.
    const elsewhere = { ...t.asked(installationId), configurationJson: '{"url":"https://other.example"}' };
    await expect(gateway.changePlugin(elsewhere, t.as())).rejects.toEqual(refused("INVALID_INPUT"));
    const { plugin: waiting } = await gateway.changePlugin(change, t.as());
    expect(waiting).toMatchObject({ status: "ENABLED", revision: 1n, routes: [route()] });
    // For whoever looks which corridors they leave to nobody.
    const pendingRoutes = async () => (await gateway.getPlugin({ installationId }, t.as())).pendingRoutes;
    expect(await pendingRoutes()).toEqual(change.routes);
    const { approvals } = await identity.rpc.gateway.listApprovals({ subject: `plugin:${installationId}` }, t.as());
    expect(approvals[0]!.summary).toBe(
      'Change the payout partner "Lagos payouts": timeoutMs 2000; routes any any - NGA NGN any (7)',
    );
    await t.decide(waiting!.pendingApprovalId, true);
    const after = await t.settled(installationId);
    expect(after).toMatchObject({ status: "ENABLED", revision: 2n, routes: [route({ priority: 7 })] });
    expect(after.configurationJson).toBe(moved);
    const rotate = { ...t.asked(installationId), secrets: { apiKey: `${apiKey}-2` } };
    const { plugin: requested } = await gateway.rotatePluginSecret(rotate, t.as());
    expect(await pendingRoutes()).toBeUndefined();
    const resolve = async () =>
      (await remittance.resolvePlugins({ kinds: ["PAYOUT"] }, t.alone())).plugins[0]!.secrets["apiKey"];
    expect(await resolve()).toBe(apiKey);
    await t.decide(requested!.pendingApprovalId, true);
    await t.settled(installationId);
    expect(await resolve()).toBe(`${apiKey}-2`);
    expect((await t.changesOf(installationId)).slice(0, 4).map(({ action, detail }) => [action, detail])).toEqual([
      ["plugin.rotate-secret", "secrets.apiKey"],
      ["plugin.rotate-secret.ask", "secrets.apiKey"],
      ["plugin.change", "configuration.timeoutMs, routes"],
      ["plugin.change.ask", "configuration.timeoutMs, routes"],
    ]);
  });

  test("keeps what it has where the second manager refuses, or nobody decides; then it may be asked again", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.enabled();
    const ask = async () => {
      const change = { ...t.asked(installationId), configurationJson: moved };
      return (await gateway.changePlugin(change, t.as())).plugin!;
    };
    await t.decide((await ask()).pendingApprovalId, false);
    expect(await t.settled(installationId)).toMatchObject({ status: "ENABLED", revision: 1n });
    await ask();
    await t.passDays(8);
    expect(await t.settled(installationId)).toMatchObject({ status: "ENABLED", revision: 1n });
    const ends = (await t.changesOf(installationId)).map(({ action }) => action);
    expect(ends.slice(0, 4)).toEqual([
      "plugin.change.expire",
      "plugin.change.ask",
      "plugin.change.refuse",
      "plugin.change.ask",
    ]);
  });

  test("takes one change at a time: another is a conflict, while pausing is always possible", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.enabled();
    const change = () => ({ ...t.asked(installationId), configurationJson: moved });
    const { plugin: waiting } = await gateway.changePlugin(change(), t.as());
    const rotate = { ...t.asked(installationId), secrets: { apiKey: `${apiKey}-2` } };
    await expect(gateway.changePlugin(change(), t.as("second"))).rejects.toEqual(refused("STATE_CONFLICT"));
    await expect(gateway.rotatePluginSecret(rotate, t.as())).rejects.toEqual(refused("STATE_CONFLICT"));
    const pause = t.asked(installationId);
    expect((await gateway.pausePlugin(pause, t.as())).plugin).toMatchObject({ status: "PAUSED" });
    expect((await gateway.pausePlugin(t.asked(installationId), t.as())).plugin).toMatchObject({ status: "PAUSED" });
    await t.decide(waiting!.pendingApprovalId, true);
    expect(await t.settled(installationId)).toMatchObject({ status: "PAUSED", revision: 2n });
    // Changed since its test: enabling it again needs another one.
    await expect(gateway.enablePlugin(t.asked(installationId), t.as())).rejects.toMatchObject(lacks("test"));
  });

  test("that is to be told who pays is paused until it has passed a test of that", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.enabled();
    const configurationJson = '{"url":"https://payouts.example","contract":2}';
    const change = { ...t.asked(installationId), configurationJson };
    const { plugin: waiting } = await gateway.changePlugin(change, t.as());
    expect(waiting).toMatchObject({ status: "ENABLED" });
    await t.decide(waiting!.pendingApprovalId, true);
    const changed = await t.settled(installationId);
    expect(changed).toMatchObject({ status: "PAUSED", revision: 2n });
    const enable = () => gateway.enablePlugin(t.asked(installationId), t.as());
    await expect(enable()).rejects.toMatchObject(lacks("test"));
    await t.noteTest(changed!);
    const { plugin: tested } = await enable();
    await t.decide(tested!.pendingApprovalId, true);
    expect(await t.settled(installationId)).toMatchObject({ status: "ENABLED", revision: 2n });
  });

  test("is removing until its owner says that nothing is under way there, and forgets its secrets then", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.enabled();
    await gateway.changePlugin({ ...t.asked(installationId), configurationJson: moved }, t.as());
    const { plugin } = await gateway.removePlugin(t.asked(installationId), t.as());
    expect(plugin).toMatchObject({ status: "REMOVING", pendingApprovalId: "" });
    const { approvals } = await identity.rpc.gateway.listApprovals({ status: "PENDING" }, t.as("second"));
    expect(approvals).toEqual([]);
    await expect(gateway.enablePlugin(t.asked(installationId), t.as())).rejects.toEqual(refused("STATE_CONFLICT"));
    await expect(events.releasePlugin({ installationId }, t.alone())).rejects.toEqual(refused("FORBIDDEN"));
    await remittance.releasePlugin({ installationId }, t.alone());
    await remittance.releasePlugin({ installationId }, t.alone());
    expect(await t.read(installationId)).toMatchObject({ status: "REMOVED", secrets: [] });
    await expect(gateway.findPlugin({ installationId }, { ...t.alone(), tenantId: "" })).rejects.toEqual(
      refused("NOT_FOUND"),
    );
    expect((await t.changesOf(installationId)).slice(0, 2).map(({ action }) => action)).toEqual([
      "plugin.release",
      "plugin.remove",
    ]);
  });

  test("that was never enabled is removed at once", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.create();
    const { plugin } = await gateway.removePlugin(t.asked(installationId), t.as());
    expect(plugin).toMatchObject({ status: "REMOVED", secrets: [] });
    await expect(remittance.releasePlugin({ installationId }, t.alone())).resolves.toEqual({});
  });

  test("approved too late, when its test is too old, stays as it was, and its changes say why", async () => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.noteTest(await t.create());
    await t.passDays(29);
    const { plugin } = await gateway.enablePlugin(t.asked(installationId), t.as());
    await t.passDays(2);
    await t.decide(plugin!.pendingApprovalId, true);
    expect(await t.settled(installationId)).toMatchObject({ status: "TESTED" });
    const [last] = await t.changesOf(installationId);
    expect(last).toMatchObject({ action: "plugin.enable.fail", detail: "test: the last one is older than 30 days" });
  });
});

const mailServer = { type: "smtp", configurationJson: '{"host":"payouts.example","port":25,"from":"a@bank.example"}' };
const identities = {
  type: "identity-http",
  configurationJson: '{"url":"https://payouts.example"}',
  secrets: { apiKey },
};
const contacts = { ...identities, type: "contact-http" };
const payees = { ...identities, type: "payee-http" };
const list = { type: "screening-un", configurationJson: '{"url":"https://other.example/un.xml"}' };

test.each([
  ["EMAIL", mailServer, "events", { configurationJson: mailServer.configurationJson.replace("25", "26") }],
  ["SMS", smsDraft, "events", { configurationJson: smsDraft.configurationJson.replace("{{text}}", "now: {{text}}") }],
  ["CONTACT_VERIFICATION", contacts, "compliance", { configurationJson: moved }],
  ["IDENTITY_CHECK", identities, "compliance", { configurationJson: moved }],
  ["PAYEE_CHECK", payees, "remittance", { configurationJson: moved }],
  ["SCREENING_LIST", list, "compliance", { configurationJson: '{"url":"https://payouts.example/list.xml"}' }],
] as const)(
  "a partner of kind %s takes two managers as money does, and whoever is a manager is told",
  async (kind, draft, owner, moves) => {
    const t = await pluginOffice(identity);
    const { installationId } = await t.noteTest(
      await t.create({ name: "Theirs", secrets: {}, ...draft }),
      true,
      identity.plugins[owner],
    );
    const { plugin } = await gateway.enablePlugin(t.asked(installationId), t.as());
    expect(plugin).toMatchObject({ kind, status: "TESTED", pendingApprovalId: expect.stringMatching(/./) as string });
    const own = { approvalId: plugin!.pendingApprovalId, approve: true, reason: "me" };
    await expect(identity.rpc.gateway.resolveApproval(own, t.as())).rejects.toEqual(refused("FORBIDDEN"));
    await t.decide(plugin!.pendingApprovalId, true);
    expect(await t.settled(installationId)).toMatchObject({ status: "ENABLED" });
    const { plugin: requested } = await gateway.changePlugin({ ...t.asked(installationId), ...moves }, t.as());
    expect(requested).toMatchObject({ status: "ENABLED", revision: 1n });
    await t.decide(requested!.pendingApprovalId, true);
    expect(await t.settled(installationId)).toMatchObject({
      revision: 2n,
      configurationJson: expect.any(String) as string,
    });
    const messages = (word: string) =>
      identity.sent
        .filter(({ account, text }) => account === t.tenantId && text.includes(`have decided: ${word} the`))
        .map(({ to }) => to)
        .toSorted();
    // Each approval is told of by a row of its own, in no order.
    await waitFor(() => messages("Enable").length === 2 && messages("Change").length === 2);
    expect([messages("Enable"), messages("Change")]).toEqual(Array(2).fill(["manager@x.example", "second@x.example"]));
    // Pausing and a name take one: they hand nobody anything.
    const rename = { ...t.asked(installationId), name: "Ours" };
    expect((await gateway.changePlugin(rename, t.as())).plugin).toMatchObject({ name: "Ours", pendingApprovalId: "" });
    expect((await gateway.pausePlugin(t.asked(installationId), t.as())).plugin).toMatchObject({ status: "PAUSED" });
  },
);

test("a change of what was read earlier is a conflict; what changes nothing leaves no trace", async () => {
  const t = await pluginOffice(identity);
  const { installationId, configurationJson } = await t.create();
  const change = (more: object) => gateway.changePlugin({ ...t.asked(installationId), ...more }, t.as());
  await change({ configurationJson: moved, revision: 1n });
  await expect(change({ configurationJson, revision: 1n })).rejects.toEqual(refused("STATE_CONFLICT"));
  await change({ configurationJson: moved });
  await change({});
  expect(await t.changesOf(installationId)).toHaveLength(2);
  // A name is no part of what is tested.
  await t.noteTest(await t.read(installationId));
  await change({ name: "Kano payouts" });
  await change({ routes: { routes: [route()] } });
  expect(await t.read(installationId)).toMatchObject({ status: "TESTED", name: "Kano payouts", revision: 3n });
});

test("changes at the same moment are made one after the other", async () => {
  const t = await pluginOffice(identity);
  const { installationId } = await t.create();
  await Promise.all([
    gateway.changePlugin({ ...t.asked(installationId), configurationJson: moved }, t.as()),
    gateway.changePlugin({ ...t.asked(installationId), routes: { routes: [route()] } }, t.as("second")),
    gateway.rotatePluginSecret({ ...t.asked(installationId), secrets: { apiKey: `${apiKey}-2` } }, t.as()),
  ]);
  expect(await t.read(installationId)).toMatchObject({ revision: 4n, configurationJson: moved, routes: [route()] });
  await waitFor(async () => (await t.changesOf(installationId)).length === 4);
});

test("secrets are rotated by their rules: a name of the type, a value that fits, at least one", async () => {
  const t = await pluginOffice(identity);
  const { installationId } = await t.create();
  for (const [secrets, path] of [
    [{}, "secrets"],
    [{ pin: "1234" }, "secrets.pin"],
    [{ apiKey: "short" }, "secrets.apiKey"],
    [{ apiKey: `${apiKey}\n` }, "secrets.apiKey"],
  ] as const) {
    const rotate = gateway.rotatePluginSecret({ ...t.asked(installationId), secrets }, t.as());
    await expect(rotate).rejects.toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  }
});
