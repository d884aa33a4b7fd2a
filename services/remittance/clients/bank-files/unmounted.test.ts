import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename } from "node:fs/promises";
import { bankConfiguration, ourIban, startFileBanks, type FileBank } from "../../../../test/support/file-bank.js";
import { silentLog, testDatabase, type TestDatabase } from "../../../../test/support/index.js";
import { systemClock } from "../../../shared/clocks/clock.js";
import { runMigrations } from "../../../shared/mongo/migrations.js";
import { createBreakers } from "../../../shared/partner/breakers.js";
import { createRemittanceStore } from "../../store/index.js";
import { migrations } from "../../store/migrations.js";
import { createFileBanks, type FileBanks } from "./index.js";
import { bankIdOf } from "./names.js";

jest.setTimeout(60_000);

let database: TestDatabase;
let banks: Awaited<ReturnType<typeof startFileBanks>>;
let fileBanks: FileBanks;
let bank: FileBank;
let tenantId: string;
let installation: ReturnType<typeof newInstallation>;
beforeAll(async () => {
  database = await testDatabase("bank_files_unmounted");
  await runMigrations(database.db, migrations, silentLog);
  const store = createRemittanceStore(database.db);
  banks = await startFileBanks();
  const notes = { note: () => undefined };
  fileBanks = createFileBanks({ root: banks.root, store, clock: systemClock, log: silentLog, notes, restMs: 0 });
});
beforeEach(() => {
  tenantId = `t${randomUUID().slice(0, 8)}`;
  installation = newInstallation();
  bank = banks.of(installation.installationId);
});
afterAll(async () => {
  await database.close();
  await banks.stop();
});

const newInstallation = () => ({
  installationId: randomUUID(),
  type: "iso20022",
  status: "ENABLED",
  configuration: bankConfiguration,
  secrets: {},
  routes: [],
  revision: 1,
});
const newOrder = () => ({
  reference: randomUUID(),
  amount: { minor: 1_000n, currency: "EUR" },
  method: "ACCOUNTPAYMENT" as const,
  creditParty: [
    { key: "accountholdername", value: "Ngozi Okafor" },
    { key: "bankaccountno", value: ourIban },
    { key: "swiftbic", value: "COBADEFFXXX" },
  ],
});
const call = () => ({ tenantId });
const connector = () => fileBanks.open(tenantId, installation, createBreakers());
const results = async () => (await fileBanks.check(tenantId, installation)).map(({ result }) => result);
const passed = ["PASSED", "PASSED", "PASSED", "PASSED"];
const waits = {
  code: "UNAVAILABLE",
  message: "the directory for files of banks is not mounted or was never tested",
};

test("a bare mount point takes no payout and nothing is made in it; mounted again the same payout goes on", async () => {
  expect(await results()).toEqual(passed);
  const one = newOrder();
  await banks.unmounted(async () => {
    await expect(connector().submit(one, call())).rejects.toMatchObject(waits);
    await expect(connector().submitBatch("batch", [one], call())).rejects.toMatchObject(waits);
    await expect(fileBanks.readInbox(tenantId, installation)).rejects.toMatchObject(waits);
    expect(await readdir(banks.root)).toEqual([]);
    expect(await connector().find(one.reference, call())).toBeUndefined();
  });
  expect(await connector().submit(one, call())).toMatchObject({ status: "ACCEPTED" });
  expect(await bank.take()).toMatchObject([{ transfers: [{ endToEndId: bankIdOf(one.reference) }] }]);
});

test("folders at a mount point are not taken for those from which the bank has taken a file", async () => {
  expect(await results()).toEqual(passed);
  const one = newOrder();
  // Recorded, and not handed over: it lies in `work`.
  await rename(bank.at("out"), bank.at("out-away"));
  await expect(connector().submit(one, call())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await rename(bank.at("out-away"), bank.at("out"));
  expect(await bank.list("work")).toHaveLength(1);
  await banks.unmounted(async () => {
    for (const name of ["out", "work"]) await mkdir(bank.at(name), { recursive: true });
    await expect(connector().find(one.reference, call())).rejects.toMatchObject(waits);
  });
  expect(await connector().find(one.reference, call())).toMatchObject({ status: "ACCEPTED" });
  expect(await bank.take()).toHaveLength(1);
});

test("a directory that was never tested takes no payout; a test makes it ready, however often it runs", async () => {
  const one = newOrder();
  await expect(connector().submit(one, call())).rejects.toMatchObject(waits);
  expect([await results(), await results()]).toEqual([passed, passed]);
  await connector().submit(one, call());
  expect(await bank.take()).toHaveLength(1);
});
