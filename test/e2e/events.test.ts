import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Webhook } from "standardwebhooks";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { startReceiver, type Receiver } from "../support/webhook-receiver.js";

jest.setTimeout(120_000);

const demo = readDemo();
const manager = demoUser(demo, "MANAGER");
const hooks = `${services}/admin/webhook-management`;
const keyed = () => ({ "x-idempotency-key": randomUUID() });

let staff: EdgeClient;
let receiver: Receiver;
beforeAll(async () => {
  staff = createEdgeClient(demo.baseUrl, "localhost", "/sandbox");
  await staff.login(manager);
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

async function endpointAt(url: string) {
  const body = { url, eventTypes: ["transaction.*"] };
  const made = await staff.send("POST", `${hooks}/endpoints`, { headers: keyed(), body });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  return { ...made.body.data.endpoint, secret: made.body.data.secret } as { endpointId: string; secret: string };
}
const sendTest = (endpointId: string) =>
  staff.send("POST", `${hooks}/endpoints/${endpointId}/send-test`, { headers: keyed() });

test("a test event arrives signed, and is read, listed and streamed", async () => {
  const { endpointId, secret } = await endpointAt(receiver.url("/e2e"));
  const sent = (await sendTest(endpointId)).body.data;
  const arrived = await waitFor(() => receiver.received.find(({ path }) => path === "/e2e"), { timeoutMs: 20_000 });
  expect(new Webhook(secret).verify(arrived.body, arrived.headers as Record<string, string>)).toMatchObject({
    id: sent.eventId,
    type: "webhook_endpoint.test",
  });
  const delivery = await waitFor(async () => {
    const { data } = (await staff.send("GET", `${hooks}/deliveries/${sent.deliveryId}`)).body;
    return data.status === "DELIVERED" && data;
  });
  expect(delivery.attempts).toMatchObject([{ status: 204 }]);
  const read = await staff.send("GET", `${services}/admin/events/${sent.eventId}`);
  expect(read.body.data).toEqual(arrived.event);
  const listed = await staff.send("GET", `${services}/admin/events?subject=webhook_endpoint:${endpointId}`);
  expect(listed.body.data.events).toEqual([arrived.event]);
  const stream = await staff.send("GET", `${services}/admin/events/stream?seconds=2`, {
    headers: { "last-event-id": "0" },
  });
  expect(stream.status).toBe(200);
  expect(stream.text).toContain(`data: ${arrived.body.toString()}\n\n`);
  const removed = await staff.send("DELETE", `${hooks}/endpoints/${endpointId}`);
  expect(removed.status).toBe(200);
});

test("a live organisation's events go to the public alone", async () => {
  const live = createEdgeClient(demo.baseUrl, "localhost");
  await live.login(manager);
  const body = { url: receiver.url(), eventTypes: ["transaction.*"] };
  const refused = await live.send("POST", `${hooks}/endpoints`, { headers: keyed(), body });
  expect(refused.status).toBe(400);
  expect(refused.body.errors).toEqual([{ path: "url", message: "must begin with https://" }]);
});

test("the receiver of docs/events.md verifies and prints an event", async () => {
  const guide = readFileSync(resolve("docs/events.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const lines = code
    .trim()
    .split("\n")
    .filter((line) => line !== "").length;
  expect(lines).toBeLessThanOrEqual(20);
  const spare = await startReceiver();
  const port = new URL(spare.url()).port;
  await spare.close();
  const { endpointId, secret } = await endpointAt(`http://127.0.0.1:${port}/events`);
  const child = spawn(
    resolve("node_modules/.bin/node"),
    ["--input-type=module-typescript", "-e", code.replace("3000", port)],
    { env: { ...process.env, NODE_OPTIONS: "", WEBHOOK_SECRET: secret }, cwd: resolve(".") },
  );
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  try {
    await waitFor(
      () =>
        fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "{}" }).then(
          ({ status }) => status === 400,
          () => false,
        ),
      {
        timeoutMs: 20_000,
      },
    );
    await sendTest(endpointId);
    await waitFor(() => printed.includes("webhook_endpoint.test"), { timeoutMs: 20_000, what: printed });
  } finally {
    child.kill();
  }
});

test("what came into a wallet and left it is told as its statement has it", async () => {
  const live = createEdgeClient(demo.baseUrl, "localhost");
  await live.login(manager);
  const wallets = demoUser(demo, "CUSTOMER").wallets ?? [];
  const { accountId, accountNumber } = wallets.find(({ balance }) => Number(balance) > 0)!;
  const statement = `${services}/paymentmanagement/wallet-accounts/${accountId}/statement?size=100`;
  const listed = `${services}/admin/events?subject=wallet:${accountId}&type=wallet.*&size=100`;
  await waitFor(
    async () => {
      const [entries, events] = await Promise.all([live.send("GET", statement), live.send("GET", listed)]);
      const shown = (entries.body.data.entries as object[]).toReversed();
      const published = events.body.data.events as { type: string; data: object }[];
      const data = published.filter(({ type }) => type !== "wallet.frozen");
      if (data.length < shown.length) return false;
      expect(shown.length).toBeGreaterThan(0);
      expect(data.map((one) => one.data)).toEqual(shown.map((entry) => ({ ...entry, accountId, accountNumber })));
      return true;
    },
    { timeoutMs: 20_000, what: "the events of a wallet" },
  );
});
