import { randomInt, randomUUID } from "node:crypto";
import { storedJournal } from "../../services/ledger/audit/stored-journal.js";
import { verifyJournal } from "../../services/ledger/audit/verify.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { testTenant, waitFor } from "../support/index.js";
import { transfer, type WireTransfer } from "../support/ledger-fixture.js";
import { onceUp, startLedgerProcesses, type LedgerProcess, type LedgerProcesses } from "../support/ledger-processes.js";
import { pause, runsFor } from "../support/time.js";

const bank = "bank_settlement:USD";
const tenants = Array.from({ length: 24 }, () => testTenant());
const clientsPerTenant = 2;
// Half of what runs by default, so that the test takes half of the time.
const shareEveryMs = 1_000;
const patient = { timeoutMs: 120_000, everyMs: 200 };
jest.setTimeout(600_000);

let processes: LedgerProcesses;
const replicas: LedgerProcess[] = [];

beforeAll(async () => {
  processes = await startLedgerProcesses("sharing", { SHARE_EVERY_MS: String(shareEveryMs) });
  replicas.push(...processes.replicas);
});
afterAll(() => processes?.close());

const callOf = (tenantId: string) => outgoing({ tenantId, interactionId: randomUUID() });

async function openAccounts(tenantId: string): Promise<void> {
  const accounts = [
    { accountId: bank, code: "bank_settlement", currency: "USD" },
    { accountId: "w1", code: "customer_wallet", currency: "USD" },
  ];
  await onceUp(() => replicas[randomInt(2)]!.client.createAccounts({ accounts }, callOf(tenantId)));
}

/** Clients that post to their tenant through any replica, each transfer until it is answered. */
function startLoad() {
  const posted = new Map(tenants.map((tenantId) => [tenantId, new Set<string>()]));
  const failures = new Map<string, number>();
  let isRunning = true;

  async function post(tenantId: string, sent: WireTransfer): Promise<void> {
    for (;;) {
      const replica = replicas[randomInt(replicas.length)]!;
      const request = { groups: [{ transfers: [sent] }], createdBy: "load" };
      try {
        const { results } = await replica.client.postTransfers(request, callOf(tenantId));
        if (results[0]?.posted === undefined) throw new Error(`refused: ${results[0]?.refused?.code}`);
        return;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        failures.set(error.code, (failures.get(error.code) ?? 0) + 1);
        await pause(randomInt(100));
      }
    }
  }

  async function client(tenantId: string): Promise<void> {
    while (isRunning) {
      const key = randomUUID();
      await post(tenantId, transfer(key, bank, "w1", 1n));
      posted.get(tenantId)!.add(key);
      await pause(randomInt(40));
    }
  }

  const clients = Promise.all(tenants.flatMap((id) => Array.from({ length: clientsPerTenant }, () => client(id))));
  clients.catch(() => undefined);
  return {
    posted,
    failures,
    count: () => [...posted.values()].reduce((sum, { size }) => sum + size, 0),
    async stop(): Promise<void> {
      isRunning = false;
      await clients;
    },
  };
}

const isSpread = async () => {
  const owned = [...(await processes.owners()).journals.values()];
  return owned.length === replicas.length && owned.every((count) => count >= 4 && count <= 8) ? owned : undefined;
};

test("after 2 → 4 replicas under 24 busy tenants each owns 4 to 8 journals and moves stop; a replica killed in a hand-over loses and doubles nothing", async () => {
  for (const tenantId of tenants) await openAccounts(tenantId);
  const load = startLoad();
  await waitFor(async () => [...(await processes.owners()).journals.values()].join().length > 0, patient);
  await waitFor(() => [...load.posted.values()].every(({ size }) => size > 5), patient);

  const added = [await processes.addReplica(), await processes.addReplica()];
  // A balancer sends nothing to a replica that does not serve yet.
  for (const { client } of added) await onceUp(() => client.getChart({}, callOf(tenants[0]!)));
  replicas.push(...added);
  const spread = await waitFor(isSpread, { ...patient, what: "4 to 8 journals each" });
  // Nobody who posts has noticed, save by a call that this machine was too slow for.
  const noticed = [...load.failures.keys()].filter((code) => code !== "DEADLINE_EXCEEDED");
  expect([noticed, noticed.length > 0 ? processes.logged("unexpected error") : []]).toEqual([[], []]);

  // Ten looks of every replica in which no journal changes hands.
  await waitFor(
    async () => {
      const before = (await processes.owners()).takenOver;
      await runsFor(10 * shareEveryMs);
      return (await processes.owners()).takenOver === before;
    },
    { ...patient, what: "moves that stop" },
  );

  const [newcomer, ...others] = replicas as [LedgerProcess, ...LedgerProcess[]];
  for (const point of ["ledger.handover.drained", "ledger.handover.written"]) {
    // It comes back with nothing, so each of the others has more than its share.
    await newcomer.child.kill();
    const journals = await waitFor(async () => {
      const found = (await processes.owners()).journals;
      const owned = [...found.values()].reduce((sum, count) => sum + count, 0);
      return owned === tenants.length && !found.has(newcomer.address) ? found : undefined;
    }, patient);
    const [giver] = others.toSorted((a, b) => journals.get(b.address)! - journals.get(a.address)!);
    giver!.crashAt(point);
    await newcomer.start();
    await waitFor(() => !giver!.child.isRunning(), { ...patient, what: point });
    await giver!.start();
    await waitFor(isSpread, { ...patient, what: `4 to 8 journals each after ${point}` });
  }
  const counts = new Map([...load.posted].map(([tenantId, { size }]) => [tenantId, size]));
  await waitFor(() => [...load.posted].every(([tenantId, { size }]) => size > counts.get(tenantId)! + 3), patient);
  await load.stop();
  await processes.stopReplicas();

  for (const [tenantId, keys] of load.posted) {
    const stored = await processes.withStore(tenantId, async (store) => {
      expect((await verifyJournal(storedJournal(store, tenantId))).faults).toEqual([]);
      return Array.fromAsync(store.transfersAfter(0n), ({ key }) => key);
    });
    expect(stored.toSorted()).toEqual([...keys].toSorted());
  }
  process.stdout.write(
    `ledger sharing: ${load.count()} transfers in 24 tenants; journals a replica after 2 → 4: ${spread.join(", ")}; ` +
      `failures ${JSON.stringify(Object.fromEntries(load.failures))}\n`,
  );
});
