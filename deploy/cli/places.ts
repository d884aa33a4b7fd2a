import { readFileSync } from "node:fs";
import type { Connection, mongo } from "mongoose";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { acrossTenantsComment } from "../../services/kernel/mongo/tenant-collection.js";
import { createLogger } from "../../services/kernel/process/log.js";

/** Services that have a database, each named `manilla_<service>`. */
export const databaseServices = [
  "identity",
  "compliance",
  "remittance",
  "wallet",
  "lending",
  "investment",
  "ledger",
  "events",
] as const;
export type DatabaseService = (typeof databaseServices)[number];

/** The databases of one cell, which the operator's tools open past the services. */
export interface Place {
  readonly databases: ReadonlyMap<DatabaseService, Connection>;
  close(): Promise<void>;
}

export const comment = `${acrossTenantsComment}operator's tool`;

/**
 * Connection strings by service: `given` is one for all, or a file of JSON such as
 * {"*": "mongodb://…", "ledger": "mongodb://…"}, which keeps passwords off the command line. Throws
 * naming the service that has none.
 */
export function urisOf(given: string, read = (file: string) => readFileSync(file, "utf8")) {
  const isUri = given.startsWith("mongodb://") || given.startsWith("mongodb+srv://");
  const byService = isUri ? { "*": given } : (JSON.parse(read(given)) as Record<string, unknown>);
  return new Map(
    databaseServices.map((service) => {
      const uri = byService[service] ?? byService["*"];
      if (typeof uri !== "string") throw new Error(`${given} names no database for ${service}, and none for "*"`);
      return [service, uri] as const;
    }),
  );
}

/** Opens them. `prefix` is what the databases' names begin with. */
export async function openPlace(given: string, prefix = "manilla_"): Promise<Place> {
  const log = createLogger({ service: "ops", level: "error" });
  const opened: Awaited<ReturnType<typeof connectMongo>>[] = [];
  const close = async () => void (await Promise.all(opened.map((one) => one.close())));
  const databases = new Map<DatabaseService, Connection>();
  try {
    for (const [service, uri] of urisOf(given)) {
      const connected = await connectMongo({ uri, database: `${prefix}${service}`, log });
      opened.push(connected);
      databases.set(service, connected.db);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { databases, close };
}

/** The operator's tools keep one document in it while they change what is held. */
export const lockCollection = "operators_lock";

/** The driver's own database. */
export function nativeOf(db: Connection): mongo.Db {
  if (!db.db) throw new Error("MongoDB is not connected");
  return db.db;
}

/** Names of a database's own collections, in order; without the one of these tools. */
export async function collectionNames(db: Connection): Promise<string[]> {
  const found = await nativeOf(db).listCollections({}, { nameOnly: true }).toArray();
  return found
    .map(({ name }) => name)
    .filter((name) => !name.startsWith("system.") && name !== lockCollection)
    .sort();
}
