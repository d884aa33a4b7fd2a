import type { Connection } from "mongoose";
import { nativeCollection } from "./native-collection.js";

/**
 * Whole on one shard: what is in them is unique whatever the tenant (a host, the key that signs or
 * seals), or belongs to none.
 */
export const wholeCollections: ReadonlySet<string> = new Set([
  "migrations",
  "hosts",
  "keys",
  "data_keys",
  "master_keys",
  "replicas",
  "lives",
]);

const routers = new WeakMap<Connection, Promise<boolean>>();

/** True on a mongos, in front of a sharded cluster. */
function isRouter(db: Connection): Promise<boolean> {
  let known = routers.get(db);
  if (known === undefined) {
    known = adminOf(db)
      .command({ hello: 1 })
      .then(({ msg }) => msg === "isdbgrid");
    known.catch(() => routers.delete(db));
    routers.set(db, known);
  }
  return known;
}

/**
 * Spreads a collection over the shards by tenant, exactly, where there are shards: a tenant's
 * documents stay together, so that its transactions need no second shard and unique indexes, which
 * begin with the tenant, stay legal. Safe to run again.
 */
export async function shardByTenant(db: Connection, collection: string): Promise<void> {
  if (wholeCollections.has(collection) || !(await isRouter(db))) return;
  // A key needs an index that leaves no document out, which those of the service may do.
  await nativeCollection(db, collection).createIndex({ tenantId: 1 }, { name: "shard" });
  const shardCollection = `${db.db!.databaseName}.${collection}`;
  try {
    await adminOf(db).command({ shardCollection, key: { tenantId: 1 } });
  } catch (error) {
    if (!isUnauthorized(error) || !(await isSharded(db, collection))) throw notSharded(shardCollection, error);
  }
}

/** What a user of the database alone may see. */
async function isSharded(db: Connection, collStats: string): Promise<boolean> {
  return (await db.db!.command({ collStats }))["sharded"] === true;
}

const isUnauthorized = (error: unknown) => error instanceof Error && "code" in error && error.code === 13;

function notSharded(collection: string, cause: unknown): unknown {
  if (!isUnauthorized(cause)) return cause;
  const remedy = "migrate with a user who may enableSharding, or see docs/operations/scaling.md";
  return new Error(`the migrations' user may not shard ${collection}: ${remedy}`, { cause });
}

function adminOf(db: Connection) {
  if (!db.db) throw new Error("MongoDB is not connected");
  return db.db.admin();
}
