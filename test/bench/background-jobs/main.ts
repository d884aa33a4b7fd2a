// `npm run bench:background`: what a row of each background job that works in
// volume costs: commands to MongoDB, CPU of its process and of mongod. Neighbours
// answer at once and cost nothing.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "mongoose";
import { pino } from "pino";
import { startMongo } from "../../../deploy/local/servers.js";
import { migrations as complianceMigrations } from "../../../services/compliance/store/migrations.js";
import { startExpiry } from "../../../services/remittance/jobs/expiry.js";
import { createRemittanceStore } from "../../../services/remittance/store/index.js";
import { migrations as remittanceMigrations } from "../../../services/remittance/store/migrations.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import { eventRow } from "../../../services/platform/events/row.js";
import { startServiceRelays } from "../../../services/platform/events/relays.js";
import { connectMongo } from "../../../services/kernel/mongo/connect.js";
import { runMigrations, type Migration } from "../../../services/kernel/mongo/migrations.js";
import { inTransaction } from "../../../services/kernel/mongo/transaction.js";
import { createOutbox, rowKindsOf, type NewRow, type RowHandler } from "../../../services/kernel/outbox/index.js";
import { holdExpiry } from "../../../services/wallet/jobs/hold-expiry.js";
import { rowKinds } from "../../../services/wallet/row-kinds.js";
import { createWalletStore } from "../../../services/wallet/store/index.js";
import { migrations as walletMigrations } from "../../../services/wallet/store/migrations.js";
import { overdueRows } from "./overdue.js";
import { lineOf, measure, type Row } from "./measure.js";
import { createReservations } from "./releases.js";

const { nothing } = rowKindsOf({ nothing: "bench.nothing" });

const rows = process.argv.includes("--quick") ? 600 : 3_000;
const tenantId = "bench";
const log = pino({ level: "silent" });
const dir = mkdtempSync(join(tmpdir(), "manilla-bench-background-"));
const server = await startMongo({ dir });
const opened: (() => Promise<void>)[] = [];

try {
  const found = [...(await benchRelay()), await benchExpiry(), ...(await benchReservations()), await benchHolds()];
  report(found);
} finally {
  for (const close of opened) await close();
  await server.kill();
  rmSync(dir, { recursive: true, force: true });
}

async function open(database: string, migrations: readonly Migration[]): Promise<Connection> {
  const { db, close } = await connectMongo({ uri: server.uri, database, log, monitorCommands: true });
  opened.push(close);
  await runMigrations(db, migrations, log);
  return db;
}

/** Adds rows, then runs them until none is due. */
async function relayed(job: string, db: Connection, added: NewRow[], handlers: Record<string, RowHandler>) {
  const outbox = createOutbox({ db, clock: systemClock, log, service: "bench" });
  for (let from = 0; from < added.length; from += 500) {
    const some = added.slice(from, from + 500);
    await inTransaction(db, async (session) => (await outbox.addAll(some, session), true), {
      readBack: async () => undefined,
    });
  }
  const events = { publishEvents: async () => ({}) } as never;
  const due = db.collection("outbox");
  return measure(job, { db, mongod: server.pid }, added.length, async () => {
    const relay = startServiceRelays({ outbox, events, handlers, concurrency: 32 });
    while ((await due.countDocuments({ state: "DUE" }, { limit: 1 })) > 0) await sleep(50);
    await relay.stop();
  });
}

async function benchRelay(): Promise<Row[]> {
  const db = await open("bench_relay", remittanceMigrations);
  const cause = { tenantId, interactionId: "bench", actor: "bench" };
  const work = Array.from({ length: rows }, () => ({
    ...cause,
    aggregate: `thing:${randomUUID()}`,
    seq: 1,
    kind: nothing,
    payload: {},
  }));
  const published = Array.from({ length: rows }, () =>
    eventRow(cause, {
      type: "wallet.frozen",
      subjectId: randomUUID(),
      version: 1,
      at: new Date(),
      data: { some: "text of an event".repeat(40) } as never,
    }),
  );
  return [
    await relayed("outbox relay: a row whose work is nothing", db, work, { [nothing]: async () => undefined }),
    await relayed("outbox relay: a row that tells an event", db, published, {}),
  ];
}

async function benchExpiry(): Promise<Row> {
  const db = await open("bench_expiry", remittanceMigrations);
  await db.collection("transactions").insertMany(overdueRows(tenantId, rows));
  const outbox = createOutbox({ db, clock: systemClock, log, service: "bench" });
  const store = createRemittanceStore(db);
  const job = startExpiry({ store, outbox, clock: systemClock, log, everyMs: 3_600_000 });
  const row = await measure("remittance: an unpaid transaction expires", { db, mongod: server.pid }, rows, () =>
    job.sweepNow(),
  );
  await job.stop();
  return row;
}

async function benchReservations(): Promise<Row[]> {
  const db = await open("bench_compliance", complianceMigrations);
  const reservations = createReservations(db, log);
  const at = { db, mongod: server.pid };
  const found: Row[] = [];
  for (const to of ["CONFIRMED", "RELEASED"] as const) {
    const ids = await reservations.hold(rows / 10, 10);
    const what = `compliance: a reservation is ${to.toLowerCase()} by itself, 32 at a time`;
    found.push(await measure(what, at, rows, () => atOnce(32, ids, (id) => reservations.settle(id, to))));
  }
  for (const each of [1, 10, 300]) {
    const ids = await reservations.hold(rows / each, each);
    const what = `compliance: 300 reservations are released together, ${each} of a customer`;
    const groups = Array.from({ length: rows / 300 }, (_, index) => ids.slice(index * 300, index * 300 + 300));
    found.push(await measure(what, at, rows, () => atOnce(1, groups, reservations.releaseAll)));
  }
  return found;
}

async function benchHolds(): Promise<Row> {
  const db = await open("bench_wallet", walletMigrations);
  const store = createWalletStore(db);
  const ids = Array.from({ length: rows }, () => randomUUID());
  const amount = { minor: 1n, currency: "USD" };
  const at = new Date();
  await db.collection<{ _id: string }>("holds").insertMany(
    ids.map((id) => ({
      _id: id,
      tenantId,
      accountId: id,
      customerId: id,
      payeeAccountId: "p",
      payeeCustomerId: "p",
      amount,
      description: "",
      status: "HELD",
      createdAt: at,
      expiresAt: at,
    })),
  );
  const outbox = createOutbox({ db, clock: systemClock, log, service: "bench" });
  const added = ids.map((holdId) => ({
    tenantId,
    interactionId: "bench",
    actor: "bench",
    aggregate: `hold:${holdId}`,
    seq: 1,
    kind: rowKinds.expireHold,
    payload: { holdId },
  }));
  return relayed("wallet: a hold expires, and compliance is told", db, added, {
    [rowKinds.expireHold]: holdExpiry(store, outbox),
    "compliance.free-limit": async () => undefined,
  });
}

async function atOnce<T>(count: number, all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  const left = [...all];
  const worker = async () => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await work(one);
  };
  await Promise.all(Array.from({ length: count }, worker));
}

function report(found: readonly Row[]): void {
  const text = [
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load average ${loadavg()[0]?.toFixed(1)}`,
    "",
    "| job | rows | commands a row | CPU of its process, ms | of mongod, ms | together |",
    "| --- | --- | --- | --- | --- | --- |",
    ...found.map(lineOf),
    "",
  ];
  process.stdout.write(text.join("\n"));
}
