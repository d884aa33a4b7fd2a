import { randomUUID } from "node:crypto";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import { runMigrations } from "../../shared/mongo/migrations.js";
import { tenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { ErasureDocument, StoredUser, TenantDocument } from "./documents.js";
import { migrations } from "./migrations.js";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(`identity_migrations_${randomUUID().slice(0, 8)}`);
});
afterAll(async () => {
  await database.db.dropDatabase();
  await database.close();
});

test("services hear of those who were erased before services were told, once, with their tenant's retention", async () => {
  const { db } = database;
  const tenantId = testTenant();
  const at = new Date("2026-03-01T10:00:00Z");
  const erased = { erasedAt: at, disabled: { at, by: "operator", reason: "asked for it" } };
  const users = tenantCollection<StoredUser>(db, "users").forTenant(tenantId);
  const user = (name: string, more: object) =>
    users.insertOne({
      _id: `u-${name}`,
      emailKey: `${name}@x.example`,
      role: "CUSTOMER",
      customer: { id: `c-${name}`, code: `C-${name}` },
      ...more,
    } as never);
  await user("amina", erased);
  await user("kofi", {});
  await tenantCollection<TenantDocument>(db, "tenants")
    .forTenant(tenantId)
    .insertOne({ _id: tenantId, hosts: [], preference: { recordRetentionYears: 5 } } as never);

  await runMigrations(db, migrations, silentLog);
  // As where it was cut off and runs again.
  await migrations.find(({ id }) => id === "0007-erasures")!.up(db);
  const found = await tenantCollection<ErasureDocument>(db, "erasures").forTenant(tenantId).find({});
  expect(found).toMatchObject([
    { customerId: "c-amina", userId: "u-amina", at, by: "operator", reason: "asked for it", answers: [] },
  ]);
  expect(found[0]!.retainedUntil).toEqual(new Date("2031-03-01T10:00:00Z"));
  const rows = await tenantCollection<{ tenantId: string; aggregate: string; state: string }>(db, "outbox")
    .forTenant(tenantId)
    .find({});
  expect(rows.map(({ aggregate, state }) => `${aggregate} ${state}`).toSorted()).toEqual(
    ["compliance", "lending", "remittance", "wallet"].map((service) => `erasure:c-amina:${service} DUE`),
  );
});
