import mongoose, { type Connection } from "mongoose";
import type { Logger } from "../log.js";

export interface MongoOptions {
  uri: string;
  database: string;
  log: Logger;
  /** Command events for the tests' tenant monitor. On under NODE_ENV=test. */
  monitorCommands?: boolean;
}

export interface MongoConnection {
  db: Connection;
  close(): Promise<void>;
}

/**
 * Connects a service to its own database: int64 is read as bigint, writes are majority and journaled,
 * reads are primary and majority. Throws when no primary answers within 10 s.
 */
export async function connectMongo({ uri, database, log, monitorCommands }: MongoOptions): Promise<MongoConnection> {
  const db = mongoose.createConnection(uri, {
    dbName: database,
    useBigInt64: true,
    ignoreUndefined: true,
    maxPoolSize: 10,
    serverSelectionTimeoutMS: 10_000,
    // A set of one comes back within a second or two: notice it soon.
    heartbeatFrequencyMS: 2_000,
    readPreference: "primary",
    readConcernLevel: "majority",
    writeConcern: { w: "majority", journal: true },
    retryWrites: true,
    retryReads: true,
    autoIndex: false,
    autoCreate: false,
    monitorCommands: monitorCommands ?? process.env["NODE_ENV"] === "test",
  });
  await db.asPromise();
  db.on("error", (error: unknown) => log.error({ err: error }, "MongoDB connection error"));
  db.on("disconnected", () => log.warn("MongoDB is away"));
  db.on("reconnected", () => log.info("MongoDB is back"));
  return { db, close: () => db.close() };
}
