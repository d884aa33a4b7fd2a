// What the benchmarks of events run on: one replica of events with the options of the service
// table, one mongod, a teller with an outbox, and a receiver in a process of its own.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { startMongo, startRedis } from "../../../deploy/local/servers.js";
import { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import { WebhookServiceDefinition } from "../../../proto/gen/events/v1/webhooks.js";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import { createEventPublisher } from "../../../services/platform/events/publisher.js";
import { openDatabase } from "../../../services/kernel/mongo/open-database.js";
import { createOutbox, createOutboxIndexes, startRelay } from "../../../services/kernel/outbox/index.js";
import { insist } from "../../support/insist.js";
import { noPlugins } from "../../support/stand-in-plugins.js";
import { createServiceNetwork, stateUser } from "../../support/service-network.js";

const hooks = ["--import", resolve("test/bench/edge/hooks.mjs")];

export type World = Awaited<ReturnType<typeof createWorld>>;

/** `cacheGb`: what mongod may keep of its data in memory. */
export async function createWorld({ cacheGb }: { cacheGb?: number } = {}) {
  const dir = mkdtempSync(join(tmpdir(), "manilla-bench-events-"));
  const log = pino({ level: "silent" });
  const children: ChildProcess[] = [];
  const [mongo, redis] = [await startMongo({ dir: join(dir, "m") }), await startRedis({ dir: join(dir, "r") })];
  const network = await createServiceNetwork();
  const masterKeyFile = join(dir, "master.key");
  writeFileSync(masterKeyFile, randomBytes(32).toString("base64"));
  const identity = await network.standIn(
    "identity",
    IdentityServiceDefinition,
    {
      getOrganisationPreference: async (_request, { tenantId }) => ({ tenant: { tenantId, name: "Bank" } }),
    },
    [noPlugins],
  );
  const config = {
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    HOST: "127.0.0.1",
    PORT: 0,
    MONGODB_URI: mongo.uri,
    MONGODB_DATABASE: "bench_events",
    REDIS_URL: redis.url,
    SERVICE_KEY_FILE: "",
    SERVICE_JWKS_FILE: "",
    IDENTITY_ADDRESS: identity,
    MASTER_KEY_FILE: masterKeyFile,
    WEBHOOK_SANDBOX_ORIGINS: "http://127.0.0.1:*",
  };
  // As the service table has it.
  const options = ["--max-old-space-size=192", "--max-semi-space-size=16", "--heap-growing-percent=100"];
  const given = { config, keys: network.keysOf("events"), deps: {} };
  const service = await child(children, "test/support/events-process.ts", options, {
    EVENTS_PROCESS: JSON.stringify(given),
  });
  const receiver = await child(children, "test/bench/events/receiver.ts", [], {});
  const opened = await openDatabase(
    { MONGODB_URI: mongo.uri, MONGODB_DATABASE: "bench_teller" },
    { migrations: [{ id: "0001", up: createOutboxIndexes }], log },
  );
  const admin = opened.db.getClient().db("admin");
  if (cacheGb !== undefined) {
    await admin.command({ setParameter: 1, wiredTigerEngineRuntimeConfig: `cache_size=${cacheGb}G` });
  }
  const outbox = createOutbox({ db: opened.db, clock: systemClock, log, service: "remittance" });
  const events = network.client(EventsServiceDefinition, "events", service.port, "remittance");
  const relay = startRelay({ outbox, handlers: createEventPublisher({ events }), concurrency: 64, gatherMs: 20 });
  return {
    service,
    receiver,
    db: opened.db,
    /** What events has stored. */
    kept: opened.db.getClient().db(config.MONGODB_DATABASE),
    outbox,
    events,
    webhooks: network.client(WebhookServiceDefinition, "events", service.port, "gateway"),
    async stop() {
      await relay.stop(0);
      await opened.close();
      for (const one of children) one.kill("SIGKILL");
      await network.close();
      await Promise.all([mongo.kill(), redis.kill()]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function child(children: ChildProcess[], file: string, options: string[], env: NodeJS.ProcessEnv) {
  const made = fork(resolve(file), {
    execArgv: [...options, ...hooks],
    env: { ...process.env, NODE_OPTIONS: "", ...env },
  });
  children.push(made);
  const [{ port }] = (await once(made, "message")) as [{ port: number }];
  return {
    port,
    async ask<T>(): Promise<T> {
      const answered = once(made, "message");
      made.send("figures");
      return ((await answered) as [T])[0];
    },
  };
}

/** Of the receiver: ms from commit to arrival since it was last asked, and what it got in all. */
export interface Figures {
  arrivals: number[];
  count: number;
  /** After a gap: what comes again is none. */
  outOfOrder: number;
  repeated: number;
  subjects: number;
}
/** Of events, since it began. */
export interface Cost {
  cpuMs: number;
  rssMb: number;
}

export function callOf(tenantId: string) {
  const userToken = stateUser({ tenantId, role: "MANAGER", userId: "MA1" });
  return { tenantId, interactionId: randomUUID(), userToken };
}

/** A tenant with endpoints at these paths. */
export async function tenantWith({ webhooks, receiver }: World, paths: readonly string[], ordered = false) {
  const tenantId = `${randomUUID()}--sandbox`;
  const ids: string[] = [];
  for (const path of paths) {
    const url = `http://127.0.0.1:${receiver.port}${path}`;
    const draft = { idempotencyKey: randomUUID(), url, eventTypes: ["transaction.*"], ordered };
    const { endpoint } = await insist(() => webhooks.createEndpoint(draft, callOf(tenantId)));
    ids.push(endpoint!.endpointId);
  }
  return { tenantId, ids };
}

export function dataOf(id: string) {
  return {
    id,
    transactionCode: "TX-1234567890",
    status: "PAID",
    type: "ACCOUNTPAYMENT" as const,
    inclussive: false,
    fees: [{ name: "Transfer fee", amount: "2.50", currency: "USD", taxAmount: "0.19" }],
    creditParty: [{ key: "bankaccountno", value: "******7890" }],
    internationalTransferInformation: {
      originCountry: "USA",
      receivingCountry: "NGA",
      remittancePurpose: "FAMILY_SUPPORT",
      sourceOfFunds: "SALARY",
    },
    transactionProcessingMode: "REAL_TIME" as const,
    transactionModule: "REMITTANCE" as const,
    compliance: { decision: "APPROVED", outstandingRequirements: [] },
    otherFees: [],
    availableOn: "2026-11-24",
    timeline: [{ status: "PAID", at: new Date().toISOString(), actor: "wallet" }],
    sendAmount: "100.00",
    sendCurrency: "USD",
    amount: "157000.00",
    receivingCurrency: "NGN",
    exchangeRate: "1570",
    totalFees: "2.50",
    totalTaxes: "0.19",
    totalAmount: "102.69",
    sender: { customerId: "C1", customerCode: "C-AMINA", name: "Amina Bello", country: "USA" },
    recipient: { customerCode: "B-1", name: "Chidi Okafor", country: "NGA" },
    interactionId: randomUUID(),
    createdAt: new Date().toISOString(),
  };
}
