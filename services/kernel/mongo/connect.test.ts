import mongoose from "mongoose";
import { silentLog, testDatabase, testTenant } from "../../../test/support/index.js";
import { connectMongo } from "./connect.js";
import { tenantCollection } from "./tenant-collection.js";

test("reads int64 as bigint, small whole numbers as number and dates as dates", async () => {
  const { db, close } = await testDatabase("connect");
  const rows = tenantCollection<{ _id: string; tenantId: string; values?: unknown[] }>(db, "rows").forTenant(
    testTenant(),
  );
  const values = [1n, 2n ** 62n, 5, 2 ** 40, 1.5, new Date(5), "x", null, true];
  await rows.insertOne({ _id: testTenant(), values });
  expect((await rows.findOne({}))?.values).toEqual(values);
  await close();
});

test("asks for majority, journal and primary everywhere", async () => {
  const { db, close } = await testDatabase("connect");
  const { options } = db.getClient();
  expect(options).toMatchObject({ maxPoolSize: 10, retryWrites: true, useBigInt64: true, ignoreUndefined: true });
  expect(options.writeConcern).toMatchObject({ w: "majority", journal: true });
  expect(options.readConcern?.level).toBe("majority");
  expect(options.readPreference.mode).toBe("primary");
  await close();
});

test("leaves nothing behind when nobody answers", async () => {
  const before = mongoose.connections.length;
  const uri = "mongodb://127.0.0.1:1";
  await expect(connectMongo({ uri, database: "x", log: silentLog, selectWithinMs: 50 })).rejects.toThrow(
    /ECONNREFUSED/,
  );
  expect(mongoose.connections).toHaveLength(before);
});
