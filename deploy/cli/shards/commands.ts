import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Connection } from "mongoose";
import { collectionNames, nativeOf, openPlace, type Place } from "../places.js";
import {
  countCrossing,
  planPrepare,
  planZone,
  shardFaults,
  type CommitTypes,
  type Sharded,
  type Step,
  type ZoneRange,
} from "./plan.js";

type Print = (line: string) => void;

/** Shards every collection that a service's migrations have made. Prints each command first. */
export async function prepareShards(uri: string, isDryRun: boolean, print: Print): Promise<void> {
  await withRouter(uri, async (place) => {
    await eachDatabase(place, async (db, name, collections) => {
      const steps = planPrepare(name, collections, await configOf<Sharded>(db, "collections"));
      await carryOut(db, steps, isDryRun, print);
    });
  });
}

/** Puts a tenant's documents on one shard, which gets the zone. Prints each command first. */
export async function assignZone(
  uri: string,
  { tenantId, shard }: { tenantId: string; shard: string },
  isDryRun: boolean,
  print: Print,
): Promise<void> {
  await withRouter(uri, async (place) => {
    const zone = shard;
    let isFirst = true;
    await eachDatabase(place, async (db, name, collections) => {
      const steps = planZone(name, collections, { tenantId, zone }, await configOf<ZoneRange>(db, "tags"));
      const added = { database: "admin", command: { addShardToZone: shard, zone } };
      await carryOut(db, isFirst ? [added, ...steps] : steps, isDryRun, print);
      isFirst = false;
    });
    print("the balancer moves what lies elsewhere: sh.isBalancerRunning(), sh.balancerCollectionStatus()");
  });
}

/**
 * Runs the end-to-end suite against a cluster that holds nothing yet, and the bank while its
 * ledgers are killed; then looks whether every collection is sharded by tenant and no transaction
 * left its shard. True where all of it holds.
 */
export async function checkShards(uri: string, print: Print): Promise<boolean> {
  if (!existsSync("jest.config.cjs"))
    throw new Error("shards check runs the suite: start it in a checkout of the source");
  const before = await withRouter(uri, async (place) => {
    for (const db of place.databases.values()) {
      const [one] = await collectionNames(db);
      if (one !== undefined)
        throw new Error(`${nativeOf(db).databaseName} is not empty: the suite needs a cluster of its own`);
    }
    return commitTypesOf(place);
  });
  const ended = { "the suite": await runSuite(uri), "the bank": await runBank(uri) };
  return withRouter(uri, async (place) => {
    const faults = Object.entries(ended)
      .filter(([, status]) => status !== 0)
      .map(([name, status]) => `${name} ended with status ${status}`);
    await eachDatabase(place, async (db, name, collections) => {
      faults.push(...shardFaults(name, collections, await configOf<Sharded>(db, "collections")));
    });
    const { crossed, all } = countCrossing(before, await commitTypesOf(place));
    if (all === 0n) faults.push("this router saw no transaction: name one router, and the one that the suite uses");
    if (crossed > 0n) faults.push(`${crossed} of ${all} transactions reached more than one shard`);
    faults.forEach(print);
    print(`${all} transactions, ${crossed} of more than one shard, ${faults.length} faults`);
    return faults.length === 0;
  });
}

function runSuite(uri: string): Promise<number> {
  return runJest(["--selectProjects", "e2e"], { MONGODB_URI: uri });
}

/**
 * Two ledgers on the cluster that are killed in turn while clients
 * move money; it must always add up.
 */
function runBank(uri: string): Promise<number> {
  return runJest(["--selectProjects", "faults", "--testPathPatterns", "ledger-bank"], { BANK_MONGODB_URI: uri });
}

/** By the environment and not by an argument: the connection string holds a password. */
function runJest(args: readonly string[], given: Record<string, string>): Promise<number> {
  const { MONGODB_URI: _of, ...env } = process.env;
  const child = spawn("npm", ["run", "jest", "--", ...args, "--maxWorkers=1"], {
    stdio: "inherit",
    env: { ...env, ...given, TEST_DEPTH: "ci" },
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (status) => resolve(status ?? 1));
  });
}

async function carryOut(db: Connection, steps: readonly Step[], isDryRun: boolean, print: Print): Promise<void> {
  for (const { database, command } of steps) {
    print(`${isDryRun ? "would run" : "runs"} on ${database}: ${JSON.stringify(command)}`);
    if (!isDryRun) await db.getClient().db(database).command(command);
  }
}

async function withRouter<T>(uri: string, work: (place: Place) => Promise<T>): Promise<T> {
  const place = await openPlace(uri);
  try {
    for (const [service, db] of place.databases) {
      const { msg } = await nativeOf(db).admin().command({ hello: 1 });
      if (msg !== "isdbgrid") throw new Error(`the database of ${service} is behind no mongos: there are no shards`);
    }
    return await work(place);
  } finally {
    await place.close();
  }
}

async function eachDatabase(
  place: Place,
  work: (db: Connection, name: string, collections: string[]) => Promise<void>,
): Promise<void> {
  for (const db of place.databases.values()) await work(db, nativeOf(db).databaseName, await collectionNames(db));
}

function configOf<T>(db: Connection, name: string): Promise<T[]> {
  return db.getClient().db("config").collection(name).find().toArray() as unknown as Promise<T[]>;
}

async function commitTypesOf(place: Place): Promise<CommitTypes> {
  const [db] = place.databases.values();
  const status = await nativeOf(db!).admin().command({ serverStatus: 1 });
  return (status["transactions"] as { commitTypes?: CommitTypes } | undefined)?.commitTypes ?? {};
}
