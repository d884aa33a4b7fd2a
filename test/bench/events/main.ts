// `npm run bench:events`: from the commit of an outbox row to the first attempt at a receiver, what
// one replica delivers, and what a receiver that hangs costs the others.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { startMongo, startRedis } from "../../../deploy/local/servers.js";
import { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import { WebhookServiceDefinition } from "../../../proto/gen/events/v1/webhooks.js";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { systemClock } from "../../../services/shared/clocks/clock.js";
import { createEventPublisher } from "../../../services/shared/events/publisher.js";
import { eventRow } from "../../../services/shared/events/row.js";
import { openDatabase } from "../../../services/shared/mongo/open-database.js";
import { inTransaction } from "../../../services/shared/mongo/transaction.js";
import { createOutbox, createOutboxIndexes, startRelay } from "../../../services/shared/outbox/index.js";
import { createServiceNetwork, stateUser } from "../../support/service-network.js";

const quick = process.argv.includes("--quick");
const perSecond = 200;
const seconds = quick ? 5 : 20;
const backlog = quick ? 2_000 : 10_000;
const dir = mkdtempSync(join(tmpdir(), "manilla-bench-events-"));
const log = pino({ level: "silent" });
const hooks = ["--import", resolve("test/bench/edge/hooks.mjs")];
const children: ChildProcess[] = [];

const [mongo, redis] = [await startMongo({ dir: join(dir, "m") }), await startRedis({ dir: join(dir, "r") })];
const network = await createServiceNetwork();
const say = async (row: Promise<string>) => void process.stdout.write(`${await row}\n`);
try {
  const world = await createWorld();
  await say(latency(world, "one receiver", ["/fast"]));
  await say(latency(world, "beside one that hangs", ["/fast", "/hangs"]));
  await say(latency(world, "one receiver, again", ["/fast"]));
  await say(throughput(world, "without an order", "/fast", false));
  await say(throughput(world, "ordered, 200 subjects", "/ordered", true));
  world.stop();
  process.stdout.write(
    `${cpus().length} processors, ${cpus()[0]?.model}; load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(" ")}\n`,
  );
} finally {
  for (const child of children) child.kill("SIGKILL");
  await network.close();
  await Promise.all([mongo.kill(), redis.kill()]);
  rmSync(dir, { recursive: true, force: true });
}

type World = Awaited<ReturnType<typeof createWorld>>;

async function createWorld() {
  const masterKeyFile = join(dir, "master.key");
  writeFileSync(masterKeyFile, randomBytes(32).toString("base64"));
  const identity = await network.standIn("identity", IdentityServiceDefinition, {
    getOrganisationPreference: async (_request, { tenantId }) => ({ tenant: { tenantId, name: "Bank" } }),
  });
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
  const service = await child("test/support/events-process.ts", options, { EVENTS_PROCESS: JSON.stringify(given) });
  const receiver = await child("test/bench/events/receiver.ts", [], {});
  const opened = await openDatabase(
    { MONGODB_URI: mongo.uri, MONGODB_DATABASE: "bench_teller" },
    { migrations: [{ id: "0001", up: createOutboxIndexes }], log },
  );
  const outbox = createOutbox({ db: opened.db, clock: systemClock, log, service: "remittance" });
  const events = network.client(EventsServiceDefinition, "events", service.port, "remittance");
  const relay = startRelay({ outbox, handlers: createEventPublisher({ events }), concurrency: 64, gatherMs: 20 });
  return {
    service,
    receiver,
    db: opened.db,
    outbox,
    events,
    webhooks: network.client(WebhookServiceDefinition, "events", service.port, "gateway"),
    stop: () => void relay.stop(0).then(() => opened.close()),
  };
}

async function child(file: string, options: string[], env: NodeJS.ProcessEnv) {
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

interface Figures {
  arrivals: number[];
  count: number;
  outOfOrder: number;
}
interface Cost {
  cpuMs: number;
  rssMb: number;
}

function callOf(tenantId: string) {
  const userToken = stateUser({ tenantId, role: "MANAGER", userId: "MA1" });
  return { tenantId, interactionId: randomUUID(), userToken };
}

/** A tenant with endpoints at these paths. */
async function tenantWith({ webhooks, receiver }: World, paths: readonly string[], ordered = false) {
  const tenantId = `${randomUUID()}--sandbox`;
  const ids: string[] = [];
  for (const path of paths) {
    const url = `http://127.0.0.1:${receiver.port}${path}`;
    const draft = { idempotencyKey: randomUUID(), url, eventTypes: ["transaction.*"], ordered };
    ids.push((await webhooks.createEndpoint(draft, callOf(tenantId))).endpoint!.endpointId);
  }
  return { tenantId, ids };
}

function dataOf(id: string) {
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

/** 200 events a second by outbox; how long after each commit its first attempt arrives. */
async function latency(world: World, name: string, paths: readonly string[]): Promise<string> {
  const { tenantId } = await tenantWith(world, paths);
  const { db, outbox, receiver } = world;
  await receiver.ask();
  const startedAt = performance.now();
  const total = perSecond * seconds;
  const commits: Promise<unknown>[] = [];
  for (let index = 0; index < total; index++) {
    const dueMs = startedAt + (index * 1_000) / perSecond - performance.now();
    if (dueMs > 1) await sleep(dueMs);
    const subjectId = `T${index}`;
    const at = new Date();
    const cause = { tenantId, interactionId: randomUUID(), actor: "bench" };
    const row = eventRow(cause, { type: "transaction.paid", subjectId, version: 1, at, data: dataOf(subjectId) });
    const commit = inTransaction(db, (session) => outbox.add(row, session), { readBack: async () => undefined });
    commits.push(commit.then(() => outbox.wake()));
  }
  await Promise.all(commits);
  const arrivals: number[] = [];
  for (const until = Date.now() + 60_000; arrivals.length < total && Date.now() < until; await sleep(100)) {
    arrivals.push(...(await receiver.ask<Figures>()).arrivals);
  }
  arrivals.sort((one, other) => one - other);
  const at = (share: number) => arrivals[Math.min(arrivals.length - 1, Math.floor(arrivals.length * share))];
  return `${name}: ${arrivals.length} of ${total} events, from before the commit to the receiver p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

/** A backlog that one replica works off. */
async function throughput(world: World, name: string, path: string, ordered: boolean): Promise<string> {
  const { tenantId, ids } = await tenantWith(world, [path], ordered);
  const { events, webhooks, receiver, service } = world;
  await webhooks.pauseEndpoint({ endpointId: ids[0]! }, callOf(tenantId));
  const toldAt = performance.now();
  const before = await service.ask<Cost>();
  for (let from = 0; from < backlog; from += 100) {
    const batch = Array.from({ length: 100 }, (_, index) => {
      const subjectId = `${tenantId.slice(0, 8)}-${(from + index) % 200}`;
      return {
        eventId: randomUUID(),
        type: "transaction.paid",
        occurredAt: new Date(),
        subjectType: "transaction",
        subjectId,
        interactionId: "bench",
        dataJson: JSON.stringify(dataOf(subjectId)),
        customerId: "",
        isConfidential: false,
      };
    });
    await events.publishEvents({ events: batch }, { tenantId, interactionId: "bench" });
  }
  const toldS = (performance.now() - toldAt) / 1_000;
  const kept = await service.ask<Cost>();
  const { count } = await receiver.ask<Figures>();
  const startedAt = performance.now();
  await webhooks.resumeEndpoint({ endpointId: ids[0]! }, callOf(tenantId));
  let found = { count, outOfOrder: 0 };
  let rssMb = 0;
  for (const until = Date.now() + 300_000; found.count - count < backlog && Date.now() < until; await sleep(50)) {
    found = await receiver.ask<Figures>();
    rssMb = Math.max(rssMb, (await service.ask<Cost>()).rssMb);
  }
  const took = (performance.now() - startedAt) / 1_000;
  const delivered = found.count - count;
  const { cpuMs } = await service.ask<Cost>();
  const perEvent = (kept.cpuMs - before.cpuMs) / backlog;
  return (
    `${name}: ${backlog} events kept at ${Math.round(backlog / toldS)}/s (${perEvent.toFixed(2)} ms of CPU each), ` +
    `${delivered} delivered at ${Math.round(delivered / took)}/s (${((cpuMs - kept.cpuMs) / delivered).toFixed(2)} ms of CPU each), ` +
    `${found.outOfOrder} out of order, ${Math.round(rssMb)} MB at most`
  );
}
