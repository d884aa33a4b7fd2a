import { randomUUID } from "node:crypto";
import { startMailServer, startSilentServer, type MailServer } from "../../../test/support/mail-server.js";
import { waitFor } from "../../../test/support/index.js";
import type { Installation } from "../plugins/installations.js";
import type { Message } from "./message.js";
import { createSmtpSender, type SmtpSender } from "./smtp-sender.js";

const credentials = { username: "bank", password: "pa55 wörd" };
const sandbox = "bank--sandbox";
let server: MailServer;
let smtp: SmtpSender;
const closing: (() => unknown)[] = [];

/** A sender that trusts a server, and whose names lead nowhere private. */
function senderFor(ca: string | undefined, more: { timeoutMs?: number } = {}): SmtpSender {
  const sender = createSmtpSender({
    resolve: async (host) => (host === "inside.example" ? ["10.0.0.7"] : ["93.184.215.14"]),
    allowedOf: (tenantId) => (tenantId.endsWith("--sandbox") ? ["http://localhost:*"] : []),
    ...(ca !== undefined && { ca }),
    ...more,
  });
  closing.push(() => sender.close());
  return sender;
}

beforeAll(async () => {
  server = await startMailServer({
    credentials,
    refuse: (recipient) => {
      const [name] = recipient.split("@");
      return (
        {
          nobody: [550, "5.1.1 no such user"],
          full: [452, "4.2.2 mailbox full"],
          policy: [550, "5.7.1 relaying denied"],
          terse: [550, "no"],
        } as Record<string, [number, string]>
      )[name!];
    },
  });
  smtp = senderFor(server.ca);
});
afterEach(() => void (server.mails.length = 0));
afterAll(async () => {
  for (const close of closing) close();
  await server.close();
});

const installed = (configuration: object = {}, more: Partial<Installation> = {}): Installation => ({
  installationId: randomUUID(),
  type: "smtp",
  status: "ENABLED",
  configuration: {
    host: "localhost",
    port: server.port,
    security: "STARTTLS",
    from: "hello@bank.example",
    fromName: "Bank, Ltd.",
    username: credentials.username,
    ...configuration,
  },
  secrets: { password: credentials.password },
  name: "Ours",
  missingSecrets: [],
  routes: [],
  revision: 1,
  ...more,
});
const mail = (more: Partial<Message> = {}): Message => ({
  reference: "event-1-EMAIL",
  channel: "EMAIL",
  to: "ada@x.example",
  subject: "Your money has arrived",
  text: "Hello Ada",
  ...more,
});
const by = (installation: Installation, tenantId = sandbox) => ({ tenantId, installation });

test("a mail is signed in and encrypted, from the sender, to one recipient, with one Message-ID at every try", async () => {
  const own = installed();
  expect(await smtp.send(mail({ html: "<p>Hello</p>" }), by(own))).toEqual({ outcome: "OK", status: 250, why: "" });
  expect(await smtp.send(mail(), by(own))).toMatchObject({ outcome: "OK" });
  const [first, second] = server.mails;
  expect(first).toMatchObject({ from: "hello@bank.example", to: ["ada@x.example"], user: "bank", isEncrypted: true });
  expect(first!.raw).toContain('From: "Bank, Ltd." <hello@bank.example>');
  for (const one of [first, second]) expect(one!.raw).toContain("Message-ID: <event-1-EMAIL@bank.example>");
});

test("a line break in a subject makes no header", async () => {
  await smtp.send(mail({ subject: "Hi\r\nBcc: eve@x.example" }), by(installed()));
  expect(server.mails).toMatchObject([{ to: ["ada@x.example"] }]);
  expect(server.mails[0]!.raw).not.toMatch(/^Bcc:/im);
});

test.each([
  "ada@x.example,eve@x.example",
  "ada@x.example>\r\nRCPT TO:<eve@x.example",
  "Ada <eve@x.example>",
  "friends:eve@x.example;",
  "ada",
  "",
])("what is not one address is refused: %j", async (to) => {
  expect(await smtp.send(mail({ to }), by(installed()))).toMatchObject({ outcome: "REFUSED", status: 0 });
  expect(server.mails).toEqual([]);
});

test.each([
  ["nobody", "REFUSED", 550],
  ["terse", "REFUSED", 550],
  // They speak of the moment, and of us.
  ["full", "UNKNOWN", 452],
  ["policy", "UNKNOWN", 550],
] as const)("the recipient %s: %s", async (name, outcome, status) => {
  expect(await smtp.send(mail({ to: `${name}@x.example` }), by(installed()))).toMatchObject({ outcome, status });
});

describe("connections", () => {
  test("are kept between mails, and closed once the installation has changed", async () => {
    const own = installed();
    const before = server.state.connections;
    for (let sent = 0; sent < 3; sent++) await smtp.send(mail(), by(own));
    expect(server.state.connections).toBe(before + 1);
    const { open } = server.state;
    await smtp.send(mail(), by({ ...own, revision: 2 }));
    expect(server.state.connections).toBe(before + 2);
    await waitFor(() => server.state.open === open);
    // Who still has the earlier one sends by what it has become.
    await smtp.send(mail(), by(own));
    expect(server.state.connections).toBe(before + 2);
  });

  test("are nobody else's: two tenants with one installation's id have one each", async () => {
    const own = installed();
    const other = installed({ from: "hello@other.example" }, { installationId: own.installationId });
    await smtp.send(mail(), by(own));
    await smtp.send(mail(), by(other, "other--sandbox"));
    expect(server.mails.map(({ from }) => from)).toEqual(["hello@bank.example", "hello@other.example"]);
  });
});

describe("nothing is sent", () => {
  const outcomeOf = async (installation: Installation, tenantId = sandbox, sender = smtp) => {
    const sent = await sender.send(mail(), by(installation, tenantId));
    expect(server.mails).toEqual([]);
    return sent;
  };

  test("with a wrong password, and what the server says of it is not repeated", async () => {
    const sent = await outcomeOf(installed({}, { secrets: { password: "another-secret" } }));
    expect(sent).toMatchObject({ outcome: "UNKNOWN", status: 535 });
    expect(JSON.stringify(sent)).not.toContain("another-secret");
  });

  test("to a server that nobody vouches for", async () => {
    const stranger = senderFor(undefined);
    expect(await outcomeOf(installed(), sandbox, stranger)).toMatchObject({ outcome: "UNKNOWN", status: 0 });
  });

  test("in plain text to a server without STARTTLS, and the password is not told", async () => {
    const plain = await startMailServer({ security: "NONE", credentials });
    const sent = await outcomeOf(installed({ port: plain.port }));
    expect(sent).toMatchObject({ outcome: "UNKNOWN" });
    expect(plain.mails).toEqual([]);
    expect((await smtp.send(mail(), by(installed({ port: plain.port, security: "NONE" })))).outcome).toBe("OK");
    expect(plain.mails).toHaveLength(1);
    await plain.close();
  });

  test("by a live tenant in plain text, or to an address that is not public", async () => {
    const inside = "the address is not public";
    const none = await outcomeOf(installed({ security: "NONE" }), "bank");
    expect(none).toMatchObject({ outcome: "UNKNOWN", why: "a live tenant's mails are encrypted" });
    expect(await outcomeOf(installed({ host: "127.0.0.1" }), "bank")).toMatchObject({ why: inside });
    expect(await outcomeOf(installed({ host: "::1" }), "bank")).toMatchObject({ why: inside });
    expect(await outcomeOf(installed({ host: "inside.example" }), "bank")).toMatchObject({ why: inside });
    expect(await outcomeOf(installed({ host: "169.254.169.254" }))).toMatchObject({ why: inside });
  });
});

test("a server that hangs is given up in time, and tried again later", async () => {
  const silent = await startSilentServer();
  const impatient = senderFor(server.ca, { timeoutMs: 200 });
  const sent = await impatient.send(mail(), by(installed({ port: silent.port })));
  expect(sent).toEqual({ outcome: "UNKNOWN", status: 0, why: "no answer within 200 ms" });
  await silent.close();
});

test("TLS from the first byte", async () => {
  const tls = await startMailServer({ security: "TLS", credentials });
  const sender = senderFor(tls.ca);
  expect(await sender.send(mail(), by(installed({ port: tls.port, security: "TLS" })))).toMatchObject({
    outcome: "OK",
  });
  expect(tls.mails).toMatchObject([{ isEncrypted: true }]);
  sender.close();
  await tls.close();
});
