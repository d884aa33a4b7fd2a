import { Redis } from "ioredis";
import { mongo } from "mongoose";
import { StartError } from "./start-error.js";

const timeoutMs = 5_000;

/**
 * That the MongoDB of MONGODB_URI answers and has transactions. Throws StartError, which never
 * repeats a password.
 */
export async function checkGivenMongo(uri: string): Promise<void> {
  let client: mongo.MongoClient | undefined;
  let hello: mongo.BSON.Document;
  try {
    client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: timeoutMs, connectTimeoutMS: timeoutMs });
    hello = await client.db("admin").command({ hello: 1 });
  } catch (error) {
    throw cannotReach("MongoDB", "MONGODB_URI", uri, error);
  } finally {
    await client?.close();
  }
  // A mongos calls itself "isdbgrid".
  if (hello["setName"] === undefined && hello["msg"] !== "isdbgrid") {
    throw new StartError(
      `The MongoDB at ${whereOf(uri)} (MONGODB_URI) is no replica set, and transactions need one: start it with --replSet.`,
    );
  }
}

/** That the Redis of REDIS_URL answers. Throws StartError. */
export async function checkGivenRedis(url: string): Promise<void> {
  let redis: Redis | undefined;
  let lastError: unknown;
  try {
    redis = new Redis(url, { lazyConnect: true, connectTimeout: timeoutMs, retryStrategy: () => null });
    redis.on("error", (error) => (lastError = error));
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw cannotReach("Redis", "REDIS_URL", url, lastError ?? error);
  } finally {
    redis?.disconnect();
  }
}

function cannotReach(server: string, variable: string, uri: string, error: unknown): StartError {
  const reason = (error as Error).message.replaceAll(/\/\/[^@/\s]*@/g, "//");
  return new StartError(`The ${server} at ${whereOf(uri)} (${variable}) cannot be reached: ${reason}.`);
}

/** Hosts of a connection string, without user and password. */
function whereOf(uri: string): string {
  return /^[a-z0-9+]+:\/\/(?:[^@/]*@)?([^/?]*)/i.exec(uri)?.[1] || "an address that is none";
}
