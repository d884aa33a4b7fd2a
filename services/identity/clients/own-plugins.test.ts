import { pluginOffice, startPluginIdentity, type PluginIdentity } from "../../../test/support/plugin-office.js";
import { waitFor } from "../../../test/support/index.js";
import { startMailServer, type MailServer } from "../../../test/support/mail-server.js";

let identity: PluginIdentity;
let mail: MailServer;
beforeAll(async () => {
  identity = await startPluginIdentity();
  mail = await startMailServer({ security: "NONE" });
});
afterAll(async () => {
  await identity.stop();
  await mail.close();
});

const draft = (port: number) => ({
  type: "smtp",
  name: "Our mail",
  configurationJson: JSON.stringify({ host: "127.0.0.1", port, security: "NONE", from: "hello@bank.example" }),
  secrets: {},
});

test("identity's own mails go by the tenant's mail server while it is enabled, and its calls are noted", async () => {
  const office = await pluginOffice(identity, { sandbox: true });
  const { events } = identity.plugins;
  const reset = () => identity.rpc.gateway.requestPasswordReset({ email: "manager@x.example" }, office.alone());
  const sentByOperator = () => identity.sent.filter(({ account }) => account === office.tenantId).length;

  const plugin = await office.enable(await office.noteTest(await office.create(draft(mail.port)), true, events));
  expect(plugin.status).toBe("ENABLED");
  const before = sentByOperator();
  await reset();
  await waitFor(() => mail.mails.length === 1);
  expect(mail.mails[0]).toMatchObject({ from: "hello@bank.example", to: ["manager@x.example"] });
  expect(sentByOperator()).toBe(before);
  const health = await waitFor(async () => {
    const read = await office.read(plugin.installationId);
    return read.health?.calls === 1 ? read.health : undefined;
  });
  expect(health).toMatchObject({ calls: 1, errors: 0, breaker: "CLOSED" });

  await identity.plugins.gateway.pausePlugin(office.asked(plugin.installationId), office.as());
  await reset();
  await waitFor(() => sentByOperator() === before + 1);
  expect(mail.mails).toHaveLength(1);
});
