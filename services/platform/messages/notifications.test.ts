import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { startPartner } from "../../../deploy/partner/server.js";
import type { Refusal } from "../../kernel/refusal.js";
import type { Message } from "./message.js";
import { createHttpNotifications, isRefusedForGood } from "./notifications.js";

const apiKey = "test-key-of-the-sandbox";
let folder: string;
let partner: Awaited<ReturnType<typeof startPartner>>;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "messages-"));
  const callbackSecret = `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`;
  const booksFile = join(folder, "books.db");
  partner = await startPartner({
    host: "127.0.0.1",
    port: 0,
    booksFile,
    apiKey,
    callbackSecret,
    settleMs: 20,
    windowMs: 1_000,
  });
  url = `http://127.0.0.1:${partner.port}`;
});
afterAll(async () => {
  await partner.stop();
  await rm(folder, { recursive: true });
});

const message: Message = {
  reference: "m-1",
  channel: "EMAIL",
  to: "amina@x.example",
  subject: "Hello",
  text: "Your code",
};
const connector = (given: Partial<Parameters<typeof createHttpNotifications>[0]> = {}) =>
  createHttpNotifications({ live: { url, apiKey }, ...given });

async function inbox(account: string, to = "") {
  const response = await fetch(`${url}/control/inbox?account=${account}&to=${encodeURIComponent(to)}`);
  return ((await response.json()) as { messages: Record<string, string>[] }).messages;
}

/** A connector that answers so; what it was asked. */
async function answering(status: number, headers: Record<string, string> = {}) {
  const requested: object[] = [];
  const server = createServer(async (request, response) => {
    const { "x-account": account, authorization } = request.headers;
    requested.push({ path: request.url, account, authorization, body: JSON.parse(await textOf(request)) as unknown });
    response.writeHead(status, headers).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const live = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey };
  return { requested, notifications: connector({ live }), close: () => server.close() };
}

test("a message is in the inbox of its account once, however often it is sent", async () => {
  for (let each = 0; each < 3; each++) await connector().send("demo", message);
  expect(await inbox("demo", "amina@x.example")).toMatchObject([
    { reference: "m-1", text: "Your code", channel: "EMAIL" },
  ]);
  expect(await inbox("demo", "kofi@x.example")).toEqual([]);
  expect(await inbox("acme")).toEqual([]);
  // An earlier try was taken: words that have changed since do not send it twice.
  await expect(connector().send("demo", { ...message, text: "Another text" })).resolves.toBeUndefined();
  await expect(connector().send("demo", { ...message, text: "" })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
  const stranger = connector({ live: { url, apiKey: "somebody-elses-key" } });
  await expect(stranger.send("demo", { ...message, reference: "m-2" })).rejects.toThrow("answered 401");
});

test("a message goes nowhere else, wherever its connector points", async () => {
  const before = (await inbox("demo")).length;
  const elsewhere = await answering(307, { location: `${url}/v1/messages` });
  const sent = elsewhere.notifications.send("demo", { ...message, reference: "m-2" });
  await expect(sent).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await inbox("demo")).toHaveLength(before);
  elsewhere.close();
});

test.each([
  [202, "TAKEN"],
  [409, "TAKEN"],
  [400, "REFUSED"],
  [410, "REFUSED"],
  [413, "REFUSED"],
  [422, "REFUSED"],
  // Neither says anything of the message: the address, the method or the key may be put right.
  [401, "UNAVAILABLE"],
  [403, "UNAVAILABLE"],
  [404, "UNAVAILABLE"],
  [405, "UNAVAILABLE"],
  [429, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
] as const)("a connector that answers %d: %s", async (status, what) => {
  const { requested, notifications, close } = await answering(status);
  const outcome = await notifications.send("bank", message).then(
    () => "TAKEN",
    (error: unknown) => (isRefusedForGood(error) ? "REFUSED" : (error as Refusal).code),
  );
  const call = { path: "/v1/messages", account: "bank", authorization: `Bearer ${apiKey}`, body: message };
  expect([outcome, requested]).toEqual([what, [call]]);
  close();
});

test("a connector that is away, and a tenant without one, are waited for", async () => {
  const away = connector({ live: { url: "http://127.0.0.1:1", apiKey } }).send("demo", message);
  await expect(away).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const nobody = connector({ live: undefined }).send("demo", message);
  await expect(nobody).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("a sandbox's message never goes to the live connector", async () => {
  await expect(connector().send("demo--sandbox", message)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await connector({ live: undefined, sandbox: { url, apiKey } }).send("demo--sandbox", message);
  expect(await inbox("demo--sandbox")).toHaveLength(1);
});
