import type { Connection } from "mongoose";
import { testDatabase } from "../../../test/support/index.js";
import { createIndexes } from "./migrations.js";
import { shardByTenant } from "./sharding.js";

/** A connection that notes what it is told, behind a mongos or not; there is none to start here. */
function createConnection(msg?: string) {
  const commands: object[] = [];
  const admin = {
    command: async (command: object) => (commands.push(command), "hello" in command ? { msg } : { ok: 1 }),
  };
  const collection = (name: string) => ({
    createIndex: async (key: object) => void commands.push({ createIndex: name, key }),
    createIndexes: async (indexes: object[]) => void commands.push({ createIndexes: name, count: indexes.length }),
  });
  const db = { databaseName: "manilla_test", admin: () => admin, collection };
  return { connection: { db } as unknown as Connection, commands };
}

test("on a mongos, every collection that migrations make is sharded by tenant and nothing else", async () => {
  const { connection, commands } = createConnection("isdbgrid");
  await createIndexes(connection, "payments", [{ key: { tenantId: 1, reference: 1 }, unique: true }]);
  await createIndexes(connection, "heads", []);
  expect(commands).toEqual([
    { createIndexes: "payments", count: 1 },
    { hello: 1 },
    { createIndex: "payments", key: { tenantId: 1 } },
    { shardCollection: "manilla_test.payments", key: { tenantId: 1 } },
    { createIndex: "heads", key: { tenantId: 1 } },
    { shardCollection: "manilla_test.heads", key: { tenantId: 1 } },
  ]);
});

test.each(["hosts", "keys", "migrations"])("%s stays whole", async (name) => {
  const { connection, commands } = createConnection("isdbgrid");
  await shardByTenant(connection, name);
  expect(commands).toEqual([]);
});

test("elsewhere nothing is done", async () => {
  const { connection, commands } = createConnection();
  await shardByTenant(connection, "payments");
  await shardByTenant(connection, "payments");
  expect(commands).toEqual([{ hello: 1 }]);
  const { db, close } = await testDatabase("sharding");
  await shardByTenant(db, "payments");
  expect(await db.db!.listCollections().toArray()).toEqual([]);
  await close();
});

/** A router whose user may not shard; what `collStats` says of the collection. */
function unprivileged(sharded: boolean) {
  const refused = Object.assign(new Error("not authorized on admin"), { name: "MongoServerError", code: 13 });
  const admin = {
    command: async (command: object) => {
      if ("shardCollection" in command) throw refused;
      return { msg: "isdbgrid" };
    },
  };
  const collection = () => ({ createIndex: async () => undefined });
  const command = async () => ({ sharded });
  return { db: { databaseName: "manilla_test", admin: () => admin, collection, command } } as unknown as Connection;
}

test("a user who may not shard migrates what the operator has sharded, and is told of what is not", async () => {
  await shardByTenant(unprivileged(true), "payments");
  await expect(shardByTenant(unprivileged(false), "payments")).rejects.toThrow(
    "the migrations' user may not shard manilla_test.payments",
  );
});
