import { randomBytes } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { startPartner } from "./server.js";

const secret = `whsec_${randomBytes(24).toString("base64")}`;
let config: Parameters<typeof startPartner>[0];
let partner: Awaited<ReturnType<typeof startPartner>>;

beforeEach(async () => {
  const booksFile = join(await mkdtemp(join(tmpdir(), "partner-")), "books.db");
  const callbackSecret = `whsec_${Buffer.from("a secret of the sandbox").toString("base64")}`;
  config = { host: "127.0.0.1", port: 0, booksFile, apiKey: "k", callbackSecret, settleMs: 20, windowMs: 1_000 };
  partner = await startPartner(config);
});
afterEach(() => partner.stop());

async function send(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const init = { method, headers, ...(body !== undefined && { body }) };
  const response = await fetch(`http://127.0.0.1:${partner.port}${path}`, init);
  const text = await response.text();
  return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as { events: unknown[] } };
}

const tell = (event: object & { id: string; sequence: number }, by = secret) => {
  const body = JSON.stringify(event);
  const now = new Date();
  return send("POST", "/webhooks/shop", body, {
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": new Webhook(by).sign(event.id, now, body),
  });
};

const event = { id: "e-1", type: "transaction.paid", sequence: 2, subject: { type: "transaction", id: "t-1" } };

test("a receiver takes what its secret signed, each event once, and keeps it over a restart", async () => {
  await send("PUT", "/control/webhooks/shop", JSON.stringify({ secret }));
  expect((await tell(event)).status).toBe(204);
  expect((await tell(event)).status).toBe(204);
  expect((await tell({ ...event, id: "e-2", sequence: 3 })).status).toBe(204);
  await partner.stop();
  partner = await startPartner(config);
  const { body } = await send("GET", "/control/webhooks/shop");
  expect(body.events).toMatchObject([
    { event, times: 2 },
    { event: { id: "e-2", sequence: 3 }, times: 1 },
  ]);
});

test("another secret, changed bytes and a receiver without a secret are refused, and nothing is taken", async () => {
  expect((await tell(event)).status).toBe(404);
  await send("PUT", "/control/webhooks/shop", JSON.stringify({ secret }));
  expect((await tell(event, `whsec_${randomBytes(24).toString("base64")}`)).status).toBe(400);
  const signed = { "webhook-id": "e-1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" };
  expect((await send("POST", "/webhooks/shop", "{}", signed)).status).toBe(400);
  expect((await send("PUT", "/control/webhooks/shop", JSON.stringify({ secret: "short" }))).status).toBe(400);
  expect((await send("GET", "/control/webhooks/shop")).body.events).toEqual([]);
});
