import { mongo } from "mongoose";
import { testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import { recordCollection, type RecordForm } from "./record-collection.js";
import { createTakeDue } from "./take-due.js";
import { acrossTenants, tenantCollection, TenantGuardError, type TenantCollection } from "./tenant-collection.js";

interface Purse {
  _id: string;
  tenantId: string;
  balance?: bigint;
  name?: string;
  tags?: string[];
  inner?: Record<string, unknown>;
}

let database: TestDatabase;
let own: TenantCollection<Purse>;
let other: TenantCollection<Purse>;
let ownTenant: string;
let otherTenant: string;

beforeAll(async () => {
  database = await testDatabase("tenant_collection");
});
afterAll(() => database.close());

beforeEach(async () => {
  [ownTenant, otherTenant] = [testTenant(), testTenant()];
  const purses = tenantCollection<Purse>(database.db, "purses");
  [own, other] = [purses.forTenant(ownTenant), purses.forTenant(otherTenant)];
  await own.insertMany([
    { _id: `${ownTenant}:1`, balance: 5n, name: "one" },
    { _id: `${ownTenant}:2`, balance: 7n, name: "two" },
  ]);
  await other.insertOne({ _id: `${otherTenant}:1`, balance: 100n, name: "one" });
});

describe("a tenant's collection", () => {
  test("reads, counts and pages its own documents only", async () => {
    expect(await own.find({}, { sort: { _id: 1 }, projection: { _id: 1 } })).toHaveLength(2);
    expect(await own.findOne({ name: "one" })).toEqual({
      _id: `${ownTenant}:1`,
      tenantId: ownTenant,
      balance: 5n,
      name: "one",
    });
    expect(await own.findOne({ _id: `${otherTenant}:1` })).toBeNull();
    expect(await own.count({})).toBe(2);
    const streamed: unknown[] = [];
    for await (const { name } of own.stream({}, { sort: { _id: 1 }, batchSize: 1 })) streamed.push(name);
    expect(streamed).toEqual(["one", "two"]);
    expect(await own.aggregate([{ $group: { _id: null, total: { $sum: "$balance" } } }])).toEqual([
      { _id: null, total: 12n },
    ]);
  });

  test("a stretch of an index stays within the tenant, whatever it names", async () => {
    await database.db.collection("purses").createIndex({ tenantId: 1, name: 1 }, { name: "named" });
    const stretch = (tenantId: string, max: string) => ({
      hint: "named",
      min: { tenantId, name: "one" },
      max: { tenantId, name: max },
    });
    const names = async (tenantId: string, max: string) =>
      (await own.find({}, stretch(tenantId, max))).map(({ name }) => name);
    expect(await names(ownTenant, "two")).toEqual(["one"]);
    expect(await names(ownTenant, "zzz")).toEqual(["one", "two"]);
    expect(await names(otherTenant, "zzz")).toEqual([]);
  });

  test("writes its own documents only", async () => {
    expect(await own.updateMany({}, { $inc: { balance: 1n } })).toEqual({
      matchedCount: 2,
      modifiedCount: 2,
      upsertedCount: 0,
    });
    expect(await own.updateOne({ _id: `${otherTenant}:1` }, { $set: { name: "x" } })).toMatchObject({
      matchedCount: 0,
    });
    expect(await own.deleteOne({ _id: `${otherTenant}:1` })).toEqual({ deletedCount: 0 });
    expect(await own.deleteMany({})).toEqual({ deletedCount: 2 });
    expect(await other.findOne({})).toMatchObject({ balance: 100n, name: "one" });
  });

  test("gives an upserted document its tenant", async () => {
    await own.updateOne({ _id: `${ownTenant}:9` }, { $set: { name: "nine" } }, { upsert: true });
    const after = await own.findOneAndUpdate(
      { _id: `${ownTenant}:9` },
      { $inc: { balance: 3n } },
      { returnDocument: "after" },
    );
    expect(after).toEqual({ _id: `${ownTenant}:9`, tenantId: ownTenant, name: "nine", balance: 3n });
  });

  test("writes many things in one round trip", async () => {
    const result = await own.bulkWrite([
      { insertOne: { document: { _id: `${ownTenant}:3` } } },
      { updateOne: { filter: { _id: `${ownTenant}:1` }, update: { $inc: { balance: -5n } } } },
      { updateMany: { filter: { name: "one" }, update: { $set: { tags: ["a"] } } } },
      { deleteOne: { filter: { _id: `${ownTenant}:2` } } },
    ]);
    expect(result).toEqual({ insertedCount: 1, matchedCount: 2, modifiedCount: 2, upsertedCount: 0, deletedCount: 1 });
    expect(await own.count({})).toBe(2);
    expect(await other.findOne({})).not.toHaveProperty("tags");
  });

  test("sets fields of many documents, each its own values, and another of all of them", async () => {
    const balances = new Map([
      [`${ownTenant}:1`, { balance: 9_223_372_036_854_775_807n, tags: ["$name"] }],
      [`${ownTenant}:2`, { balance: -3n, tags: [] }],
      [`${ownTenant}:3`, { balance: 1n, tags: [] }],
      [`${otherTenant}:1`, { balance: 0n, tags: [] }],
    ]);
    const met = await own.updateEach({}, { values: balances }, { "inner.note": "$name" });
    expect(met).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
    expect(await own.find({}, { sort: { _id: 1 } })).toMatchObject([
      { balance: 9_223_372_036_854_775_807n, tags: ["$name"], name: "one", inner: { note: "$name" } },
      { balance: -3n, tags: [], name: "two", inner: { note: "$name" } },
    ]);
    expect((await other.find({}))[0]?.balance).toBe(100n);
    const one = new Map([[`${ownTenant}:1`, { inner: { a: ["$name", 2n] } }]]);
    expect(await own.updateEach({ name: "two" }, { values: one }, {})).toMatchObject({ matchedCount: 0 });
    expect(await own.updateEach({ name: "one" }, { values: one }, {})).toMatchObject({ matchedCount: 1 });
    expect((await own.findOne({ name: "one" }))?.inner).toEqual({ a: ["$name", 2n] });
    expect(await own.updateEach({}, { values: new Map() }, {})).toMatchObject({ matchedCount: 0 });
    const byName = { by: "name", values: new Map([["one", { balance: 7n }]]) };
    expect(await own.updateEach({}, byName, {})).toMatchObject({ matchedCount: 1 });
    expect((await own.findOne({ name: "one" }))?.balance).toBe(7n);
    expect((await other.find({}))[0]?.balance).toBe(100n);
  });

  test("sets fields of many documents as far as each is as it is known to be", async () => {
    const byName = (first: bigint, second: bigint) =>
      new Map([
        ["one", { balance: first }],
        ["two", { balance: second }],
      ]);
    await own.updateEach({}, { by: "name", values: byName(5n, 6n) }, {});
    const values = byName(8n, 9n);
    // Each as it is known itself, not as any of them is.
    const swapped = { by: "name", values, known: byName(6n, 5n) };
    expect(await own.updateEach({}, swapped, {})).toMatchObject({ matchedCount: 0 });
    expect(await own.updateEach({}, { by: "name", values, known: byName(5n, 7n) }, {})).toMatchObject({
      matchedCount: 1,
    });
    expect(await own.find({}, { sort: { _id: 1 } })).toMatchObject([{ balance: 8n }, { balance: 6n }]);
    const reversed = { by: "name", values, known: new Map([...byName(8n, 6n)].toReversed()) };
    await expect(own.updateEach({}, reversed, {})).rejects.toThrow(TenantGuardError);
    await own.updateEach({}, { by: "name", values: byName(5n, 7n) }, {});
  });

  test("sets fields of more documents than one statement takes", async () => {
    const names = Array.from({ length: 700 }, (_, index) => `one of many ${index}`);
    await own.insertMany(names.map((name, index) => ({ _id: `${ownTenant}:${name}`, name, balance: BigInt(index) })));
    const values = new Map(names.map((name, index) => [name, { balance: BigInt(index) * 10n }]));
    const known = new Map(names.map((name, index) => [name, { balance: BigInt(index === 400 ? -1 : index) }]));
    const done = await own.updateEach({}, { by: "name", values, known }, {});
    // The one that is not as it is known stays, and so does what would be set to what it is.
    expect(done).toMatchObject({ matchedCount: 699, modifiedCount: 698 });
    const found = await own.find({ name: { $in: names } });
    expect(new Map(found.map(({ name, balance }) => [name, balance]))).toEqual(
      new Map(names.map((name, index) => [name, BigInt(index === 400 ? 400 : index * 10)])),
    );
    await own.deleteMany({ name: { $in: names } });
  });

  test("refuses to set what no update may", async () => {
    const one = new Map([[`${ownTenant}:1`, { inner: { a: 1 } }]]);
    for (const path of ["tenantId", "tenantId.a"]) {
      const values = new Map([[`${ownTenant}:1`, { [path]: "x" }]]);
      await expect(own.updateEach({}, { values }, {})).rejects.toThrow(TenantGuardError);
      await expect(own.updateEach({}, { values: one }, { [path]: "x" })).rejects.toThrow(TenantGuardError);
    }
    const narrowed = own.updateEach({ _id: `${ownTenant}:2` }, { values: one }, {});
    await expect(narrowed).rejects.toThrow("named by _id");
    const tooLarge = new Map([[`${ownTenant}:1`, { balance: 2n ** 63n }]]);
    await expect(own.updateEach({}, { values: tooLarge }, {})).rejects.toThrow("outside int64");
    const unlike = new Map<string, object>([...one, [`${ownTenant}:2`, { name: "x" }]]);
    await expect(own.updateEach({}, { values: unlike as never }, {})).rejects.toThrow("same fields");
    expect(await own.count({ name: { $in: ["one", "two"] } })).toBe(2);
  });

  test("updates many documents as far as each is as it is known to be", async () => {
    const known = (first: bigint, second: bigint) => ({
      by: "name",
      values: new Map([
        ["one", { balance: first, "inner.a": 1 }],
        ["two", { balance: second, "inner.a": 1 }],
      ]),
    });
    for (const all of [own, other]) await all.updateMany({}, { $set: { inner: { a: 1 } } });
    const change = { $inc: { balance: 1n } };
    expect(await own.updateWhereUnchanged({}, known(5n, 7n), change)).toMatchObject({
      matchedCount: 2,
      modifiedCount: 2,
    });
    expect(await own.updateWhereUnchanged({}, known(5n, 7n), change)).toMatchObject({ matchedCount: 0 });
    // Each as it is known itself, not as any of them is.
    expect(await own.updateWhereUnchanged({}, known(8n, 6n), change)).toMatchObject({ matchedCount: 0 });
    expect(await own.updateWhereUnchanged({}, known(6n, 7n), change)).toMatchObject({ matchedCount: 1 });
    expect(await own.find({}, { sort: { _id: 1 } })).toMatchObject([{ balance: 7n }, { balance: 8n }]);
    expect(await own.updateWhereUnchanged({}, known(100n, 100n), change)).toMatchObject({ matchedCount: 0 });
    expect(await own.updateWhereUnchanged({}, { values: new Map() }, change)).toMatchObject({ matchedCount: 0 });
    expect((await other.find({}))[0]?.balance).toBe(100n);
    const refused = [
      own.updateWhereUnchanged({}, known(7n, 8n), { $set: { tenantId: otherTenant } }),
      // It would be overwritten, and more would be updated than was meant.
      own.updateWhereUnchanged({ $expr: false } as object, known(7n, 8n), change),
      own.updateWhereUnchanged({}, { by: "name", values: new Map([["one", {}]]) }, change),
    ];
    for (const one of refused) await expect(one).rejects.toThrow(TenantGuardError);
    expect(await own.find({}, { sort: { _id: 1 } })).toMatchObject([{ balance: 7n }, { balance: 8n }]);
  });

  test("keeps int64 exact to its ends and leaves undefined fields out of documents", async () => {
    const ends = { _id: `${ownTenant}:ends`, balance: 2n ** 63n - 1n, name: undefined, inner: { low: -(2n ** 63n) } };
    await own.insertOne(ends as unknown as Purse);
    const { name: _, ...retained } = ends;
    expect(await own.findOne({ balance: 2n ** 63n - 1n })).toEqual({ ...retained, tenantId: ownTenant });
  });
});

describe("nothing gets past the guard:", () => {
  class Sneaky {
    toBSON() {
      return { tenantId: otherTenant };
    }
  }
  const attempts: [string, (tenant: string) => unknown][] = [
    ["another tenant in a filter", (tenantId) => own.find({ tenantId })],
    ["a tenant by operator", () => own.find({ tenantId: { $ne: "x" } })],
    ["a tenant in $or", (tenantId) => own.find({ $or: [{ tenantId }, { name: "one" }] })],
    ["a tenant deep in $and and $nor", (tenantId) => own.updateOne({ $and: [{ $nor: [{ tenantId }] }] }, { $set: {} })],
    ["$where", () => own.find({ $where: "true" })],
    ["$function inside $expr", () => own.find({ $expr: { $function: { body: "", args: [], lang: "js" } } })],
    ["a filter that is a Map", () => own.find(new Map([["name", "one"]]) as never)],
    ["a filter with toBSON", () => own.find({ $or: [new Sneaky() as never] })],
    ["a filter that is an array", () => own.deleteMany([] as never)],
    ["a filter that is missing", () => own.deleteMany(undefined as never)],
    ["an undefined condition", () => own.deleteMany({ _id: undefined } as never)],
    ["a document of another tenant", (tenantId) => own.insertOne({ _id: "x", tenantId })],
    ["one document of many", (tenantId) => own.insertMany([{ _id: "x" }, { _id: "y", tenantId }])],
    ["$set of tenantId", (tenantId) => own.updateOne({}, { $set: { tenantId } })],
    ["$set of tenantId to itself", () => own.updateOne({}, { $set: { tenantId: ownTenant } })],
    ["$unset of tenantId", () => own.updateOne({}, { $unset: { tenantId: "" } } as never)],
    ["$setOnInsert of tenantId", (tenantId) => own.updateOne({}, { $setOnInsert: { tenantId } }, { upsert: true })],
    ["$rename onto tenantId", () => own.updateOne({}, { $rename: { name: "tenantId" } })],
    ["$rename of tenantId", () => own.updateOne({}, { $rename: { tenantId: "name" } })],
    ["a path below tenantId", () => own.updateOne({}, { $set: { "tenantId.x": 1 } } as never)],
    ["$set by a Map", (tenantId) => own.updateOne({}, { $set: new Map([["tenantId", tenantId]]) } as never)],
    ["a replacement", (tenantId) => own.updateOne({}, { tenantId } as never)],
    ["an update by pipeline", (tenantId) => own.updateOne({}, [{ $set: { tenantId } }] as never)],
    ["findOneAndUpdate", (tenantId) => own.findOneAndUpdate({}, { $set: { tenantId } })],
    ["$lookup", () => own.aggregate([{ $lookup: { from: "purses", pipeline: [], as: "all" } }])],
    ["$lookup inside $facet", () => own.aggregate([{ $facet: { a: [{ $lookup: { from: "p", as: "a" } }] } }])],
    ["$graphLookup", () => own.aggregate([{ $graphLookup: { from: "purses" } }])],
    ["$unionWith", () => own.aggregate([{ $unionWith: "purses" }])],
    ["$out", () => own.aggregate([{ $out: "stolen" }])],
    ["$merge", () => own.aggregate([{ $merge: { into: "stolen" } }])],
    ["$match of another tenant", (tenantId) => own.aggregate([{ $match: { tenantId } }])],
    ["$match inside $facet", (tenantId) => own.aggregate([{ $facet: { a: [{ $match: { tenantId } }] } }])],
    ["a stage with two names", () => own.aggregate([{ $match: {}, $lookup: {} }])],
    ["$collStats", () => own.aggregate([{ $collStats: { count: {} } }])],
    ["$accumulator", () => own.aggregate([{ $group: { _id: null, x: { $accumulator: {} } } }])],
    ["a pipeline that is no array", () => own.aggregate({ length: 0 } as never)],
    ["a collation", () => own.find({}, { collation: { locale: "en", strength: 1 } } as never)],
    ["a comment for the monitor", () => own.find({}, { comment: "acrossTenants:me" } as never)],
    ["a bulk update", (tenantId) => own.bulkWrite([{ updateOne: { filter: {}, update: { $set: { tenantId } } } }])],
    ["a bulk filter", (tenantId) => own.bulkWrite([{ deleteOne: { filter: { tenantId } } }])],
    ["a bulk insert", (tenantId) => own.bulkWrite([{ insertOne: { document: { _id: "x", tenantId } } }])],
    ["a bulk replacement", (tenantId) => own.bulkWrite([{ replaceOne: { replacement: { tenantId } } } as never])],
    ["a bulk collation", () => own.bulkWrite([{ deleteOne: { filter: {}, collation: { locale: "en" } } } as never])],
    ["two bulk operations in one", () => own.bulkWrite([{ deleteOne: { filter: {} }, x: {} } as never])],
    [
      "a BSON reference",
      () => own.insertOne({ _id: "x", inner: { ref: new mongo.DBRef("purses", new mongo.ObjectId()) } }),
    ],
    ["BSON code", () => own.insertOne({ _id: "x", inner: { code: new mongo.Code("1") } })],
    ["a forged BSON type", () => own.insertOne({ _id: "x", inner: { _bsontype: "ObjectId" } })],
    ["a function", () => own.insertOne({ _id: "x", inner: { f: () => 1 } })],
    ["no tenant at all", () => tenantCollection<Purse>(database.db, "purses").forTenant("").find({})],
    [
      "a tenant that is no text",
      () =>
        tenantCollection<Purse>(database.db, "purses")
          .forTenant({} as never)
          .find({}),
    ],
  ];
  test.each(attempts)("%s", async (_, attempt) => {
    const before = await acrossTenants<Purse>(database.db, "purses", "test").count({});
    await expect((async () => attempt(otherTenant))()).rejects.toThrow(TenantGuardError);
    expect(await acrossTenants<Purse>(database.db, "purses", "test").count({})).toBe(before);
    expect(await other.findOne({})).toEqual({
      _id: `${otherTenant}:1`,
      tenantId: otherTenant,
      balance: 100n,
      name: "one",
    });
  });

  test("an unqualified $or stays inside the tenant", async () => {
    expect(await own.find({ $or: [{ name: "one" }, { balance: { $gt: 0n } }] })).toHaveLength(2);
    expect(await own.find({ $expr: { $ne: ["$tenantId", "x"] } })).toHaveLength(2);
  });
});

describe("what MongoDB cannot hold is refused, wherever it stands:", () => {
  const tooMuch = 2n ** 63n;
  const attempts: [string, () => unknown][] = [
    ["a document", () => own.insertOne({ _id: "x", balance: tooMuch })],
    ["a nested value", () => own.insertOne({ _id: "x", inner: { list: [{ n: -tooMuch - 1n }] } })],
    ["a filter", () => own.find({ balance: { $lt: tooMuch } })],
    ["an update", () => own.updateOne({}, { $inc: { balance: tooMuch } })],
    ["a pipeline", () => own.aggregate([{ $match: { balance: tooMuch } }])],
    ["a bulk write", () => own.bulkWrite([{ insertOne: { document: { _id: "x", balance: tooMuch } } }])],
    ["across tenants", () => acrossTenants<Purse>(database.db, "purses", "test").find({ balance: tooMuch })],
    ["NaN", () => own.insertOne({ _id: "x", inner: { rate: Number.NaN } })],
    ["infinity", () => own.insertOne({ _id: "x", inner: { list: [[1, -Infinity]] } })],
    ["an invalid date", () => own.insertOne({ _id: "x", inner: { at: new Date(Number.NaN) } })],
  ];
  test.each(attempts)("%s", async (_, attempt) => {
    await expect((async () => attempt())()).rejects.toThrow(RangeError);
  });

  test.each([
    [
      "a number",
      { inner: { fine: "x", rates: [{ rate: Number.NaN }] } },
      "document.inner.rates.rate: NaN is not a number",
    ],
    ["a bigint", { inner: { n: tooMuch } }, `document.inner.n: ${tooMuch} is outside int64`],
    ["a function", { inner: { list: [[() => 1]] } }, "document.inner.list holds a function"],
    ["a symbol", { mark: Symbol("x") }, "document.mark holds a symbol"],
  ])("%s is named by its path", async (_, inner, message) => {
    await expect((async () => own.insertOne({ _id: "x", ...inner } as never))()).rejects.toThrow(message);
  });

  test("arithmetic in doubles", async () => {
    await expect((async () => own.updateOne({}, { $inc: { balance: 0.5 as never } }))()).rejects.toThrow(/bigint/);
    await expect((async () => own.updateOne({}, { $mul: { balance: 2n } } as never))()).rejects.toThrow(/refused/);
  });

  test("a sum beyond int64 fails instead of turning over", async () => {
    await own.updateOne({ name: "one" }, { $set: { balance: 2n ** 63n - 1n } });
    await expect(own.updateOne({ name: "one" }, { $inc: { balance: 1n } })).rejects.toThrow(/Failed to apply \$inc/);
    expect((await own.findOne({ name: "one" }))?.balance).toBe(2n ** 63n - 1n);
  });
});

describe("a collection of records", () => {
  const records = () => recordCollection<{ name: string; balance: bigint }>(database.db, "purses");

  test("reads what domain/ has, without MongoDB's id and the tenant's, and nothing of another tenant", async () => {
    const ofTenant = records().forTenant(ownTenant);
    const [one, two] = [
      { name: "one", balance: 5n },
      { name: "two", balance: 7n },
    ];
    expect(await ofTenant.findOne({ name: "one" })).toEqual(one);
    expect(await ofTenant.find({}, { sort: { name: -1 } })).toEqual([two, one]);
    const streamed: unknown[] = [];
    for await (const record of ofTenant.stream({}, { sort: { name: 1 } })) streamed.push(record);
    expect(streamed).toEqual([one, two]);
    expect(await ofTenant.findOneAndUpdate({ name: "one" }, { $inc: { balance: 1n } })).toEqual(one);
    expect(await ofTenant.findOne({ balance: 100n })).toBeUndefined();
    expect(await ofTenant.findOneAndUpdate({ balance: 100n }, { $inc: { balance: 1n } })).toBeUndefined();
    expect(await ofTenant.findOne({ name: "two" }, { projection: { _id: 1 } })).toEqual({ _id: `${ownTenant}:2` });
  });

  test("lies in its form under its own id, is found by what lies there, and comes back as it was", async () => {
    interface Loan {
      loanId: string;
      from: Temporal.PlainDate;
      paidOff?: Temporal.PlainDate;
    }
    type StoredLoan = { loanId: string; from: string; paidOff?: string };
    const form: RecordForm<Loan, StoredLoan> = {
      toDocument: ({ from, paidOff, ...rest }) => ({
        ...rest,
        from: from.toString(),
        ...(paidOff !== undefined && { paidOff: paidOff.toString() }),
      }),
      fromDocument: ({ from, paidOff, ...rest }) => ({
        ...rest,
        from: Temporal.PlainDate.from(from),
        ...(paidOff !== undefined && { paidOff: Temporal.PlainDate.from(paidOff) }),
      }),
    };
    const loans = recordCollection(database.db, "formed_loans", "loanId", form).forTenant(ownTenant);
    const [first, second] = ["1", "2"].map((id) => ({
      loanId: `${ownTenant}-${id}`,
      from: Temporal.PlainDate.from(`2026-01-0${id}`),
    }));
    await loans.insertOne(first!);
    await loans.insertMany([second!]);
    expect(await loans.findOne({ _id: second!.loanId })).toEqual(second);
    expect(await loans.find({ from: "2026-01-01" })).toEqual([first]);
    const paidOff = { $set: { paidOff: "2026-02-01" } };
    const after = { ...first, paidOff: Temporal.PlainDate.from("2026-02-01") };
    expect(await loans.findOneAndUpdate({ _id: first!.loanId }, paidOff, { returnDocument: "after" })).toEqual(after);
    const streamed: unknown[] = [];
    for await (const loan of loans.stream({}, { sort: { from: -1 } })) streamed.push(loan);
    expect(streamed).toEqual([second, after]);
    const documents = tenantCollection<StoredLoan & { tenantId: string }>(database.db, "formed_loans");
    expect(await documents.forTenant(ownTenant).findOne({ from: "2026-01-02" })).toEqual({
      _id: second!.loanId,
      tenantId: ownTenant,
      from: "2026-01-02",
    });
  });
});

test("what is due is taken once, however many look, and is due again then", async () => {
  const name = `due_${ownTenant}`;
  await recordCollection<{ part: string; dueAt: Date }>(database.db, name)
    .forTenant(ownTenant)
    .insertMany(["a", "b"].map((part) => ({ part, dueAt: new Date(0) })));
  type Part = { tenantId: string; part: string; dueAt: Date };
  const take = createTakeDue<Part>(database.db, name, { key: ["part"], reason: "a test" });
  const [now, until] = [new Date(10), new Date(20)];
  const taken = await Promise.all([take(now, until), take(now, until), take(now, until)]);
  expect(taken.flatMap((one) => one?.part ?? []).toSorted()).toEqual(["a", "b"]);
  expect(taken.find((one) => one?.part === "a")).toEqual({ tenantId: ownTenant, part: "a", dueAt: until });
  expect(await take(until, new Date(30))).toMatchObject({ tenantId: ownTenant, dueAt: new Date(30) });
});
