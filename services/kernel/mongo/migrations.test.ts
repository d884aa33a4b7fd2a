import { randomUUID } from "node:crypto";
import type { Connection } from "mongoose";
import { silentLog, testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { createIndexes, runMigrations, type Migration } from "./migrations.js";
import { acrossTenants } from "./tenant-collection.js";
import { takes } from "../../../test/support/time.js";

let database: TestDatabase;
let db: Connection;
// Migrations belong to a database, so these tests cannot share one by tenant.
beforeEach(async () => {
  database = await testDatabase(`migrations_${randomUUID().slice(0, 8)}`);
  db = database.db;
});
afterEach(async () => {
  await db.dropDatabase();
  await database.close();
});

const rows = () => acrossTenants<{ _id: string; takenAt?: Date; token?: string }>(db, "migrations", "test");

test("runs each migration once, in order, when replicas start together", async () => {
  const ran: string[] = [];
  let inside = 0;
  const up = (id: string) => async () => {
    expect(++inside).toBe(1);
    await takes(20);
    ran.push(id);
    inside--;
  };
  const migrations: Migration[] = ["0001-a", "0002-b", "0003-c"].map((id) => ({ id, up: up(id) }));
  await Promise.all([1, 2, 3, 4].map(() => runMigrations(db, migrations, silentLog)));
  expect(ran).toEqual(["0001-a", "0002-b", "0003-c"]);
  await runMigrations(db, migrations, silentLog);
  expect(ran).toHaveLength(3);
});

test("goes on where a failed run stopped, and lets the next one try at once", async () => {
  const ran: string[] = [];
  let isBroken = true;
  const migrations: Migration[] = [
    { id: "0001-a", up: async () => void ran.push("a") },
    {
      id: "0002-b",
      up: async () => {
        if (isBroken) throw new Error("broken");
        ran.push("b");
      },
    },
  ];
  await expect(runMigrations(db, migrations, silentLog)).rejects.toThrow("broken");
  isBroken = false;
  await runMigrations(db, migrations, silentLog, 1_000);
  expect(ran).toEqual(["a", "b"]);
});

test("waits for a running process, and takes over from a dead one", async () => {
  await runMigrations(db, [{ id: "0001-a", up: async () => undefined }], silentLog);
  const next: Migration[] = [{ id: "0002-b", up: async () => undefined }];
  await rows().updateOne({ _id: "lock" }, { $set: { token: "another", takenAt: new Date() } });
  await expect(runMigrations(db, next, silentLog, 300)).rejects.toThrow(/another process/);
  await rows().updateOne({ _id: "lock" }, { $set: { takenAt: new Date(Date.now() - 31_000) } });
  await runMigrations(db, next, silentLog, 300);
  expect(await rows().count({ doneAt: { $exists: true } } as never)).toBe(2);
});

test("costs one read when nothing is to be done", async () => {
  const migrations: Migration[] = [{ id: "0001-a", up: async () => undefined }];
  await runMigrations(db, migrations, silentLog);
  const sent: string[] = [];
  db.getClient().on("commandStarted", ({ commandName }) => sent.push(commandName));
  await runMigrations(db, migrations, silentLog);
  expect(sent).toEqual(["find"]);
});

test("makes indexes twice without harm, and names one that differs", async () => {
  const index = { key: { tenantId: 1, name: 1 }, unique: true };
  await createIndexes(db, "things", [index]);
  await createIndexes(db, "things", [index]);
  await expect(createIndexes(db, "things", [{ ...index, unique: false }])).rejects.toThrow(/tenantId_1_name_1/);
});

test("refuses two migrations of one id", async () => {
  const up = async () => undefined;
  await expect(
    runMigrations(
      db,
      [
        { id: "1", up },
        { id: "1", up },
      ],
      silentLog,
    ),
  ).rejects.toThrow(/one id/);
});
