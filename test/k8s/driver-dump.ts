/**
 * What mongodump and mongorestore do, by the driver that the image has: all databases of the
 * services at one point in time. A stand-in for clusters where no image with MongoDB's own tools
 * can be had.
 */
export const dumpScript = `
  import { createGzip } from "node:zlib";
  import { pipeline } from "node:stream/promises";
  import mongoose from "mongoose";
  const client = await new mongoose.mongo.MongoClient(process.env.MONGODB_URI).connect();
  const admin = client.db("admin");
  const { minSnapshotHistoryWindowInSeconds: before } = await admin.command({ getParameter: 1, minSnapshotHistoryWindowInSeconds: 1 });
  async function* lines() {
    const session = client.startSession({ snapshot: true });
    const { databases } = await admin.command({ listDatabases: 1, nameOnly: true });
    for (const { name } of databases.filter((one) => one.name.startsWith("manilla_"))) {
      const collections = await client.db(name).listCollections({}, { nameOnly: true }).toArray();
      for (const collection of collections.filter((one) => !one.name.startsWith("system."))) {
        yield JSON.stringify({ database: name, collection: collection.name }) + "\\n";
        for await (const raw of client.db(name).collection(collection.name).find({}, { raw: true, session }))
          yield JSON.stringify(Buffer.from(raw).toString("base64")) + "\\n";
      }
    }
  }
  // It reads at the time of its first read to its end, and mongod is told to keep no more than a
  // second.
  await admin.command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 300 });
  try {
    await pipeline(lines, createGzip(), process.stdout, { end: false });
  } finally {
    await admin.command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: before });
  }
  await client.close();`;

export const restoreScript = `
  import { createGunzip } from "node:zlib";
  import { createInterface } from "node:readline";
  import mongoose from "mongoose";
  const client = await new mongoose.mongo.MongoClient(process.env.MONGODB_URI).connect();
  // As they were written: an int64 stays one, and so does a double.
  const exact = { promoteValues: false, promoteLongs: false, promoteBuffers: false };
  let target, waiting = [];
  const flush = async () => { if (waiting.length > 0) await target.insertMany(waiting, { ordered: false }); waiting = []; };
  for await (const line of createInterface({ input: process.stdin.pipe(createGunzip()) })) {
    const value = JSON.parse(line);
    if (typeof value === "object") {
      await flush();
      target = client.db(value.database).collection(value.collection);
      await target.deleteMany({});
    } else {
      waiting.push(mongoose.mongo.BSON.deserialize(Buffer.from(value, "base64"), exact));
      if (waiting.length >= 500) await flush();
    }
  }
  await flush();
  await client.close();`;
