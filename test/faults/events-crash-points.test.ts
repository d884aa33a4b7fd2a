import type { ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventsServiceDefinition, type NewEvent } from "../../proto/gen/events/v1/events.js";
import { WebhookServiceDefinition } from "../../proto/gen/events/v1/webhooks.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { asManager, endpointDraft, on, sandboxTenant, newEvent } from "../support/events-fixture.js";
import { declaredCrashPoints } from "../support/crash-points.js";
import { forkSource } from "../support/forked-source.js";
import { waitFor } from "../support/index.js";
import { startOwnServers, type OwnServers } from "../support/own-servers.js";
import { createServiceNetwork, type ServiceNetwork } from "../support/service-network.js";
import { startReceiver, type Receiver } from "../support/webhook-receiver.js";
import { pause, runsFor } from "../support/time.js";

jest.setTimeout(180_000);

const replicas = 3;
const folder = mkdtempSync(join(tmpdir(), "manilla-events-crash-"));
const pointFile = join(folder, "point");
const masterKeyFile = join(folder, "master.key");
const children: (ChildProcess | undefined)[] = [];
const ports: number[] = [];
let network: ServiceNetwork;
let servers: OwnServers;
let receiver: Receiver;
let identityAddress: string;
let kills = 0;
let isOver = false;
let replicasToTell: Client<typeof EventsServiceDefinition>[];
let managed: Client<typeof WebhookServiceDefinition>;

/** Forks a replica of events, and again whenever it is killed, at the same port. */
async function start(index: number): Promise<void> {
  const config = {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    HOST: "127.0.0.1",
    PORT: ports[index] ?? 0,
    MONGODB_URI: servers.mongoUri,
    MONGODB_DATABASE: servers.database,
    REDIS_URL: servers.redisUrl,
    SERVICE_KEY_FILE: "",
    SERVICE_JWKS_FILE: "",
    IDENTITY_ADDRESS: identityAddress,
    MASTER_KEY_FILE: masterKeyFile,
    WEBHOOK_SANDBOX_ORIGINS: "http://127.0.0.1:*",
  };
  const ready = Promise.withResolvers<void>();
  const waitsMs = Array.from({ length: 200 }, () => 30);
  const deps = { pollMs: 50, leaseMs: 1_500, attemptMs: 1_000, waitsMs };
  const child = forkSource("events-process.ts", {
    CRASH_POINT_FILE: pointFile,
    EVENTS_PROCESS: JSON.stringify({ config, keys: network.keysOf("events"), deps }),
  });
  children[index] = child;
  child.on("message", ({ port }: { port: number }) => {
    ports[index] = port;
    ready.resolve();
  });
  child.once("exit", () => {
    if (isOver) return;
    kills += 1;
    void start(index);
  });
  await ready.promise;
}

beforeAll(async () => {
  writeFileSync(masterKeyFile, randomBytes(32).toString("base64"));
  network = await createServiceNetwork();
  servers = await startOwnServers("events");
  receiver = await startReceiver(() => ({ status: Math.random() < 0.5 ? 204 : 500 }));
  identityAddress = await network.standIn("identity", IdentityServiceDefinition, {
    getOrganisationPreference: async (_request, { tenantId }) => ({ tenant: { tenantId, name: "Bank" } }),
    listStaffUsers: async () => ({ users: [], nextPageToken: "" }),
  });
  for (let index = 0; index < replicas; index++) await start(index);
  replicasToTell = ports.map((port) => network.client(EventsServiceDefinition, "events", port, "remittance"));
  managed = network.client(WebhookServiceDefinition, "events", ports[0]!, "gateway");
});
afterAll(async () => {
  isOver = true;
  for (const child of children) child?.kill("SIGKILL");
  await network.close();
  await receiver.close();
  await servers.close();
  rmSync(folder, { recursive: true });
});

/** As an outbox: the same call until it is answered. */
function insist<T extends object>(ask: () => Promise<T>): Promise<T> {
  return waitFor(
    () =>
      ask().catch(async (error: unknown) => {
        if (
          error instanceof Refusal &&
          !["UNAVAILABLE", "DEADLINE_EXCEEDED", "IDEMPOTENCY_IN_FLIGHT"].includes(error.code)
        )
          throw error;
        await pause(50);
        return undefined;
      }),
    { timeoutMs: 120_000, what: "an answer" },
  );
}

/**
 * Tells `rounds` events of each subject, those of one subject one after the other, to any replica.
 */
async function tell(tenantId: string, subjects: readonly string[], rounds: number): Promise<NewEvent[]> {
  const all: NewEvent[] = [];
  const one = async (subject: string) => {
    for (let round = 0; round < rounds; round++) {
      const event = newEvent(subject);
      all.push(event);
      await insist(() =>
        replicasToTell[Math.floor(Math.random() * replicas)]!.publishEvents({ events: [event] }, on(tenantId)),
      );
    }
  };
  await Promise.all(subjects.map(one));
  return all;
}

async function createEndpoint(tenantId: string, path: string): Promise<string> {
  const draft = endpointDraft(receiver.url(path), { ordered: true });
  const { endpoint } = await insist(() => managed.createEndpoint(draft, asManager(tenantId)));
  return endpoint!.endpointId;
}

/** Nothing lost, nothing invented, each subject's in order. */
async function expectWhole(path: string, all: readonly NewEvent[], subjects: readonly string[]): Promise<void> {
  await waitFor(() => receiver.taken(path).length >= all.length, { timeoutMs: 90_000, what: "every event" });
  const taken = receiver.taken(path);
  expect(new Set(taken.map(({ id }) => id))).toEqual(new Set(all.map(({ eventId }) => eventId)));
  for (const subject of subjects) {
    const published = all.filter(({ subjectId }) => subjectId === subject).map(({ eventId }) => eventId);
    const own = taken.filter((event) => event.subject.id === subject);
    expect(own.map(({ id }) => id)).toEqual(published);
    expect(own.map(({ sequence }) => sequence)).toEqual(published.map((_id, index) => index + 1));
  }
}

const subjects = ["S1", "S2", "S3", "S4"];

// Messages to people are stopped in test/faults/message-kills.test.ts.
test.each(declaredCrashPoints("events").filter((point) => !point.startsWith("events.message.")))(
  "killed with -9 at %s, every event arrives once told and in order",
  async (point) => {
    const tenantId = sandboxTenant();
    const path = `/${point}`;
    const endpointId = await createEndpoint(tenantId, path);
    const before = kills;
    writeFileSync(pointFile, point);
    const since = new Date(Date.now() - 60_000);
    const recover = { endpointId, since, idempotencyKey: randomUUID() };
    const [all] = await Promise.all([
      tell(tenantId, subjects, 6),
      point.includes("recovery") && insist(() => managed.recoverDeliveries(recover, asManager(tenantId))),
    ]);
    await expectWhole(path, all, subjects);
    await waitFor(() => kills > before && !existsSync(pointFile), { timeoutMs: 20_000, what: "a kill" });
  },
);

test("replicas that are killed one after the other lose nothing and keep the order", async () => {
  const tenantId = sandboxTenant();
  await createEndpoint(tenantId, "/rolling");
  const rolling = (async () => {
    for (let round = 0; round < 9; round++) {
      await runsFor(300);
      const index = round % replicas;
      // As Kubernetes rolls: asked to end, or gone.
      children[index]!.kill(round % 2 === 0 ? "SIGKILL" : "SIGTERM");
      await waitFor(async () => children[index]!.exitCode === null && !children[index]!.killed, { timeoutMs: 30_000 });
    }
  })();
  const many = Array.from({ length: 8 }, (_, index) => `R${index}`);
  const all = await tell(tenantId, many, 25);
  await rolling;
  await expectWhole("/rolling", all, many);
});
