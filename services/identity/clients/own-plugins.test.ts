import { pluginOffice, startPluginIdentity, type PluginIdentity } from "../../../test/support/plugin-office.js";
import { registration } from "../../../test/support/identity-drafts.js";
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

test("staff's mails go by the tenant's server a day after two managers enabled it, and customers' at once", async () => {
  const office = await pluginOffice(identity, { sandbox: true });
  const { events, gateway } = identity.plugins;
  const reset = (email: string) => identity.rpc.gateway.requestPasswordReset({ email }, office.alone());
  const operatorSent = (to: string, word: RegExp) =>
    identity.sent.filter((one) => one.account === office.tenantId && one.to === to && word.test(one.subject ?? ""));
  const ownSent = (to: string) => mail.mails.filter((one) => one.to.includes(to) && /password/i.test(one.raw));

  const plugin = await office.enable(await office.noteTest(await office.create(draft(mail.port)), true, events));
  // All managers are told by the way that counted before.
  for (const told of ["second@x.example", "manager@x.example"])
    await waitFor(() => operatorSent(told, /partner was changed/).length === 1);
  await reset("manager@x.example");
  await waitFor(() => operatorSent("manager@x.example", /password/).length === 1);
  expect(ownSent("manager@x.example")).toEqual([]);
  const person = registration("amina");
  await identity.rpc.operator.registerCustomer(person, office.alone());
  await reset(person.email);
  await waitFor(() => ownSent(person.email).length === 1);
  // Noted before the day passes, or it would count for the next one.
  await waitFor(async () => (await office.read(plugin.installationId)).health?.calls === 1);

  await office.passDays(1);
  await reset("manager@x.example");
  await waitFor(() => ownSent("manager@x.example").length === 1);
  const health = await waitFor(async () => {
    const read = await office.read(plugin.installationId);
    return read.health?.calls === 1 ? read.health : undefined;
  });
  expect(health).toMatchObject({ calls: 1, errors: 0, breaker: "CLOSED" });

  // Turned to another server, staff's go to the one before, for a day.
  const elsewhere = await startMailServer({ security: "NONE" });
  const turn = { ...office.asked(plugin.installationId), configurationJson: draft(elsewhere.port).configurationJson };
  const { plugin: waiting } = await gateway.changePlugin(turn, office.as());
  await office.decide(waiting!.pendingApprovalId, true);
  expect(await office.settled(plugin.installationId)).toMatchObject({ status: "ENABLED", revision: 2n });
  await reset("second@x.example");
  await waitFor(() => ownSent("second@x.example").length === 1);
  expect(elsewhere.mails).toEqual([]);
  await office.passDays(1);
  await waitFor(async () => {
    const stored = await identity.db.collection("plugins").findOne({ _id: plugin.installationId as never });
    return stored!["former"] === undefined;
  });
  await reset("second@x.example");
  await waitFor(() => elsewhere.mails.length === 1);

  await gateway.pausePlugin(office.asked(plugin.installationId), office.as());
  await reset(person.email);
  await waitFor(() => operatorSent(person.email, /password/).length === 1);

  // As it was, it goes on at once: these staff may have no other server.
  const resume = async () =>
    office.enable(await office.noteTest(await office.read(plugin.installationId), true, events));
  const resetsElsewhere = (to: string) =>
    elsewhere.mails.filter((one) => one.to.includes(to) && /new password/i.test(one.raw));
  await resume();
  await reset("manager@x.example");
  await waitFor(() => resetsElsewhere("manager@x.example").length === 1);

  // What was turned and paused within the day does not become the way by that.
  const { configurationJson } = draft(mail.port);
  const { plugin: turned } = await gateway.changePlugin(
    { ...office.asked(plugin.installationId), configurationJson },
    office.as(),
  );
  await office.decide(turned!.pendingApprovalId, true);
  await office.settled(plugin.installationId);
  await gateway.pausePlugin(office.asked(plugin.installationId), office.as());
  await resume();
  await reset("manager@x.example");
  await waitFor(() => resetsElsewhere("manager@x.example").length === 2);
  await elsewhere.close();
});
