import { mkdtempSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMongo, type RunningMongo } from "../../local/servers.js";
import { testTenant } from "../../../test/support/index.js";
import { nativeOf, openPlace, type DatabaseService, type Place } from "../places.js";
import { holdTenant } from "./hold.js";
import { copyTenant } from "./move.js";

// Of both cells, the collections that these tests need; move.test.ts has what the migrations make.
const collections: Partial<Record<DatabaseService, string[]>> = {
  identity: ["tenants", "keys", "master_keys"],
  wallet: ["cash_limits", "outbox", "payments", "data_keys", "master_keys"],
  ledger: ["heads"],
};
const dir = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "manilla-move-faults-"));
let servers: RunningMongo[];
let here: Place;
let there: Place;

beforeAll(async () => {
  servers = [await startMongo({ dir: join(dir, "here") }), await startMongo({ dir: join(dir, "there") })];
  [here, there] = [await openPlace(servers[0]!.uri), await openPlace(servers[1]!.uri)];
  for (const { databases } of [here, there]) {
    for (const [service, db] of databases) {
      for (const name of collections[service] ?? []) await nativeOf(db).createCollection(name);
    }
  }
  for (const place of [here, there]) {
    const unique = { tenantId: 1, cashierId: 1, currency: 1 } as const;
    await of(place, "wallet", "cash_limits").createIndex(unique, { unique: true });
  }
}, 240_000);

afterAll(async () => {
  await Promise.all([here?.close(), there?.close()]);
  await Promise.all(servers.map((server) => server.kill()));
  rmSync(dir, { recursive: true, force: true });
});

const of = (place: Place, service: DatabaseService, name: string) =>
  nativeOf(place.databases.get(service)!).collection<Record<string, unknown> & { _id: string }>(name);

async function makeTenant(): Promise<string> {
  const tenantId = testTenant();
  await of(here, "identity", "tenants").insertOne({ _id: tenantId, tenantId });
  return tenantId;
}

test("a document that was deleted and made anew under a unique key since the backup is replaced", async () => {
  const tenantId = await makeTenant();
  const limit = { tenantId, cashierId: "c", currency: "USD" };
  await of(here, "wallet", "cash_limits").insertOne({ _id: `${tenantId}-old`, ...limit, perDay: 1n });
  await of(there, "wallet", "cash_limits").insertOne({ _id: `${tenantId}-new`, ...limit, perDay: 2n });
  await holdTenant(there, tenantId);

  expect((await copyTenant(here, there, tenantId)).differences).toEqual([]);
  const found = await of(there, "wallet", "cash_limits").find({ tenantId }).toArray();
  expect(found.map(({ _id }) => _id)).toEqual([`${tenantId}-old`]);
}, 60_000);
