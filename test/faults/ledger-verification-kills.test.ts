import { randomUUID } from "node:crypto";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { declaredCrashPoints } from "../support/crash-points.js";
import { testTenant, waitFor } from "../support/index.js";
import { transfer } from "../support/ledger-fixture.js";
import { onceUp, startLedgerProcesses, type LedgerProcesses } from "../support/ledger-processes.js";
import { pause } from "../support/time.js";

jest.setTimeout(240_000);

const bank = "bank_settlement:USD";
const points = declaredCrashPoints("ledger").filter((name) => name.startsWith("ledger.verification."));
const transfers = 300;

let processes: LedgerProcesses;

beforeAll(async () => {
  const env = { VERIFY_SWEEP_MS: "100", VERIFY_LEASE_MS: "1500", VERIFY_PIECE_TRANSFERS: "20" };
  processes = await startLedgerProcesses("verification", env);
});
afterAll(() => processes?.close());

/** A tenant whose journal takes more than ten pieces. */
async function filled() {
  const tenantId = testTenant();
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const { client } = processes.replicas[0];
  const wallet = { accountId: "w1", code: "customer_wallet", currency: "USD", name: "w1" };
  const settlement = { accountId: bank, code: "bank_settlement", currency: "USD", name: "Bank" };
  await onceUp(() => client.createAccounts({ accounts: [wallet, settlement] }, call()));
  const groups = Array.from({ length: transfers }, (_, n) => ({ transfers: [transfer(`k${n + 1}`, bank, "w1", 1n)] }));
  await onceUp(() => client.postTransfers({ groups, createdBy: "user-1" }, call()));
  return tenantId;
}

/** Lets both replicas be killed at a point whenever they pass it, until the verification ended. */
async function verifiedUnderKills(tenantId: string, point: string, armed = 3) {
  const verificationId = await processes.withVerifications(tenantId, async (verifications) => {
    const begun = await verifications.begin("user-1", new Date());
    return begun.verificationId;
  });
  let kills = 0;
  const progress: bigint[] = [];
  for (const replica of processes.replicas) replica.crashAt(point);
  const giveUpAt = performance.now() + 120_000;
  for (;;) {
    for (const replica of processes.replicas) {
      if (replica.child.isRunning()) continue;
      kills += 1;
      await replica.start();
      // The other one may be killed once more: four times in all, since the fifth try is the last.
      if (kills < armed) replica.crashAt(point);
    }
    const found = (await processes.withVerifications(tenantId, (verifications) => verifications.find(verificationId)))!;
    progress.push(found.checkedSeq);
    if (found.status !== "RUNNING") {
      // One may have died as it wrote the end, another still wait for its
      // point: the next test needs both.
      for (const replica of processes.replicas) replica.crashAt("");
      await Promise.all(processes.replicas.map((replica) => replica.killAndRestart()));
      return { found, kills, progress };
    }
    if (performance.now() > giveUpAt) throw new Error(`it still runs after ${kills} kills, at ${found.checkedSeq}`);
    await pause(100);
  }
}

test("each point of a verification is one that this test kills at", () => {
  expect(points).toEqual(["ledger.verification.advanced", "ledger.verification.kept"]);
});

test.each(points)("killed again and again at %s, it goes on where it was and ends once", async (point) => {
  const tenantId = await filled();
  const { found, kills, progress } = await verifiedUnderKills(tenantId, point);
  expect(kills).toBeGreaterThan(1);
  expect(found).toMatchObject({ status: "PASSED", checkedSeq: BigInt(transfers), faults: [] });
  // It never begins anew.
  expect(progress).toEqual(progress.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  expect(
    await processes.withVerifications(tenantId, (verifications) => verifications.list(undefined, 10)),
  ).toHaveLength(1);
});

test("killed whenever it is tried, it ends as failed", async () => {
  const { found, kills } = await verifiedUnderKills(await filled(), "ledger.verification.advanced", Infinity);
  expect(kills).toBe(5);
  const fault = { seq: 0n, what: "nobody who read on after this transfer came back" };
  expect(found).toMatchObject({ status: "FAILED", checkedSeq: 0n, faults: [fault] });
});

test("killed between two pieces, it finds what does not fit", async () => {
  const tenantId = await filled();
  await processes.withDatabase(async (db) => {
    const stored = db.collection<{ _id: string; tenantId: string }>("transfers");
    await stored.updateOne({ _id: `${tenantId}:k250`, tenantId }, { $set: { amountMinor: 2n } });
  });
  const { found, kills } = await verifiedUnderKills(tenantId, "ledger.verification.kept");
  expect(kills).toBeGreaterThan(1);
  const fault = { seq: 250n, key: "k250", what: "its content does not fit its hash" };
  expect(found).toMatchObject({ status: "FAILED", checkedSeq: 249n, faults: [fault] });
});

test("postings go on beside it, and both replicas are there afterwards", async () => {
  const tenantId = await filled();
  const { client } = processes.replicas[1];
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const verificationId = await processes.withVerifications(tenantId, async (verifications) => {
    return (await verifications.begin("user-1", new Date())).verificationId;
  });
  let posted = 0n;
  await waitFor(async () => {
    const key = randomUUID();
    const groups = [{ transfers: [transfer(key, bank, "w1", 1n)] }];
    const { results } = await onceUp(() => client.postTransfers({ groups, createdBy: "user-1" }, call()));
    if (results[0]?.posted !== undefined) posted += 1n;
    return (
      (await processes.withVerifications(tenantId, (verifications) => verifications.find(verificationId)))!.status !==
      "RUNNING"
    );
  });
  const found = (await processes.withVerifications(tenantId, (verifications) => verifications.find(verificationId)))!;
  expect(found).toMatchObject({ status: "PASSED", faults: [] });
  expect(found.lastSeq).toBeLessThanOrEqual(BigInt(transfers) + posted);
  expect(processes.replicas.map(({ child }) => child.isRunning())).toEqual([true, true]);
});
