import { serialize } from "node:v8";
import { silentLog, testDatabase, waitFor, type TestDatabase } from "../../../test/support/index.js";
import { fund, linked, move, openLedger } from "../../../test/support/ledger-journal.js";
import { systemClock } from "../../kernel/time/clock.js";
import { runMigrations } from "../../kernel/mongo/migrations.js";
import { runFromBytes, runToBytes } from "../audit/kept-run.js";
import { storedJournal } from "../audit/stored-journal.js";
import { advanceRun, beginRun } from "../audit/verify.js";
import { createLedgerStore } from "../store/index.js";
import { migrations } from "../store/migrations.js";
import { createVerificationStore, VerificationLost } from "../store/verifications.js";
import { startVerifications, type VerificationJobOptions } from "./verifications.js";

let database: TestDatabase;
let verifications: ReturnType<typeof createVerificationStore>;
const running: ReturnType<typeof startVerifications>[] = [];

beforeAll(async () => {
  database = await testDatabase("ledger_verification_job");
  await runMigrations(database.db, migrations, silentLog);
  verifications = createVerificationStore(database.db);
});
afterEach(async () => {
  for (const job of running.splice(0)) await job.stop();
});
afterAll(() => database.close());

type Stored = { _id: string; tenantId: string };
const stored = (collection: string) => database.db.collection<Stored>(collection);

/** Twenty transfers over four wallets, a pending one, its release and a reversal among them. */
async function filled() {
  const ledger = await openLedger(database.db);
  await ledger.accounts(["a", "b", "c", "d"]);
  const { journal } = await ledger.open();
  for (let n = 0; n < 8; n++) await fund(journal, "abcd"[n % 4]!, 100n);
  for (let n = 0; n < 9; n++) await journal.post(linked(move("a", "bcd"[n % 3]!, 1n, { key: `move${n}` })));
  await journal.post(linked(move("a", "b", 5n, { key: "hold", mode: "PENDING" })));
  const about = { debitAccountId: "", creditAccountId: "", description: "", metadata: [], kind: "test" };
  await journal.post(linked({ ...about, key: "release", mode: "VOID_PENDING", refersTo: "hold" }));
  await journal.post(linked({ ...about, key: "back", mode: "POSTED", refersTo: "move0" }));
  await ledger.close();
  return ledger;
}

function startJob(more: Partial<VerificationJobOptions> = {}) {
  const given = { store: createLedgerStore(database.db), verifications, clock: systemClock, log: silentLog };
  const job = startVerifications({
    ...given,
    everyMs: 50,
    pieceTransfers: 3,
    accountsPerPass: 2,
    againMs: 20,
    ...more,
  });
  running.push(job);
  return job;
}

async function ended(tenantId: string, verificationId: string) {
  const find = () => verifications.forTenant(tenantId).find(verificationId);
  await waitFor(async () => (await find())?.status !== "RUNNING");
  return (await find())!;
}

async function verified(tenantId: string, more?: Partial<VerificationJobOptions>) {
  const { verificationId } = await verifications.forTenant(tenantId).begin("user-1", new Date());
  startJob(more);
  return ended(tenantId, verificationId);
}

/** Takes the tenant's verification as another process would, for a time or for none. */
async function taken(tenantId: string, leaseMs: number) {
  const leased = await verifications.take(leaseMs);
  expect(leased?.tenantId).toBe(tenantId);
  return leased!;
}

test("a journal that fits passes, in pieces and in a pass for every two accounts", async () => {
  const { tenantId, store } = await filled();
  const head = (await store.findHead())!;
  expect(await verified(tenantId)).toMatchObject({
    status: "PASSED",
    pass: 3,
    checkedSeq: 20n,
    lastSeq: 20n,
    faults: [],
    startedBy: "user-1",
    headHash: Buffer.from(head.hash),
  });
  expect(await stored("verification_states").countDocuments({ tenantId })).toBe(0);
});

test("an empty journal passes", async () => {
  const { tenantId } = await openLedger(database.db);
  expect(await verified(tenantId)).toMatchObject({ status: "PASSED", checkedSeq: 0n, lastSeq: 0n });
});

test("in pieces it finds what it finds in one go", async () => {
  const ledger = await filled();
  const { tenantId } = ledger;
  const accounts = stored("accounts");
  await accounts.updateOne({ _id: `${tenantId}:b`, tenantId }, { $inc: { creditsPostedMinor: 1n } });
  await accounts.updateOne({ _id: `${tenantId}:d`, tenantId }, { $inc: { "openDay.creditsMinor": 1n } });
  await stored("reversals").deleteOne({ _id: `${tenantId}:move0`, tenantId });
  await stored("heads").updateOne({ _id: tenantId, tenantId }, { $inc: { "openVolumes.0.transfers": 1n } });
  const { faults } = await ledger.verify({ accountsPerPass: 2 });
  expect(faults).toHaveLength(4);
  expect(await verified(tenantId, { pieceTransfers: 1 })).toMatchObject({ status: "FAILED", faults });
});

test("an account of another currency than its transfers is found", async () => {
  const { tenantId } = await filled();
  await stored("accounts").updateOne({ _id: `${tenantId}:b`, tenantId }, { $set: { currency: "EUR" } });
  const { status, faults } = await verified(tenantId, { accountsPerPass: 100 });
  expect([status, faults]).toEqual([
    "FAILED",
    [
      expect.objectContaining({ seq: 2n, what: "the credit account is in EUR" }),
      { accountId: "b", what: "it is not what record 2 holds" },
    ],
  ]);
});

test("who takes over goes on from the last piece, and reads nothing before it again", async () => {
  const { tenantId, store } = await filled();
  await verifications.forTenant(tenantId).begin("user-1", new Date());
  const leased = await taken(tenantId, 0);
  const source = storedJournal(store, tenantId);
  const { run } = await advanceRun(source, await beginRun(source), { maxTransfers: 10 });
  const place = { pass: 1, checkedSeq: 10n, lastSeq: 20n, headHash: run.pass.end.hash };
  await verifications.save(leased, place, runToBytes(run));
  // Whoever began anew would find it.
  await stored("transfers").updateOne({ _id: `${tenantId}:move1`, tenantId }, { $set: { amountMinor: 7n } });
  startJob({ accountsPerPass: 100 });
  expect(await ended(tenantId, leased.verificationId)).toMatchObject({ status: "PASSED", checkedSeq: 20n });
  expect(await verified(tenantId)).toMatchObject({ status: "FAILED", faults: [{ seq: 10n, key: "move1" }] });
});

test("who lost the lease writes nothing any more", async () => {
  const { tenantId } = await openLedger(database.db);
  await verifications.forTenant(tenantId).begin("user-1", new Date());
  const first = await taken(tenantId, 0);
  const second = await taken(tenantId, 60_000);
  const place = { pass: 1, checkedSeq: 1n, lastSeq: 1n };
  await expect(verifications.save(first, place, Buffer.from("first"))).rejects.toBeInstanceOf(VerificationLost);
  await expect(verifications.renew(first, 60_000)).rejects.toBeInstanceOf(VerificationLost);
  await expect(verifications.giveBack(first)).rejects.toBeInstanceOf(VerificationLost);
  const ending = { ...place, faults: [], endedAt: new Date() };
  await expect(verifications.end(first, ending)).rejects.toBeInstanceOf(VerificationLost);
  const saved = await verifications.save(second, place, Buffer.from("second"));
  expect(Buffer.from((await verifications.readState(saved))!).toString()).toBe("second");
  await verifications.end(saved, ending);
  // What the first one left is gone, too.
  expect(await stored("verification_states").countDocuments({ tenantId })).toBe(0);
});

test("what is kept takes the place of what was kept before, and of nothing that another process writes meanwhile", async () => {
  const { tenantId } = await openLedger(database.db);
  await verifications.forTenant(tenantId).begin("user-1", new Date());
  const place = { pass: 1, checkedSeq: 1n, lastSeq: 1n };
  const first = await verifications.save(await taken(tenantId, 60_000), place, Buffer.from("first"));
  const { verificationId } = first;
  const parts = database.db.collection<Stored & { verificationId: string; stateId: string }>("verification_states");
  await parts.insertOne({ _id: `${tenantId}:other:0`, tenantId, verificationId, stateId: "other" });
  const second = await verifications.save(first, place, Buffer.from("second"));
  const left = await parts.find({ tenantId }).toArray();
  expect(left.map(({ stateId }) => stateId).toSorted()).toEqual([second.state!.id, "other"].toSorted());
  await verifications.end(second, { ...place, faults: [], endedAt: new Date() });
  expect(await parts.countDocuments({ tenantId })).toBe(0);
});

test("nobody else takes what somebody works on, however long it takes", async () => {
  const { tenantId } = await openLedger(database.db);
  await verifications.forTenant(tenantId).begin("user-1", new Date());
  const leased = await taken(tenantId, 60_000);
  expect(await verifications.take(60_000)).toBeUndefined();
  await verifications.giveBack(leased);
  expect((await verifications.take(60_000))?.verificationId).toBe(leased.verificationId);
  await stored("verifications").deleteMany({ tenantId });
});

test("a job that stops leaves it to another at once", async () => {
  const { tenantId } = await filled();
  const { verificationId } = await verifications.forTenant(tenantId).begin("user-1", new Date());
  const job = startJob({ pieceTransfers: 1, accountsPerPass: 1 });
  await waitFor(async () => (await verifications.forTenant(tenantId).find(verificationId))!.lastSeq > 0n);
  await job.stop();
  startJob();
  expect(await ended(tenantId, verificationId)).toMatchObject({ status: "PASSED" });
});

test("a journal that nobody can read fails after five tries, and names the place", async () => {
  const { tenantId } = await filled();
  await stored("transfers").updateOne({ _id: `${tenantId}:move2`, tenantId }, { $unset: { entries: "" } });
  const { status, faults } = await verified(tenantId, { accountsPerPass: 100 });
  const what = "the journal cannot be read after this transfer";
  expect([status, faults]).toEqual(["FAILED", [{ seq: 9n, what }]]);
});

test("one whose processes are killed without a word fails after five tries", async () => {
  const { tenantId, store } = await filled();
  const { verificationId } = await verifications.forTenant(tenantId).begin("user-1", new Date());
  const killed = async () => expect((await taken(tenantId, 0)).verificationId).toBe(verificationId);
  for (let tries = 1; tries < 5; tries += 1) await killed();
  // Who gets further begins to count anew.
  const { run } = await advanceRun(storedJournal(store, tenantId), await beginRun(storedJournal(store, tenantId)), {
    maxTransfers: 10,
  });
  await verifications.save(
    await taken(tenantId, 0),
    { pass: 1, checkedSeq: 10n, lastSeq: 20n, headHash: run.pass.end.hash },
    runToBytes(run),
  );
  for (let tries = 2; tries <= 5; tries += 1) await killed();
  startJob({ accountsPerPass: 100 });
  const fault = { seq: 10n, what: "nobody who read on after this transfer came back" };
  expect(await ended(tenantId, verificationId)).toMatchObject({ status: "FAILED", checkedSeq: 10n, faults: [fault] });
});

test("what is given back, at a stop or while the store is away, was no try", async () => {
  const { tenantId } = await openLedger(database.db);
  await verifications.forTenant(tenantId).begin("user-1", new Date());
  for (let times = 0; times < 6; times += 1) {
    const leased = await taken(tenantId, 60_000);
    expect(leased.failures).toBe(1);
    await verifications.giveBack(leased);
  }
  await verifications.giveBack(await taken(tenantId, 60_000), { hasFailed: true });
  const again = await taken(tenantId, 60_000);
  expect(again.failures).toBe(2);
  await verifications.giveBack(
    await verifications.save(again, { pass: 1, checkedSeq: 1n, lastSeq: 1n }, Buffer.from("x")),
  );
  expect((await taken(tenantId, 60_000)).failures).toBe(1);
  await stored("verifications").deleteMany({ tenantId });
});

test("what a version of another form kept is begun anew", async () => {
  const { tenantId, store } = await filled();
  const run = await beginRun(storedJournal(store, tenantId));
  expect(runFromBytes(runToBytes(run))).toEqual(run);
  expect(runFromBytes(serialize({ form: 0, run }))).toBeUndefined();
});
