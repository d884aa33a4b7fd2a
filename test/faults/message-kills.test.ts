import type { ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventsServiceDefinition, type NewEvent } from "../../proto/gen/events/v1/events.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { on, newEvent } from "../support/events-fixture.js";
import { forkSource } from "../support/forked-source.js";
import { testTenant, waitFor } from "../support/index.js";
import { startOwnServers, type OwnServers } from "../support/own-servers.js";
import { startSandboxPartner } from "../support/sandbox-partner.js";
import { noPlugins } from "../support/stand-in-plugins.js";
import { createServiceNetwork, type ServiceNetwork } from "../support/service-network.js";
import { nothingFor, pause } from "../support/time.js";

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "manilla-message-kills-"));
const pointFile = join(folder, "point");
const masterKeyFile = join(folder, "master.key");
const contact = { firstName: "Amina", email: "amina@x.example", phoneNumber: "+2348012345678" };
let network: ServiceNetwork;
let servers: OwnServers;
let partner: Awaited<ReturnType<typeof startSandboxPartner>>;
let identityAddress: string;
let child: ChildProcess | undefined;
let port = 0;
let kills = 0;
let isOver = false;
let remittance: Client<typeof EventsServiceDefinition>;

/** Forks events, and again whenever it is killed, at the same port. */
async function start(): Promise<void> {
  const config = {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    HOST: "127.0.0.1",
    PORT: port,
    MONGODB_URI: servers.mongoUri,
    MONGODB_DATABASE: servers.database,
    REDIS_URL: servers.redisUrl,
    SERVICE_KEY_FILE: "",
    SERVICE_JWKS_FILE: "",
    IDENTITY_ADDRESS: identityAddress,
    MASTER_KEY_FILE: masterKeyFile,
    PARTNER_URL: partner.url,
    PARTNER_API_KEY: partner.apiKey,
  };
  const ready = Promise.withResolvers<void>();
  child = forkSource("events-process.ts", {
    CRASH_POINT_FILE: pointFile,
    EVENTS_PROCESS: JSON.stringify({ config, keys: network.keysOf("events"), deps: { pollMs: 50 } }),
  });
  child.on("message", (message: { port: number }) => {
    port = message.port;
    ready.resolve();
  });
  child.once("exit", () => {
    if (isOver) return;
    kills += 1;
    void start();
  });
  await ready.promise;
}

beforeAll(async () => {
  writeFileSync(masterKeyFile, randomBytes(32).toString("base64"));
  network = await createServiceNetwork();
  servers = await startOwnServers("messages");
  partner = await startSandboxPartner();
  identityAddress = await network.standIn(
    "identity",
    IdentityServiceDefinition,
    {
      getOrganisationPreference: async (_request, { tenantId }) => ({ tenant: { tenantId, name: "Bank" } }),
      getMessageContacts: async ({ customerIds }) => ({
        contacts: customerIds.map((customerId) => ({ customerId, ...contact, preference: { channel: "BOTH" } })),
      }),
    },
    [noPlugins],
  );
  await start();
  remittance = network.client(EventsServiceDefinition, "events", port, "remittance");
});
afterAll(async () => {
  isOver = true;
  child?.kill("SIGKILL");
  await network.close();
  await partner.stop();
  await servers.close();
  rmSync(folder, { recursive: true });
});

/** As an outbox: the same call until it is answered. */
const publish = (tenantId: string, events: NewEvent[]) =>
  waitFor(
    () =>
      remittance.publishEvents({ events }, on(tenantId)).catch(async (error: unknown) => {
        if (!(error instanceof Refusal) || !["UNAVAILABLE", "DEADLINE_EXCEEDED"].includes(error.code)) throw error;
        await pause(50);
        return undefined;
      }),
    { timeoutMs: 60_000, what: "an answer" },
  );

async function inbox(tenantId: string): Promise<{ reference: string; to: string; text: string }[]> {
  const answer = await fetch(`${partner.url}/control/inbox?account=${tenantId}`);
  return ((await answer.json()) as { messages: { reference: string; to: string; text: string }[] }).messages;
}

const completed = (): NewEvent => {
  const transfer = { transactionCode: "T1", sendAmount: "10.00", sendCurrency: "USD", amount: "15430.00" };
  const data = { ...transfer, receivingCurrency: "NGN", totalAmount: "12.69", recipient: { name: "Chidi" } };
  return newEvent(randomUUID(), { type: "transaction.completed", customerId: "C1", dataJson: JSON.stringify(data) });
};

test.each(["events.publish.written", "events.publish.kept", "events.message.sent"])(
  "killed with -9 at %s, each message is taken once by whoever delivers it",
  async (point) => {
    const tenantId = testTenant();
    const events = Array.from({ length: 5 }, completed);
    const before = kills;
    writeFileSync(pointFile, point);
    await publish(tenantId, events);
    const expected = events.flatMap(({ eventId }) => [`${eventId}-EMAIL`, `${eventId}-SMS`]);
    await waitFor(
      async () => (await inbox(tenantId)).length >= expected.length && kills > before && !existsSync(pointFile),
      {
        timeoutMs: 60_000,
        what: "every message, and a kill",
      },
    );
    // What was sent and not yet written down is sent again under its reference: wait for that, too.
    await publish(tenantId, events);
    await nothingFor(2_000);
    const taken = await inbox(tenantId);
    expect(taken.map(({ reference }) => reference).toSorted()).toEqual(expected.toSorted());
    expect(taken.every(({ text }) => text.includes("15,430.00 NGN"))).toBe(true);
  },
);
