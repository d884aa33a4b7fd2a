import { mongo } from "mongoose";

/**
 * Gives mongod the cache that a small one of its own would have: what local clusters share a
 * machine with is not what is measured.
 */
export async function giveCache(uri: string): Promise<void> {
  const client = await mongo.MongoClient.connect(uri);
  try {
    await client.db("admin").command({ setParameter: 1, wiredTigerEngineRuntimeConfig: "cache_size=1GB" });
  } finally {
    await client.close();
  }
}
