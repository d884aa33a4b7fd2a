import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPartner } from "../../../deploy/partner/server.js";
import { createHttpNotifications, type Notification } from "./notifications.js";

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

const message: Notification = {
  account: "demo",
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

test("a message is in the inbox of its account once, however often it is sent", async () => {
  for (let each = 0; each < 3; each++) await connector().send(message);
  expect(await inbox("demo", "amina@x.example")).toMatchObject([
    { reference: "m-1", text: "Your code", channel: "EMAIL" },
  ]);
  expect(await inbox("demo", "kofi@x.example")).toEqual([]);
  expect(await inbox("acme")).toEqual([]);
});

test("a message goes nowhere else, wherever its connector points", async () => {
  const before = (await inbox("demo")).length;
  const elsewhere = createServer((_request, response) => {
    response.writeHead(307, { location: `${url}/v1/messages` }).end();
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
  const pointing = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const sent = connector({ live: { url: pointing, apiKey } }).send({ ...message, reference: "m-2" });
  await expect(sent).rejects.not.toMatchObject({ name: "Refusal" });
  expect(await inbox("demo")).toHaveLength(before);
  elsewhere.close();
});

test("what is refused for good is a Refusal, what may yet succeed is not", async () => {
  // An earlier try was taken: words that have changed since do not send it twice.
  await expect(connector().send({ ...message, text: "Another text" })).resolves.toBeUndefined();
  await expect(connector().send({ ...message, text: "" })).rejects.toMatchObject({ name: "Refusal" });
  const stranger = connector({ live: { url, apiKey: "somebody-elses-key" } }).send({ ...message, reference: "m-2" });
  await expect(stranger).rejects.toThrow("answered 401");
  const away = connector({ live: { url: "http://127.0.0.1:1", apiKey } }).send(message);
  await expect(away).rejects.not.toMatchObject({ name: "Refusal" });
});

test("a sandbox's message never goes to the live connector", async () => {
  const sandbox = { ...message, account: "demo--sandbox" };
  await expect(connector().send(sandbox)).rejects.toThrow("no notification connector is set up for sandbox tenants");
  await connector({ live: undefined, sandbox: { url, apiKey } }).send(sandbox);
  expect(await inbox("demo--sandbox")).toHaveLength(1);
});
