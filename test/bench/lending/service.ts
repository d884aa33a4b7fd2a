import { pino } from "pino";
import { migrations } from "../../../services/lending/store/migrations.js";
import { createLendingStore } from "../../../services/lending/store/index.js";
import { connectMongo } from "../../../services/kernel/mongo/connect.js";
import { runMigrations } from "../../../services/kernel/mongo/migrations.js";

export const tenantId = "bench";
export const database = "bench_lending";

/** The loans of the service, on a database. */
export async function openLending(uri: string) {
  const log = pino({ level: "silent" });
  const mongo = await connectMongo({ uri, database, log });
  await runMigrations(mongo.db, migrations, log);
  const store = createLendingStore(mongo.db);
  return { db: mongo.db, store, close: mongo.close };
}
