import { randomUUID } from "node:crypto";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { bankInstallation, ourIban, startFileBanks, type FileBank } from "../../../../test/support/file-bank.js";
import { silentLog, testDatabase, type TestDatabase } from "../../../../test/support/index.js";
import { systemClock } from "../../../kernel/time/clock.js";
import { runMigrations } from "../../../kernel/mongo/migrations.js";
import { createBreakers } from "../../../platform/partners/breakers.js";
import { createRemittanceStore, type RemittanceStore } from "../../store/index.js";
import { migrations } from "../../store/migrations.js";
import { createBankFolders } from "./folders.js";
import { createFileBanks, type FileBanks } from "./index.js";
import { bankIdOf } from "./names.js";

jest.setTimeout(60_000);

let database: TestDatabase;
let store: RemittanceStore;
let banks: Awaited<ReturnType<typeof startFileBanks>>;
let fileBanks: FileBanks;
let bank: FileBank;
let tenantId: string;
let installation: ReturnType<typeof newInstallation>;
beforeAll(async () => {
  database = await testDatabase("bank_files_unmounted");
  await runMigrations(database.db, migrations, silentLog);
  store = createRemittanceStore(database.db);
  banks = await startFileBanks();
  const notes = { note: () => undefined };
  fileBanks = createFileBanks({
    root: banks.root,
    store,
    clock: systemClock,
    timeZoneOf: async () => "UTC",
    log: silentLog,
    notes,
    restMs: 0,
  });
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

const newInstallation = () => bankInstallation(randomUUID());
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
  message: "the directory for files of banks is not mounted, is another one, or was never tested",
};
const marks = () => store.forTenant(tenantId).bankFiles;
const markPath = () => bank.at(".tested");

/** What the folders' check says; the others say nothing of the directory. */
async function folderCheck() {
  const { result, detail } = (await fileBanks.check(tenantId, installation))[1]!;
  return `${result} ${detail}`;
}
const otherDirectory =
  "FAILED the directory for files of banks is not the one that was tested first: it is not mounted, was emptied or is another one";

/** Recorded, and not handed over: it lies in `work`. */
async function staged() {
  const one = newOrder();
  await rename(bank.at("out"), bank.at("out-away"));
  await expect(connector().submit(one, call())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await rename(bank.at("out-away"), bank.at("out"));
  expect(await bank.list("work")).toHaveLength(1);
  return one;
}

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
  const one = await staged();
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

test("a test of a bare mount point fails and makes nothing: no payout goes there, and none is taken for handed over", async () => {
  expect(await results()).toEqual(passed);
  const [one, other] = [await staged(), newOrder()];
  await banks.unmounted(async () => {
    expect([await folderCheck(), await folderCheck()]).toEqual([otherDirectory, otherDirectory]);
    expect(await readdir(banks.root)).toEqual([]);
    await expect(connector().submit(other, call())).rejects.toMatchObject(waits);
    await expect(connector().find(one.reference, call())).rejects.toMatchObject(waits);
  });
  expect(await results()).toEqual(passed);
  for (const order of [one, other]) await connector().submit(order, call());
  expect(await bank.take()).toHaveLength(2);
});

test("another directory, or one that was emptied, is a person's to decide: with the mark carried over it goes on", async () => {
  expect(await results()).toEqual(passed);
  const one = await staged();
  await cp(bank.at(), bank.at("..", `${installation.installationId}-kept`), { recursive: true });
  await rm(bank.at(), { recursive: true });
  for (const name of ["out", "in", "done", "failed", "work"]) await mkdir(bank.at(name), { recursive: true });
  for (const lay of [() => undefined, () => writeFile(markPath(), ""), () => writeFile(markPath(), randomUUID())]) {
    await lay();
    expect(await folderCheck()).toBe(otherDirectory);
    await expect(connector().find(one.reference, call())).rejects.toMatchObject(waits);
    await expect(connector().submit(newOrder(), call())).rejects.toMatchObject(waits);
  }
  for (const name of ["out", "work"]) expect(await bank.list(name)).toEqual([]);
  await rm(bank.at(), { recursive: true });
  await rename(bank.at("..", `${installation.installationId}-kept`), bank.at());
  expect(await results()).toEqual(passed);
  await connector().find(one.reference, call());
  expect(await bank.take()).toHaveLength(1);
});

test("an installation has one mark, whoever tests it first and wherever that is cut off", async () => {
  const { installationId } = installation;
  await Promise.all([results(), results(), results()]);
  const { mark, isLaid } = (await marks().findMark(installationId))!;
  expect([isLaid, (await readFile(markPath(), "utf8")).trim()]).toEqual([true, mark]);
  expect((await readdir(bank.at())).toSorted()).toEqual([".tested", "done", "failed", "in", "out", "work"]);

  // Known, and cut off before it was laid.
  installation = newInstallation();
  bank = banks.of(installation.installationId);
  const proposed = await marks().proposeMark(installation.installationId, randomUUID());
  await expect(connector().submit(newOrder(), call())).rejects.toMatchObject(waits);
  expect(await results()).toEqual(passed);
  expect((await readFile(markPath(), "utf8")).trim()).toBe(proposed.mark);
  // The same directory under a database that does not know it any more.
  tenantId = `t${randomUUID().slice(0, 8)}`;
  expect(await results()).toEqual(passed);
  expect(await marks().findMark(installation.installationId)).toMatchObject({ mark: proposed.mark, isLaid: true });
});

test("a directory that comes back between two looks has its file handed over, and not taken for moved", async () => {
  expect(await results()).toEqual(passed);
  const one = await staged();
  const { attempt, fileName } = (await marks().findMessage(installation.installationId, bankIdOf(one.reference)))!;
  let polls = 0;
  await rename(bank.at("out"), bank.at("out-away"));
  const late = {
    ...marks(),
    async findMark(id: string) {
      polls += 1;
      // After the first try.
      if (polls === 2) await rename(bank.at("out-away"), bank.at("out"));
      return marks().findMark(id);
    },
  };
  await createBankFolders(banks.root).of(installation.installationId, late).handOver(attempt, fileName);
  expect(await bank.list("work")).toEqual([]);
  expect(await bank.list("out")).toEqual([fileName]);
});
