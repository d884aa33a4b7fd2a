import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Plugin, PluginTest, NotedPluginCalls, ResolvedPlugin } from "../../../proto/gen/identity/v1/plugins.js";
import { asManager, createEventsWorld, on, sandboxTenant, newEvent } from "../../../test/support/events-fixture.js";
import type { EventsWorld } from "../../../test/support/events-fixture.js";
import { testTenant, waitFor } from "../../../test/support/index.js";
import { startMailServer, startSilentServer, type MailServer } from "../../../test/support/mail-server.js";
import { Refusal } from "../../kernel/refusal.js";

const credentials = { username: "bank", password: "a-secret-of-the-bank" };
const refused = "full@x.example";
let mail: MailServer;
let world: EventsWorld;
/** What identity says is installed, by tenant. */
const installed = new Map<string, ResolvedPlugin[]>();
const tests: { installationId: string; test: PluginTest }[] = [];
const calls: (NotedPluginCalls & { tenantId: string })[] = [];
let isAway = false;
let requestedInVain = 0;
const texts: string[] = [];
const service = createServer((request, response) => {
  request.on("data", (chunk: Buffer) => void texts.push(chunk.toString()));
  request.on("end", () => response.writeHead(202).end());
});

beforeAll(async () => {
  await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
  mail = await startMailServer({
    credentials,
    refuse: (to) => (to === refused ? [550, "5.1.1 no such user"] : undefined),
  });
  world = await createEventsWorld("plugins", {
    mailCa: mail.ca,
    plugins: {
      async resolvePlugins({ installationId }, { tenantId }) {
        if (isAway) {
          requestedInVain += 1;
          throw new Refusal("UNAVAILABLE", "identity is away");
        }
        const all = installed.get(tenantId) ?? [];
        return { plugins: installationId === "" ? all : all.filter((one) => one.installationId === installationId) };
      },
      async notePluginTest({ installationId, test }) {
        tests.push({ installationId, test: test! });
        return { plugin: { installationId, lastTest: test } as Plugin };
      },
      async notePluginCalls({ noted }, { tenantId }) {
        calls.push(...noted.map((one) => ({ ...one, tenantId })));
        return {};
      },
    },
  });
});
afterAll(async () => {
  await world.close();
  await mail.close();
  await new Promise((closed) => service.close(closed));
});

function install(tenantId: string, type: "smtp" | "http-sms", configuration: object, change: object = {}) {
  const one: ResolvedPlugin = {
    installationId: randomUUID(),
    name: "Ours",
    type,
    kind: type === "smtp" ? "EMAIL" : "SMS",
    status: "ENABLED",
    configurationJson: JSON.stringify(configuration),
    secrets: type === "smtp" ? { password: credentials.password } : {},
    missingSecrets: [],
    routes: [],
    revision: 1n,
    ...change,
  };
  installed.set(tenantId, [...(installed.get(tenantId) ?? []), one]);
  return one;
}
const byMail = (from: string, more: object = {}) => ({
  host: "localhost",
  port: mail.port,
  security: "STARTTLS",
  from,
  username: credentials.username,
  ...more,
});
const bySms = (more: object = {}) => ({
  url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/`,
  method: "POST",
  contentType: "application/json",
  body: '{"to":"{{to}}","text":"{{text}}"}',
  ...more,
});

/** Tells a customer of a transfer. */
async function tell(tenantId: string, contact: object = {}, channel = "EMAIL") {
  const customerId = randomUUID();
  const email = `${customerId}@x.example`;
  const person = {
    customerId,
    firstName: "Ada",
    email,
    phoneNumber: "+15550100",
    preference: { channel, language: "" },
  };
  world.contacts.set(customerId, { ...person, ...contact });
  const data = { transactionCode: "T-1", amount: "1.00", receivingCurrency: "USD", recipient: { name: "Chidi" } };
  const event = newEvent(randomUUID(), { type: "transaction.completed", customerId, dataJson: JSON.stringify(data) });
  await world.remittance[0]!.publishEvents({ events: [event] }, on(tenantId));
  return email;
}
const sentByOperator = (to: string) => world.sent.some((one) => one.to === to);

describe("a message", () => {
  test("goes by its own tenant's installation and by nobody else's; without one by the operator's connector", async () => {
    const [one, other, none] = [sandboxTenant(), sandboxTenant(), sandboxTenant()];
    install(one, "smtp", byMail("hello@one.example"));
    install(other, "smtp", byMail("hello@other.example"));
    const [toOne, toOther, toNone] = await Promise.all([tell(one), tell(other), tell(none)]);
    await waitFor(() => mail.mails.length >= 2 && sentByOperator(toNone));
    const sent = mail.mails.map(({ from, to }) => [from, ...to]);
    expect(sent).toContainEqual(["hello@one.example", toOne]);
    expect(sent).toContainEqual(["hello@other.example", toOther]);
    expect(sent).toHaveLength(2);
    for (const to of [toOne, toOther]) expect(sentByOperator(to)).toBe(false);
  });

  test.each(["DRAFT", "TESTED", "PAUSED", "REMOVING"])(
    "goes by the operator's connector while one is %s",
    async (status) => {
      const tenantId = sandboxTenant();
      install(tenantId, "smtp", byMail("hello@bank.example"), { status });
      const to = await tell(tenantId);
      await waitFor(() => sentByOperator(to));
      expect(mail.mails.flatMap((one) => one.to)).not.toContain(to);
    },
  );

  test("goes by the installation of its own channel, the older one of two", async () => {
    const tenantId = sandboxTenant();
    install(tenantId, "http-sms", bySms());
    install(tenantId, "http-sms", bySms({ url: "http://127.0.0.1:1/" }));
    const to = await tell(tenantId, {}, "BOTH");
    await waitFor(() => texts.length > 0 && sentByOperator(to));
    expect(JSON.parse(texts[0]!)).toMatchObject({ to: "+15550100", text: expect.stringContaining("Chidi") });
    expect(world.sent.some((one) => one.tenantId === tenantId && one.channel === "SMS")).toBe(false);
  });

  test("waits while identity is away: it is not sent by somebody else's connector meanwhile", async () => {
    const tenantId = sandboxTenant();
    install(tenantId, "smtp", byMail("hello@bank.example"));
    isAway = true;
    const to = await tell(tenantId);
    await waitFor(() => requestedInVain > 0);
    isAway = false;
    await waitFor(() => mail.mails.some((one) => one.to.includes(to)));
    expect(sentByOperator(to)).toBe(false);
  });

  test("whose recipient the server refuses ends; its call is noted without what was in it", async () => {
    const tenantId = sandboxTenant();
    const { installationId } = install(tenantId, "smtp", byMail("hello@bank.example"));
    await tell(tenantId, { email: refused });
    const noted = await waitFor(() => calls.find((one) => one.installationId === installationId));
    expect(noted).toMatchObject({ tenantId, breaker: "CLOSED" });
    expect(noted.calls).toMatchObject([{ operation: "send", status: 550, outcome: "REFUSED" }]);
    expect(JSON.stringify(noted.calls)).not.toContain(refused);
    await waitFor(async () => {
      const rows = await world.db.db!.collection("outbox").find({ tenantId }).toArray();
      return rows.every(({ state }) => state === "DONE");
    });
  });
});

describe("a test", () => {
  const run = (tenantId: string, installationId: string) =>
    world.pluginOwners.testPlugin({ installationId }, asManager(tenantId));
  const checksOf = async (tenantId: string, { installationId }: ResolvedPlugin) => {
    const { plugin } = await run(tenantId, installationId);
    const { hasPassed, checks } = plugin!.lastTest!;
    return { hasPassed, ...Object.fromEntries(checks.map(({ name, result, detail }) => [name, detail || result])) };
  };
  const passed = {
    address: "PASSED",
    connection: "PASSED",
    encryption: "PASSED",
    "sign-in": "PASSED",
    sender: "PASSED",
    recipient: "PASSED",
    message: "PASSED",
  };

  test("of a mail server sends one mail to the sender's own address, and the report names the revision", async () => {
    const tenantId = sandboxTenant();
    const own = install(tenantId, "smtp", byMail("test@bank.example"), { status: "DRAFT", revision: 4n });
    expect(await checksOf(tenantId, own)).toEqual({ hasPassed: true, ...passed });
    expect(mail.mails.filter(({ from }) => from === "test@bank.example")).toMatchObject([
      { to: ["test@bank.example"] },
    ]);
    expect(tests.at(-1)).toMatchObject({ installationId: own.installationId, test: { revision: 4n } });
  });

  test.each([
    ["a wrong password", {}, { secrets: { password: "wrong-secret" } }, "sign-in", "AUTH PLAIN: 535"],
    ["a sender that gets no mail", { from: refused }, {}, "recipient", "the recipient was refused with 550"],
    ["no such port", { port: 1 }, {}, "connection", "no answer: ECONNREFUSED"],
    ["a private address", { host: "10.0.0.7" }, {}, "address", "the address is not public"],
    [
      "another encryption than the server has",
      { security: "TLS" },
      {},
      "encryption",
      "no answer: ERR_SSL_WRONG_VERSION_NUMBER",
    ],
  ])("of a mail server with %s fails where it fails", async (_what, more, change, step, detail) => {
    const tenantId = sandboxTenant();
    const found = await checksOf(tenantId, install(tenantId, "smtp", byMail("hello@bank.example", more), change));
    expect(found).toMatchObject({ hasPassed: false, [step]: detail });
    expect(JSON.stringify(found)).not.toContain("wrong-secret");
    const names = Object.keys(passed);
    const after = Object.fromEntries(
      names.slice(names.indexOf(step) + 1).map((name) => [name, `not reached: ${step} failed`]),
    );
    expect(found).toMatchObject(after);
  });

  test("of a text message service sends none", async () => {
    const tenantId = sandboxTenant();
    const before = texts.length;
    const good = { hasPassed: true, template: "PASSED", connection: "PASSED" };
    expect(await checksOf(tenantId, install(tenantId, "http-sms", bySms()))).toMatchObject(good);
    expect(texts).toHaveLength(before);
    const bad = install(tenantId, "http-sms", bySms({ url: "http://127.0.0.1:1/", body: "{{to}}" }));
    expect(await checksOf(tenantId, bad)).toMatchObject({
      hasPassed: false,
      template: "the body has no {{text}}; the body is not JSON once it is filled in",
      connection: "no connection: ECONNREFUSED",
    });
  });

  test("that is asked for twice at once runs once", async () => {
    const tenantId = sandboxTenant();
    const own = install(tenantId, "smtp", byMail("twice@bank.example"));
    await Promise.all([run(tenantId, own.installationId), run(tenantId, own.installationId)]);
    expect(mail.mails.filter(({ from }) => from === "twice@bank.example")).toHaveLength(1);
  });

  test("goes on when whoever asked has no more time", async () => {
    const silent = await startSilentServer();
    const tenantId = sandboxTenant();
    const { installationId } = install(tenantId, "smtp", byMail("hello@bank.example", { port: silent.port }));
    const requested = world.pluginOwners.testPlugin({ installationId }, { ...asManager(tenantId), timeoutMs: 300 });
    await expect(requested).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    await silent.close();
    await waitFor(() => tests.some((one) => one.installationId === installationId));
  });

  test("is refused of another tenant's, and to who is no manager", async () => {
    const { installationId } = install(sandboxTenant(), "smtp", byMail("hello@bank.example"));
    await expect(run(sandboxTenant(), installationId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const nobody = world.pluginOwners.testPlugin({ installationId }, on(testTenant()));
    await expect(nobody).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

test("there are no callbacks and no corridors", async () => {
  const request = { installationId: randomUUID(), headers: {}, body: new Uint8Array() };
  await expect(world.pluginOwners.receiveCallback(request, on(testTenant()))).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  const requested = { installationId: randomUUID(), routes: [] };
  expect(await world.pluginOwners.listUnservedCorridors(requested, asManager(testTenant()))).toEqual({ corridors: [] });
});

test("no secret is in a log", () => {
  expect(world.network.lines.length).toBeGreaterThan(0);
  for (const secret of [credentials.password, "wrong-secret"])
    expect(world.network.lines.join("\n")).not.toContain(secret);
});
