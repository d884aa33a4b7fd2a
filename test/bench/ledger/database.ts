import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "mongoose";
import { startMongo, type RunningMongo } from "../../../deploy/local/servers.js";
import { chartRow } from "../../../services/ledger/domain/chart.js";
import { migrations } from "../../../services/ledger/store/migrations.js";
import type { AccountInfo } from "../../../services/ledger/domain/model.js";
import { createLedgerStore } from "../../../services/ledger/store/index.js";
import { createLogger } from "../../../services/kernel/process/log.js";
import { connectMongo, type MongoConnection } from "../../../services/kernel/mongo/connect.js";
import { runMigrations } from "../../../services/kernel/mongo/migrations.js";

export interface Place {
  readonly dir: string;
  readonly mongo: RunningMongo;
  /** What a process of the ledger needs to serve a book. */
  process(book: Book): { dir: string; mongoUri: string; database: string; tenantId: string };
  /**
   * A database of its own with the ledger's indexes, and a tenant with so many wallets and the
   * bank.
   */
  open(name: string, accounts: number): Promise<Book>;
  close(): Promise<void>;
}

export interface Book {
  readonly name: string;
  readonly tenantId: string;
  readonly db: Connection;
}

export const hotAccount = "bank_settlement:USD";
export const accountName = (n: number) => `wallet-${n}`;

const log = createLogger({ service: "ledger", level: "error" });

/**
 * A mongod on disk: one member, journal on, 0.25 GB of cache as `npm start` gives it (mongod's own
 * default would be half of the machine's memory).
 */
export async function openPlace(): Promise<Place> {
  const dir = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "manilla-bench-"));
  const mongo = await startMongo({ dir: join(dir, "mongo") });
  const connections: MongoConnection[] = [];
  return {
    dir,
    mongo,
    process: ({ name, tenantId }) => ({ dir, mongoUri: mongo.uri, database: name, tenantId }),
    async open(name, accounts) {
      const { book, connection } = await openBook(mongo.uri, name, accounts);
      connections.push(connection);
      return book;
    },
    async close() {
      for (const { close } of connections) await close();
      await mongo.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The ledger's indexes in a database of a mongod that runs. */
export async function openBook(uri: string, name: string, accounts: number) {
  const connection = await connectMongo({ uri, database: name, log, monitorCommands: false });
  const { db } = connection;
  await runMigrations(db, migrations, log);
  const tenantId = randomUUID();
  await makeAccounts(db, tenantId, accounts);
  const book: Book = { name, tenantId, db };
  return { book, connection };
}

/** `bank_settlement:USD` and so many wallets. */
export async function makeAccounts(db: Connection, tenantId: string, count: number): Promise<void> {
  const store = createLedgerStore(db).forTenant(tenantId);
  const info = (accountId: string, code: string): AccountInfo => ({
    ...chartRow(code)!,
    accountId,
    code,
    currency: "USD",
    name: `USD wallet ${accountId}`,
    ownerId: "",
    flags: [],
    metadata: [],
    createdAt: new Date(),
  });
  await store.ensureAccounts([info(hotAccount, "bank_settlement")]);
  for (let from = 0; from < count; from += 1_000) {
    const size = Math.min(1_000, count - from);
    await store.ensureAccounts(Array.from({ length: size }, (_, n) => info(accountName(from + n), "customer_wallet")));
  }
}
