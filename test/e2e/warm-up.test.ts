import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import { mongo } from "mongoose";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { warmUpTenantId } from "../../services/kernel/process/warm-up-tenant.js";

const { processes, mongoUri, redisUrl } = readClusterFile(process.env["E2E_DATA_DIR"]!);
const ours = Object.entries(processes).filter(([name]) => !["mongodb", "redis", "partner"].includes(name));

test.each(ours)("%s was warm before it was ready", (_name, { log }) => {
  const logged = readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line.includes('"msg":"warmed up') || line.includes("is listening"))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(logged[0]).toMatch(/^warmed up/);
  expect(logged[1]).toMatch(/ is listening$/);
});

test("no warm-up left a row in a collection of a service, or a key in Redis", async () => {
  const client = await mongo.MongoClient.connect(mongoUri);
  const polled: string[] = [];
  const left: string[] = [];
  const { databases } = await client.db("admin").admin().listDatabases();
  for (const { name } of databases.filter((one) => one.name.startsWith("manilla_"))) {
    for (const { name: collection } of await client.db(name).listCollections().toArray()) {
      polled.push(`${name}.${collection}`);
      const rows = client.db(name).collection(collection);
      const found = await rows.findOne({
        $or: [{ tenantId: warmUpTenantId }, { _id: new RegExp("warm-up") as never }],
      });
      if (found !== null) left.push(`${name}.${collection}`);
    }
  }
  await client.close();
  expect(polled.length).toBeGreaterThan(50);
  expect(left).toEqual([]);
  const redis = new Redis(redisUrl);
  const keys = await redis.keys("*");
  redis.disconnect();
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.filter((key) => key.includes("warm-up"))).toEqual([]);
});
