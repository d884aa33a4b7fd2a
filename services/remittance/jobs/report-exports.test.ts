import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { exportStore, type ExportWork } from "../../../test/support/export-process.js";
import { forkSource } from "../../../test/support/forked-source.js";
import { silentLog, testDatabase, testTenant, type TestDatabase } from "../../../test/support/index.js";
import { created } from "../../../test/support/transactions.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { exportKeptForMs, parseExport, type ReportExport } from "../domain/report-export.js";
import type { Transaction } from "../domain/transaction.js";
import { migrations } from "../store/migrations.js";
import { exportsOfPerson } from "../store/report-exports.js";
import { startReportExports } from "./report-exports.js";

const key = randomBytes(32).toString("base64");
let database: TestDatabase;
let store: ReturnType<typeof exportStore>;
beforeAll(async () => {
  database = await testDatabase("report_exports");
  await runMigrations(database.db, migrations, silentLog);
  store = exportStore(database.db, key);
});
afterAll(() => database.close());

const commit = <T>(work: Parameters<typeof inTransaction<T>>[1]) =>
  inTransaction(database.db, work, { readBack: async () => undefined });

const rowsAPiece = 2;
async function makeAll(exportLeaseMs = 1): Promise<void> {
  const job = startReportExports({ store, log: silentLog, exportEveryMs: 3_600_000, exportLeaseMs, rowsAPiece });
  await job.exportNow();
  await job.stop();
}

async function withTransactions(count: number, part: Partial<Transaction> = {}): Promise<string> {
  const tenantId = testTenant();
  for (let index = 0; index < count; index += 1) {
    const id = randomUUID();
    const at = new Date(Date.UTC(2026, 10, 1, 12, 0, index));
    const own = { transactionId: id, transactionCode: id, createdAt: at, request: { ...created.request, key: id } };
    await commit((session) => store.forTenant(tenantId).insertTransaction({ ...created, ...own, ...part }, session));
  }
  return tenantId;
}

async function ask(
  tenantId: string,
  format: "CSV" | "JSONL" = "CSV",
  columns = ["senderId", "totalAmount", "createdBy"],
) {
  const now = new Date();
  const made: ReportExport = {
    exportId: `${Date.now()}-${randomUUID()}`,
    ...parseExport({ report: "transactions", columns, format }),
    from: "2026-11-01",
    to: "2026-11-30",
    start: new Date("2026-11-01T00:00:00Z"),
    end: new Date("2026-12-01T00:00:00Z"),
    seesBlocks: true,
    status: "QUEUED",
    askedBy: "MA1",
    askedAt: new Date(now.getTime() - 1_000),
    rows: 0,
    pieces: 0,
    expiresAt: new Date(now.getTime() + exportKeptForMs),
  };
  await commit((session) => store.forTenant(tenantId).insertExport(made, session));
  return made.exportId;
}

async function fileOf(tenantId: string, exportId: string) {
  const tenant = store.forTenant(tenantId);
  const found = (await tenant.findExport(exportId, "MA1"))!;
  const pieces = Array.from({ length: found.pieces }, (_, number) => tenant.readExportPiece(exportId, number));
  const text = (await Promise.all(pieces)).join("");
  return { found, text };
}

test("an export is a file of all rows, with its hash, sealed where it lies, and nobody else's", async () => {
  const tenantId = await withTransactions(5, { createdBy: "=cmd" });
  const [csv, jsonl] = [await ask(tenantId), await ask(tenantId, "JSONL")];
  for (let turn = 0; turn < 2; turn += 1) await makeAll();
  const { found, text } = await fileOf(tenantId, csv);
  expect(found).toMatchObject({ status: "DONE", rows: 5, sha256: createHash("sha256").update(text).digest("hex") });
  expect(text).toBe(`\ufefftotalAmount,senderId,createdBy\r\n${"102.15,c1,'=cmd\r\n".repeat(5)}`);
  const lines = (await fileOf(tenantId, jsonl)).text.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
    Array.from({ length: 5 }, () => ({ senderId: "c1", totalAmount: "102.15", createdBy: "=cmd" })),
  );
  const stored = await database.db.collection("report_pieces").find({ tenantId }).toArray();
  expect(JSON.stringify(stored.map(({ sealed }) => sealed as unknown))).not.toContain("102.15");
  expect(await store.forTenant(tenantId).findExport(csv, "MA2")).toBeUndefined();
  expect(await store.forTenant(testTenant()).findExport(csv, "MA1")).toBeUndefined();
});

test("of two of a tenant the later one waits for the first", async () => {
  const tenantId = await withTransactions(1);
  const [first, second] = [await ask(tenantId), await ask(tenantId)];
  await database.db
    .collection("report_exports")
    .updateOne({ tenantId, exportId: first }, { $set: { dueAt: new Date("2099-01-01") } });
  await makeAll(3_600_000);
  expect((await fileOf(tenantId, second)).found).toMatchObject({ status: "QUEUED", pieces: 0 });
  await database.db.collection("report_exports").updateMany({ tenantId }, { $set: { dueAt: new Date(0) } });
  for (let turn = 0; turn < 2; turn += 1) await makeAll();
  for (const one of [first, second]) expect((await fileOf(tenantId, one)).found.status).toBe("DONE");
});

test("a person in it who is erased takes the whole file along", async () => {
  const tenantId = await withTransactions(3);
  const other = await withTransactions(1);
  const [exportId, others] = [await ask(tenantId), await ask(other)];
  await makeAll();
  const person = { tenantId, customerId: "c1", userId: "u1" };
  const erase = () => commit((session) => exportsOfPerson(database.db).erase(person, 100, session));
  expect(await erase()).toBe(2);
  expect(await erase()).toBe(0);
  const { found } = await fileOf(tenantId, exportId);
  expect(found).toMatchObject({ status: "FAILED", fault: "PERSON_ERASED" });
  expect(found.sha256).toBeUndefined();
  expect(await database.db.collection("report_pieces").countDocuments({ tenantId })).toBe(0);
  expect((await fileOf(other, others)).found.status).toBe("DONE");
});

test("whoever is killed behind a piece leaves it whole, and the next one goes on to the same file", async () => {
  const tenantId = await withTransactions(5);
  const exportId = await ask(tenantId);
  const { uri, database: name } = database;
  for (let deaths = 1; deaths <= 3; deaths += 1) {
    const child = forkSource("export-process.ts", { CRASH_POINT: "remittance.export.added" });
    child.send({ uri, database: name, key, rowsAPiece } satisfies ExportWork);
    const [, signal] = (await once(child, "exit")) as [number | null, string | null];
    expect(signal).toBe("SIGKILL");
    expect((await fileOf(tenantId, exportId)).found).toMatchObject({ status: "RUNNING", pieces: deaths });
  }
  await makeAll();
  const { found, text } = await fileOf(tenantId, exportId);
  expect(found).toMatchObject({ status: "DONE", rows: 5, sha256: createHash("sha256").update(text).digest("hex") });
  expect(text.split("\r\n")).toHaveLength(7);
}, 240_000);
