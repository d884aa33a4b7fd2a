import { rmSync } from "node:fs";
import { mongo } from "mongoose";
import type { TestServers } from "./global-setup.js";

export default async function globalTeardown(): Promise<void> {
  const servers = (globalThis as { testServers?: TestServers }).testServers;
  if (servers === undefined) return;
  servers.isStopping = true;
  if (servers.mostFiles !== undefined) console.log(`mongod had at most ${servers.mostFiles} files open at once.`);
  if (servers.mongo === undefined) await dropDatabases();
  await Promise.all([servers.mongo?.kill(), servers.redis?.kill()]);
  rmSync(servers.dir, { recursive: true, force: true });
}

/** On a server that is not the run's own, its databases must not stay. */
async function dropDatabases(): Promise<void> {
  const { MONGODB_URI: uri, TEST_RUN: run } = process.env;
  if (uri === undefined || run === undefined) return;
  const client = new mongo.MongoClient(uri);
  try {
    const { databases } = await client.db("admin").admin().listDatabases({ nameOnly: true });
    const own = databases.filter(({ name }) => name.startsWith(`test_${run}_`));
    for (const { name } of own) await client.db(name).dropDatabase();
  } finally {
    await client.close();
  }
}
