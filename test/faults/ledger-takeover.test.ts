import { randomInt, randomUUID } from "node:crypto";
import { AccountFlag, TransferMode, type GroupResult } from "../../proto/gen/ledger/v1/ledger.js";
import type { TenantStore } from "../../services/ledger/store/index.js";
import { storedJournal } from "../../services/ledger/audit/stored-journal.js";
import { verifyJournal } from "../../services/ledger/audit/verify.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { Refusal } from "../../services/shared/refusal.js";
import { atDepth } from "../support/depth.js";
import { testTenant } from "../support/index.js";
import { transfer, type WireTransfer } from "../support/ledger-fixture.js";
import { onceUp, startLedgerProcesses, type LedgerProcess, type LedgerProcesses } from "../support/ledger-processes.js";
import { pause, runsFor } from "../support/time.js";

// 60 s in CI, ten minutes in `npm run test:long`.
const faultSeconds = atDepth({ quick: 25, ci: 60, long: 600 }, "FAULT_SECONDS");
const wallets = Array.from({ length: 20 }, (_, n) => `w${n}`);
const bank = "bank_settlement:USD";
const clientCount = 24;
jest.setTimeout((faultSeconds + 120) * 1_000);

let processes: LedgerProcesses;

beforeAll(async () => {
  processes = await startLedgerProcesses("takeover");
});
afterAll(() => processes?.close());

/** What a client was told about a group; every later answer under its keys must say the same. */
interface Acknowledged {
  readonly transfers: readonly WireTransfer[];
  readonly result: GroupResult;
}

function createLoad(replicas: readonly LedgerProcess[], tenantId: string) {
  const acknowledged: Acknowledged[] = [];
  const failures = new Map<string, number>();
  let isRunning = true;
  let lastAnswerAt = performance.now();
  let maxSilenceMs = 0;

  async function send(transfers: WireTransfer[]): Promise<GroupResult> {
    const replica = replicas[randomInt(replicas.length)]!;
    const request = { groups: [{ transfers }], createdBy: "load" };
    const { results } = await replica.client.postTransfers(
      request,
      outgoing({ tenantId, interactionId: randomUUID() }),
    );
    return results[0]!;
  }

  /**
   * As a client does that has a key: the same request until there is an answer. Some give up, and
   * never know.
   */
  async function insist(transfers: WireTransfer[]): Promise<GroupResult | undefined> {
    for (;;) {
      try {
        const result = await send(transfers);
        const now = performance.now();
        maxSilenceMs = Math.max(maxSilenceMs, now - lastAnswerAt);
        lastAnswerAt = now;
        acknowledged.push({ transfers, result });
        return result;
      } catch (error) {
        const code = error instanceof Refusal ? error.code : "OTHER";
        failures.set(code, (failures.get(code) ?? 0) + 1);
        if (!["UNAVAILABLE", "DEADLINE_EXCEEDED", "OVERLOADED", "LEASE_LOST"].includes(code)) throw error;
        if (!isRunning || randomInt(20) === 0) return undefined;
        await pause(randomInt(100));
      }
    }
  }

  function pick(): [string, string] {
    const from = randomInt(wallets.length);
    return [wallets[from]!, wallets[(from + 1 + randomInt(wallets.length - 1)) % wallets.length]!];
  }

  /**
   * One of: a deposit, a linked pair, the same request twice at once, a hold that is posted in part
   * or voided.
   */
  async function act(): Promise<void> {
    const [a, b] = pick();
    const amount = BigInt(randomInt(1, 400));
    switch (randomInt(4)) {
      case 0:
        await insist([transfer(randomUUID(), bank, a, amount)]);
        return;
      case 1:
        await insist([transfer(randomUUID(), a, b, amount), transfer(randomUUID(), b, pick()[0], 1n)].filter(distinct));
        return;
      case 2: {
        const twice = [transfer(randomUUID(), a, b, amount)];
        await Promise.all([insist(twice), insist(twice)]);
        return;
      }
      default: {
        const pendingKey = randomUUID();
        const hold = transfer(pendingKey, a, b, amount, { mode: TransferMode.TRANSFER_MODE_PENDING });
        const held = await insist([hold]);
        if (held?.posted === undefined) return;
        const about = { key: randomUUID(), kind: "test", pendingKey };
        const isVoid = randomInt(2) === 0;
        const post = { mode: TransferMode.TRANSFER_MODE_POST_PENDING, amount: { amountMinor: 1n, currency: "USD" } };
        await insist([{ ...about, ...(isVoid ? { mode: TransferMode.TRANSFER_MODE_VOID_PENDING } : post) }]);
      }
    }
  }

  async function run(): Promise<void> {
    while (isRunning) await act();
  }

  return {
    acknowledged,
    failures,
    maxSilenceMs: () => maxSilenceMs,
    clients: Array.from({ length: clientCount }, run),
    stop: () => void (isRunning = false),
  };
}

const distinct = ({ debitAccountId, creditAccountId }: WireTransfer) => debitAccountId !== creditAccountId;

/**
 * Each in turn, and again: a replica killed, mongod killed, a replica that sleeps past its lease,
 * one that ends in order.
 */
async function breakThings(replicas: readonly LedgerProcess[], untilMs: number): Promise<string[]> {
  const done: string[] = [];
  const [one, two] = replicas as [LedgerProcess, LedgerProcess];
  const pause = async () => {
    process.kill(one.child.pid, "SIGSTOP");
    // Longer than a lease: the other one takes over, and this one wakes up believing that it still
    // owns the journal.
    await runsFor(5_000);
    process.kill(one.child.pid, "SIGCONT");
  };
  /** The second replica takes over from the first and dies at the point; then both come back. */
  const crashAt = (point: string) => async () => {
    await two.child.kill();
    await two.start(`${point}:20`);
    await runsFor(1_000);
    await one.child.kill();
    await Promise.race([two.child.exited, runsFor(10_000)]);
    const crashed = !two.child.isRunning();
    await two.child.kill();
    await Promise.all([one.start(), two.start()]);
    return crashed;
  };
  const faults: [string, () => Promise<unknown>][] = [
    ["ledger-1 killed", one.killAndRestart],
    ["ledger-2 crashed inside a transaction", crashAt("ledger.group.written")],
    ["mongod killed", () => processes.killAndRestartMongo()],
    ["ledger-1 paused", pause],
    ["ledger-2 killed", two.killAndRestart],
    ["both killed", () => Promise.all([one.killAndRestart(), two.killAndRestart()])],
    ["ledger-2 crashed before its answer", crashAt("ledger.group.committed")],
    ["ledger-1 stopped", () => one.child.stop().then(() => one.start())],
  ];
  for (let n = 0; performance.now() < untilMs; n++) {
    await runsFor(1_500 + randomInt(1_000));
    const [name, work] = faults[n % faults.length]!;
    done.push((await work()) === false ? `${name} (did not happen)` : name);
  }
  return done;
}

async function openAccounts(replica: LedgerProcess, tenantId: string): Promise<void> {
  const flags = [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS];
  const accounts = [
    { accountId: bank, code: "bank_settlement", currency: "USD" },
    ...wallets.map((accountId) => ({ accountId, code: "customer_wallet", currency: "USD", flags })),
  ];
  await onceUp(() => replica.client.createAccounts({ accounts }, outgoing({ tenantId, interactionId: randomUUID() })));
}

test(`two replicas and mongod killed in turn under load for ${faultSeconds} s: nothing acknowledged lost or doubled`, async () => {
  const tenantId = testTenant();
  const { replicas } = processes;
  await openAccounts(replicas[0], tenantId);
  const load = createLoad(replicas, tenantId);
  const failed = Promise.all(load.clients);
  failed.catch(() => undefined);
  const faults = await breakThings(replicas, performance.now() + faultSeconds * 1_000);
  await runsFor(1_000);
  load.stop();
  await failed;

  // Asked again afterwards, every key tells what it told before.
  const sample = load.acknowledged.filter((_, n) => n % Math.ceil(load.acknowledged.length / 200) === 0);
  for (const { transfers, result } of sample) {
    const call = outgoing({ tenantId, interactionId: randomUUID() });
    const request = { groups: [{ transfers }], createdBy: "load" };
    const { results } = await onceUp(() => replicas[0].client.postTransfers(request, call));
    expect(withoutReplay(results[0]!)).toEqual(withoutReplay(result));
  }
  await processes.stopReplicas();
  const transfers = await processes.withStore(tenantId, (store) => checkStore(store, tenantId, load.acknowledged));

  const posted = load.acknowledged.filter(({ result }) => result.posted !== undefined).length;
  process.stdout.write(
    `ledger takeover: ${load.acknowledged.length} groups acknowledged (${posted} posted), ` +
      `${transfers} transfers, faults: ${faults.join(", ")}; longest silence ${Math.round(load.maxSilenceMs())} ms; ` +
      `failures ${JSON.stringify(Object.fromEntries(load.failures))}\n`,
  );
  expect(posted).toBeGreaterThan(20);
});

/**
 * The chain fits, every key is there once, and whatever was acknowledged is where it was said to
 * be; how many transfers.
 */
async function checkStore(
  store: TenantStore,
  tenantId: string,
  acknowledged: readonly Acknowledged[],
): Promise<number> {
  const verification = await verifyJournal(storedJournal(store, tenantId));
  expect(verification.faults).toEqual([]);
  const bySeq = new Map<bigint, string>();
  for await (const { seq, key } of store.transfersAfter(0n)) bySeq.set(seq, key);
  expect(new Set(bySeq.values()).size).toBe(bySeq.size);
  const lost = acknowledged.flatMap(({ result }) =>
    (result.posted?.transfers ?? []).filter(({ sequence, key }) => bySeq.get(sequence) !== key),
  );
  expect(lost).toEqual([]);
  const totals = await store.totals();
  const sum = (side: "debitsMinor" | "creditsMinor") => totals.reduce((all, line) => all + line[side], 0n);
  expect(sum("debitsMinor")).toBe(sum("creditsMinor"));
  return bySeq.size;
}

function withoutReplay(result: GroupResult): object {
  const { posted, refused } = result;
  return { posted: posted && { ...posted, replayed: false }, refused: refused && { ...refused, replayed: false } };
}
