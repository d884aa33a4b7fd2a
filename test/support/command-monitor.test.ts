import type { mongo } from "mongoose";
import { testDatabase, testTenant, type TestDatabase } from "./index.js";
import { takeViolations } from "./tenant-watch.js";
import { watchTenantCommands, type TenantWatch } from "./command-monitor.js";
import { inTransaction } from "../../services/kernel/mongo/transaction.js";
import { acrossTenants, tenantCollection } from "../../services/kernel/mongo/tenant-collection.js";

let database: TestDatabase;
let raw: mongo.Collection;
let watch: TenantWatch;
beforeAll(async () => {
  database = await testDatabase("command_monitor");
  raw = database.db.db?.collection("things") as mongo.Collection;
  await raw.createIndex({ tenantId: 1, name: 1 });
  watch = watchTenantCommands(database.db.getClient());
});
afterAll(async () => {
  watch.stop();
  await database.close();
});
beforeEach(() => watch.reset());

const violations: [string, () => Promise<unknown>][] = [
  ["find", () => raw.findOne({ name: "x" })],
  ["find", () => raw.findOne({ $or: [{ tenantId: "a" }] })],
  ["find", () => raw.findOne({ tenantId: { $in: ["a", "b"] } })],
  ["find", () => raw.findOne({ tenantId: "" })],
  ["insert", () => raw.insertOne({ name: "x" })],
  ["insert", () => raw.insertMany([{ tenantId: "a" }, { name: "x" }])],
  ["update", () => raw.updateOne({ name: "x" }, { $set: { a: 1 } })],
  ["update", () => raw.updateMany({}, { $set: { a: 1 } })],
  ["delete", () => raw.deleteMany({ name: "none" })],
  ["findAndModify", () => raw.findOneAndUpdate({ name: "x" }, { $set: { a: 1 } })],
  ["aggregate", () => raw.aggregate([{ $group: { _id: "$tenantId" } }]).toArray()],
  ["aggregate", () => raw.aggregate([{ $match: { tenantId: "a" } }, { $unionWith: "things" }]).toArray()],
  ["aggregate", () => raw.countDocuments({ name: "x" })],
  ["count", () => raw.estimatedDocumentCount()],
  ["distinct", () => raw.distinct("name", {})],
  ["find", () => database.db.collection("things").findOne({ name: "x" })],
  ["delete", () => raw.bulkWrite([{ insertOne: { document: { tenantId: "a" } } }, { deleteOne: { filter: {} } }])],
];
test.each(violations)("sees a %s without a tenant (%#)", async (command, send) => {
  await send();
  // On purpose: the watch of all tests must not fail this one.
  expect(takeViolations()).toHaveLength(1);
  expect(watch.violations()).toEqual([expect.stringMatching(new RegExp(`^${command} things: `))]);
});

describe("across tenants, what a router of shards refuses is seen on one server too:", () => {
  const of = (name: string) => acrossTenants<{ _id: string; tenantId: string; n?: number }>(database.db, name, "test");
  const things = () => of("things");
  const set = { $set: { n: 1 } };
  const one = testTenant();

  test.each<[string, () => Promise<unknown>]>([
    ["findAndModify", () => things().findOneAndUpdate({ _id: one }, set)],
    ["update", () => things().updateOne({ n: 1 }, set)],
    ["update", () => things().updateOne({ _id: { $in: [one] } }, set)],
    ["update", () => things().updateOne({ _id: one }, { $setOnInsert: { tenantId: one } }, { upsert: true })],
    ["delete", () => things().deleteOne({ n: 1 })],
  ])("%s without a tenant (%#)", async (command, send) => {
    await send();
    expect(takeViolations()).toHaveLength(1);
    expect(watch.violations()).toEqual([`${command} things: filter without a tenant`]);
  });

  test("but not what every shard can be asked, nor what stays whole", async () => {
    await things().findOneAndUpdate({ _id: one, tenantId: one }, set);
    await things().updateOne({ _id: one }, set);
    await things().updateOne({ tenantId: one }, set, { upsert: true });
    await things().updateMany({ n: 5 }, set);
    await things().deleteMany({ n: 5 });
    await of("hosts").findOneAndUpdate({ _id: "a.test" }, set);
    expect(watch.violations()).toEqual([]);
  });
});

test("is content with the guarded collections", async () => {
  const things = tenantCollection<{ _id: string; tenantId: string; n?: number }>(database.db, "things").forTenant(
    testTenant(),
  );
  await things.insertOne({ _id: testTenant() });
  await things.updateOne({}, { $set: { n: 1 } });
  await things.findOneAndUpdate({}, { $set: { n: 2 } });
  await things.bulkWrite([
    { updateMany: { filter: {}, update: { $set: { n: 3 } } } },
    { insertOne: { document: { _id: testTenant() } } },
  ]);
  await things.count({});
  await things.aggregate([{ $facet: { all: [{ $match: { n: 3 } }] } }]);
  for await (const _ of things.stream({}, { batchSize: 1 }));
  await things.deleteMany({});
  await inTransaction(database.db, (session) => things.insertOne({ _id: testTenant() }, { session }), {
    readBack: async () => undefined,
  });
  expect(watch.violations()).toEqual([]);
});

test("knows what crosses tenants on purpose, in every command", async () => {
  const everywhere = acrossTenants<{ _id: string; tenantId?: string; n?: number }>(database.db, "things", "a test");
  await everywhere.insertOne({ _id: testTenant() });
  await everywhere.insertMany([{ _id: testTenant() }]);
  await everywhere.find({});
  await everywhere.findOne({ n: 1 });
  await everywhere.updateOne({ _id: "none" }, { $set: { n: 2 } });
  await everywhere.updateMany({ n: 1 }, { $set: { n: 2 } });
  await everywhere.findOneAndUpdate({ tenantId: "a", n: 1 }, { $set: { n: 2 } });
  await everywhere.count({});
  await everywhere.aggregate([{ $group: { _id: null } }]);
  await everywhere.bulkWrite([
    { updateOne: { filter: { _id: "none" }, update: { $set: { n: 2 } } } },
    { deleteOne: { filter: { _id: "none" } } },
    { insertOne: { document: { _id: testTenant() } } },
  ]);
  await everywhere.deleteOne({ _id: "none" });
  await everywhere.deleteMany({ n: 9 });
  expect(watch.violations()).toEqual([]);
});

test("the watch of all tests sees connections that services make", async () => {
  await raw.findOne({ name: "x" });
  expect(takeViolations()).toEqual(["find things: filter without a tenant"]);
  expect(takeViolations()).toEqual([]);
});
