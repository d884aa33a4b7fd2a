import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { WebhookServiceDefinition } from "../../proto/gen/events/v1/webhooks.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { createLedgerStore } from "../../services/ledger/store/index.js";
import { systemClock } from "../../services/kernel/time/clock.js";
import { eventRow } from "../../services/platform/events/row.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { connectMongo, type MongoConnection } from "../../services/kernel/mongo/connect.js";
import { inTransaction } from "../../services/kernel/mongo/transaction.js";
import { createOutbox, createOutboxIndexes } from "../../services/kernel/outbox/index.js";
import { declaredCrashPoints } from "../support/crash-points.js";
import { atDepth } from "../support/depth.js";
import { asManager, endpointDraft, sandboxTenant } from "../support/events-fixture.js";
import { silentLog, waitFor } from "../support/index.js";
import { askAgain, createInsistence } from "../support/insist.js";
import { anyOf, createKillers } from "../support/killers.js";
import { tenantCalls, transfer } from "../support/ledger-fixture.js";
import { startMortal, type Mortal } from "../support/mortal.js";
import { startOwnServers, type OwnServers } from "../support/own-servers.js";
import { createServiceNetwork, type ServiceNetwork } from "../support/service-network.js";
import { startReceiver, type Receiver } from "../support/webhook-receiver.js";
import { nothingFor, pause } from "../support/time.js";

// As many as EVENT_KILLS says. What a round told is compared while those of the next ones die.
const kills = atDepth({ quick: 30, ci: 40, long: 10_000 }, "EVENT_KILLS");
const killsInRound = kills > 1_000 ? 200 : 50;
const rounds = Math.ceil(kills / killsInRound);
const startedAt = Date.now();
// A long run ends after so many minutes with what it has by then.
const endsAt = startedAt + Number(process.env["EVENT_KILLS_MINUTES"] ?? Infinity) * 60_000;
/** How long anything may take on a machine that others fill for minutes. */
const patienceMs = 600_000;
/** Its figures, written anew each minute. */
const summaryFile = process.env["EVENT_KILLS_SUMMARY"] ?? join(".cache", "event-kills.json");
/**
 * So many events of a round are under way at most: lines of ordered
 * endpoints are worked off one by one.
 */
const mostBehind = 40;
jest.setTimeout(kills * 5_000 + 6 * patienceMs);

const folder = mkdtempSync(join(tmpdir(), "manilla-event-kills-"));
const masterKeyFile = join(folder, "master.key");
const points = {
  // A recovery is asked for in test/faults/events-crash-points.test.ts.
  events: declaredCrashPoints("events").filter((name) => !name.includes("recovery")),
  outbox: ["shared.event.published"],
  ledger: declaredCrashPoints("ledger").filter((name) => /^ledger\.(group|telling)\./.test(name)),
};
type Kind = keyof typeof points;
const pointFileOf = (kind: Kind): string => join(folder, kind);
const mortals: Record<Kind, Mortal[]> = { events: [], outbox: [], ledger: [] };
let takenCount = 0;
const found = { events: 0, lost: 0, invented: 0, outOfOrder: 0 };
let network: ServiceNetwork;
let servers: OwnServers;
let receiver: Receiver;
let outboxDb: MongoConnection;
let ledgerDb: MongoConnection;
let managed: Client<typeof WebhookServiceDefinition>;
let ledgers: Client<typeof LedgerServiceDefinition>[];

const common = () => ({
  NODE_ENV: "test",
  LOG_LEVEL: "silent",
  HOST: "127.0.0.1",
  MONGODB_URI: servers.mongoUri,
  REDIS_URL: servers.redisUrl,
  SERVICE_KEY_FILE: "given",
  SERVICE_JWKS_FILE: "given",
});

beforeAll(async () => {
  writeFileSync(masterKeyFile, randomBytes(32).toString("base64"));
  network = await createServiceNetwork();
  servers = await startOwnServers("eventkills");
  receiver = await startReceiver(() => {
    const isTaken = Math.random() < 0.5;
    if (isTaken) takenCount += 1;
    return { status: isTaken ? 204 : 500 };
  });
  const IDENTITY_ADDRESS = await network.standIn("identity", IdentityServiceDefinition, {
    getOrganisationPreference: async (_request, { tenantId }) => ({ tenant: { tenantId, name: "Bank" } }),
    listStaffUsers: async () => ({ users: [], nextPageToken: "" }),
    getMessageContacts: async ({ customerIds }) => ({
      contacts: customerIds.map((customerId) => ({ customerId, firstName: "Ana", email: "ana@example.com" })),
    }),
  });
  outboxDb = await connectMongo({ uri: servers.mongoUri, database: "manilla_teller", log: silentLog });
  await createOutboxIndexes(outboxDb.db);
  ledgerDb = await connectMongo({ uri: servers.mongoUri, database: "manilla_ledger", log: silentLog });

  const begin = async (kind: Kind, count: number, script: string, env: (port: number) => Record<string, string>) => {
    const start = () => startMortal({ script, env, pointFile: pointFileOf(kind), patienceMs });
    mortals[kind] = await Promise.all(Array.from({ length: count }, start));
  };
  const waitsMs = Array.from({ length: 500 }, () => 30);
  const deps = { pollMs: 100, leaseMs: 1_500, attemptMs: 1_000, waitsMs };
  await begin("events", 3, "events-process.ts", (PORT) => {
    const own = { MONGODB_DATABASE: "manilla_events", MASTER_KEY_FILE: masterKeyFile, IDENTITY_ADDRESS };
    const config = { ...common(), ...own, PORT, WEBHOOK_SANDBOX_ORIGINS: "http://127.0.0.1:*" };
    return { EVENTS_PROCESS: JSON.stringify({ config, keys: network.keysOf("events"), deps }) };
  });
  const address = mortals.events.map((one) => `127.0.0.1:${one.port()}`).join(",");
  const teller = { kind: "outbox", mongoUri: servers.mongoUri, database: "manilla_teller", address };
  const outboxProcess = { TOLD_PROCESS: JSON.stringify({ ...teller, keys: network.keysOf("remittance") }) };
  await begin("outbox", 2, "publishing-process.ts", () => outboxProcess);
  await begin("ledger", 2, "publishing-process.ts", (PORT) => {
    const own = { MONGODB_DATABASE: "manilla_ledger", IDENTITY_ADDRESS };
    const times = { LEASE_TTL_MS: "600", SHARE_EVERY_MS: "3600000", TELL_SWEEP_MS: "500" };
    const env = { ...common(), ...own, ...times, PORT: String(PORT) };
    return { TOLD_PROCESS: JSON.stringify({ kind: "ledger", env, address, keys: network.keysOf("ledger") }) };
  });
  managed = network.client(WebhookServiceDefinition, "events", mortals.events[0]!.port(), "gateway");
  ledgers = mortals.ledger.map((one) => network.client(LedgerServiceDefinition, "ledger", one.port(), "wallet"));
});
afterAll(async () => {
  for (const one of Object.values(mortals).flat()) one.end();
  await outboxDb?.close();
  await ledgerDb?.close();
  await network.close();
  await receiver.close();
  await servers.close();
  rmSync(folder, { recursive: true });
});

const insist = createInsistence({ passing: askAgain, timeoutMs: patienceMs });
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

/** A line of figures, which are in the file too. */
function say(run: { deaths: number; died: Readonly<Record<string, number>>; isOver: boolean }): void {
  const minutes = Math.round((Date.now() - startedAt) / 6_000) / 10;
  const byKind = Object.entries(mortals).map(([kind, some]) => [kind, sumOf(some.map((one) => one.deaths()))]);
  const figures = { asked: kills, ...run, minutes, ...found, ofKind: Object.fromEntries(byKind) as object };
  process.stdout.write(`${new Date().toISOString()} ${JSON.stringify(figures)}\n`);
  mkdirSync(dirname(summaryFile), { recursive: true });
  writeFileSync(summaryFile, `${JSON.stringify({ at: new Date(), ...figures }, null, 2)}\n`);
}

/** One tenant's events, of which so many were told. */
interface Round {
  readonly tenantId: string;
  readonly path: string;
  published: number;
  isOver: boolean;
}

/** Once what was told has arrived, but for a few. */
async function retained(round: Round): Promise<void> {
  const isBehind = () => round.published - receiver.taken(round.path).length > mostBehind;
  await waitFor(() => round.isOver || !isBehind(), { timeoutMs: 600_000, everyMs: 100 });
}

/**
 * Subjects' changes, each committed with its event's row. Ids of the
 * events by subject, in their order.
 */
async function change(round: Round): Promise<Map<string, string[]>> {
  const outbox = createOutbox({ db: outboxDb.db, clock: systemClock, log: silentLog, service: "remittance" });
  const published = new Map(["S1", "S2", "S3", "S4", "S5", "S6"].map((subject) => [subject, [] as string[]]));
  for (let version = 1; !round.isOver; version++) {
    for (const [subjectId, ids] of published) {
      const data = { accountId: subjectId, accountNumber: "3017760001", currency: "USD", status: "FROZEN" };
      const cause = { tenantId: round.tenantId, interactionId: uuidv7(), actor: "u1" };
      const row = eventRow(cause, { type: "wallet.frozen", subjectId, version, at: new Date(), data });
      const id = await inTransaction(outboxDb.db, (session) => outbox.add(row, session), {
        readBack: async () => undefined,
        deadlineMs: patienceMs,
      });
      ids.push(id);
      round.published += 1;
      await retained(round);
      await pause(100);
    }
  }
  return published;
}

const wallets = ["w1", "w2", "w3", "w4"];

/** Money goes round between wallets. */
async function pay(round: Round): Promise<void> {
  const tenant = tenantCalls(round.tenantId);
  const post = async (...args: Parameters<typeof transfer>) => {
    await insist(async () => {
      const { results } = await anyOf(ledgers).postTransfers(
        { groups: [{ transfers: [transfer(...args)] }], createdBy: "u1" },
        tenant.call(),
      );
      expect(results[0]?.posted).toBeDefined();
      return results;
    });
    round.published += 2;
  };
  await insist(async () => {
    await tenant.open({ wallet: anyOf(ledgers) }, wallets);
    return {};
  });
  for (const wallet of wallets) await post(randomUUID(), "bank_settlement:USD", wallet, 1_000_000n);
  while (!round.isOver) {
    for (const [index, from] of wallets.entries()) {
      await post(randomUUID(), from, wallets[(index + 1) % wallets.length]!, BigInt(index + 1));
      await retained(round);
      await pause(200);
    }
  }
}

test(`${kills} times somebody dies: nothing is lost, invented or out of order`, async () => {
  const isTimeOver = () => Date.now() >= endsAt;
  const doomed = (["events", "outbox", "ledger"] as const).map((kind) => ({
    mortals: mortals[kind],
    points: points[kind],
    pointFile: pointFileOf(kind),
  }));
  const killers = createKillers({ doomed, patienceMs, progress: () => takenCount, isOver: isTimeOver });
  const { died, deaths } = killers;
  const sayAll = (isOver: boolean) => say({ deaths: deaths(), died, isOver });
  const progress = setInterval(() => sayAll(false), 60_000).unref();
  let compared = Promise.resolve();
  for (let number = 0; number < rounds && deaths() < kills && !isTimeOver(); number++) {
    const round: Round = { tenantId: sandboxTenant(), path: `/kills-${number}`, published: 0, isOver: false };
    const draft = endpointDraft(receiver.url(round.path), { ordered: true, eventTypes: ["wallet.*"] });
    await insist(() => managed.createEndpoint(draft, asManager(round.tenantId)));
    const work = Promise.all([change(round), pay(round)]);
    const count = Math.min(killsInRound, kills - deaths());
    await Promise.all([killers.kill(count), compared]);
    round.isOver = true;
    const [published] = await work;
    compared = compare(round, published);
    compared.catch(() => undefined);
  }
  await compared;
  clearInterval(progress);
  sayAll(true);
  if (!isTimeOver()) expect(deaths()).toBeGreaterThanOrEqual(kills);
  expect(Math.min(deaths(), found.events)).toBeGreaterThan(0);
  expect(found).toEqual({ events: expect.any(Number) as number, lost: 0, invented: 0, outOfOrder: 0 });
  if (deaths() >= 1_000) expect(Object.keys(died).toSorted()).toEqual(Object.values(points).flat().toSorted());
});

/** What arrived is what was committed, subject by subject and in its order. */
async function compare({ tenantId, path }: Round, published: Map<string, string[]>): Promise<void> {
  const journal = createLedgerStore(ledgerDb.db).forTenant(tenantId);
  const expected = new Map<string, unknown[]>(published);
  for (const wallet of wallets) {
    const entries = await journal.findByAccount(wallet, { after: 0n, limit: 1_000_000 });
    expected.set(
      wallet,
      entries.map(({ seq }) => Number(seq)),
    );
  }
  const count = sumOf([...expected.values()].map(({ length }) => length));
  const areThere = waitFor(() => receiver.taken(path).length >= count, {
    timeoutMs: 3 * patienceMs,
    what: `${count} events`,
  });
  // What is missing then is counted below.
  await areThere.catch(() => undefined);
  // What is too much would come by now.
  await nothingFor(500);
  const taken = Map.groupBy(receiver.taken(path), ({ subject }) => subject.id);
  receiver.forget(path);
  const arrived = new Map(
    [...taken].map(([subject, own]) => [
      subject,
      own.map(({ id, type, data }) => (type === "wallet.frozen" ? id : (data as { sequence: number }).sequence)),
    ]),
  );
  for (const subject of new Set([...expected.keys(), ...arrived.keys()])) {
    tally(expected.get(subject) ?? [], arrived.get(subject) ?? []);
  }
  for (const [subject, all] of expected) {
    expect({ subject, known: arrived.get(subject) ?? [] }).toEqual({ subject, known: all });
    const sequences = (taken.get(subject) ?? []).map(({ sequence }) => sequence);
    expect(sequences).toEqual(all.map((_one, index) => index + 1));
  }
  expect([...arrived.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
}

/** Adds what one subject's events came to. */
function tally(all: readonly unknown[], known: readonly unknown[]): void {
  const [committed, came] = [new Set(all), new Set(known)];
  const inOrder = all.filter((one) => came.has(one));
  found.events += all.length;
  found.lost += all.length - inOrder.length;
  const real = known.filter((one) => committed.has(one));
  found.invented += known.length - real.length;
  found.outOfOrder += real.filter((one, index) => one !== inOrder[index]).length;
}
