import mongoose, { type Connection } from "mongoose";
import type { Logger } from "../process/log.js";
import { quietPools } from "./quiet-pool.js";

export interface MongoOptions {
  uri: string;
  database: string;
  log: Logger;
  /** Command events for the tests' tenant monitor. On under NODE_ENV=test. */
  monitorCommands?: boolean;
  /** How long a call waits for a primary before it fails, in ms. */
  selectWithinMs?: number;
}

export interface MongoConnection {
  db: Connection;
  close(): Promise<void>;
}

/**
 * Connects a service to its own database: int64 is read as bigint, writes are majority and
 * journaled, reads are primary and majority. Throws when no primary answers within `selectWithinMs`
 * (10 s).
 */
export async function connectMongo(options: MongoOptions): Promise<MongoConnection> {
  const { uri, database, log, monitorCommands, selectWithinMs = 10_000 } = options;
  const db = mongoose.createConnection(uri, {
    dbName: database,
    useBigInt64: true,
    ignoreUndefined: true,
    maxPoolSize: 10,
    serverSelectionTimeoutMS: selectWithinMs,
    // One who waits for a primary looks twice a second whatever this says, and a set tells of a new
    // one by itself: a process that is not called need not ask often.
    heartbeatFrequencyMS: 10_000,
    readPreference: "primary",
    readConcernLevel: "majority",
    writeConcern: { w: "majority", journal: true },
    retryWrites: true,
    retryReads: true,
    autoIndex: false,
    autoCreate: false,
    monitorCommands: monitorCommands ?? process.env["NODE_ENV"] === "test",
  });
  try {
    await db.asPromise();
  } catch (error) {
    // Otherwise it would go on looking for its servers, and mongoose would keep it.
    await db.destroy();
    throw error;
  }
  quietPools(db.getClient());
  db.on("error", (error: unknown) => log.error({ err: error }, "MongoDB connection error"));
  db.on("disconnected", () => log.warn("MongoDB is away"));
  db.on("reconnected", () => log.info("MongoDB is back"));
  return { db, close: () => db.destroy() };
}
