import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { runMigrations } from "../../../kernel/mongo/migrations.js";
import type { BankFileWork } from "../../../../test/support/bank-file-process.js";
import { declaredCrashPoints } from "../../../../test/support/crash-points.js";
import { ourIban, startFileBanks, type FileBank } from "../../../../test/support/file-bank.js";
import { forkSource } from "../../../../test/support/forked-source.js";
import { silentLog, testDatabase, type TestDatabase } from "../../../../test/support/index.js";
import { createRemittanceStore, type RemittanceStore } from "../../store/index.js";
import { migrations } from "../../store/migrations.js";
import { createBankFolders } from "./folders.js";
import { bankIdOf } from "./names.js";

jest.setTimeout(240_000);

let database: TestDatabase;
let store: RemittanceStore;
let banks: Awaited<ReturnType<typeof startFileBanks>>;
let bank: FileBank;
let setting: Omit<BankFileWork, "order">;
beforeAll(async () => {
  database = await testDatabase("bank_file_kills");
  await runMigrations(database.db, migrations, silentLog);
  store = createRemittanceStore(database.db);
  banks = await startFileBanks();
});
beforeEach(async () => {
  const installationId = randomUUID();
  bank = banks.of(installationId);
  const tenantId = `t${randomUUID().slice(0, 8)}`;
  await createBankFolders(banks.root).of(installationId, store.forTenant(tenantId).bankFiles).check();
  const { uri, database: name } = database;
  setting = { uri, database: name, root: banks.root, tenantId, installationId };
});
afterAll(async () => {
  await database.close();
  await banks.stop();
});

const order = () => ({
  reference: randomUUID(),
  amountMinor: "1000",
  method: "ACCOUNTPAYMENT" as const,
  creditParty: [
    { key: "accountholdername", value: "Ngozi Okafor" },
    { key: "bankaccountno", value: ourIban },
    { key: "swiftbic", value: "COBADEFFXXX" },
  ],
});

/**
 * How the process ended that was told to die at a point: "SIGKILL", or 0 where it did not pass it.
 */
async function run(work: Partial<BankFileWork>, crashPoint?: string): Promise<string | number> {
  const child = forkSource("bank-file-process.ts", crashPoint === undefined ? {} : { CRASH_POINT: crashPoint });
  child.send({ ...setting, ...work });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  return signal ?? code ?? "";
}

const points = (which: RegExp) => declaredCrashPoints("remittance").filter((name) => which.test(name));
const outgoing = points(/^remittance\.bank-file\.(staged|recorded|handed-over)$/);
const incoming = points(/^remittance\.bank-file\.(noted|read|hinted)$/);

test("every point of these files is killed at below", () => {
  expect([...outgoing, ...incoming].toSorted()).toEqual(points(/^remittance\.bank-file\./).toSorted());
});

test.each(outgoing)("a submission killed at %s is one file of the bank, whenever the bank takes it", async (point) => {
  const one = order();
  expect(await run({ order: one }, point)).toBe("SIGKILL");
  const before = await bank.take();
  expect(await run({ order: one })).toBe(0);
  expect(await run({ order: one })).toBe(0);
  const transfers = [...before, ...(await bank.take())].flatMap((file) => file.transfers);
  expect(transfers.map(({ endToEndId }) => endToEndId)).toEqual([bankIdOf(one.reference)]);
});

test.each(incoming)("a file whose reader is killed at %s counts once", async (point) => {
  const one = order();
  expect(await run({ order: one })).toBe(0);
  await bank.statement([{ endToEndId: bankIdOf(one.reference), amount: "10", currency: "EUR", kind: "DEBIT" }]);
  expect(await run({}, point)).toBe("SIGKILL");
  const { tenantId, installationId } = setting;
  const { bankFiles } = store.forTenant(tenantId);
  // What it says is not lost with the process: payouts are driven on by it until all are.
  expect(await bankFiles.listToHint(installationId, 10)).toHaveLength(point.endsWith("noted") ? 0 : 1);
  expect(await run({})).toBe(0);
  expect(await bankFiles.listToHint(installationId, 10)).toEqual([]);
  const reports = await bankFiles.listReports(installationId, [one.reference]);
  expect(reports.map(({ kind, amount }) => [kind, amount])).toEqual([["DEBIT", { minor: 1_000n, currency: "EUR" }]]);
  expect([await bank.list("in"), (await bank.list("done")).length]).toEqual([[], 1]);
});
