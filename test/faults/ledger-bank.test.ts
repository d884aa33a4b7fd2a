import { randomInt, randomUUID } from "node:crypto";
import { AccountFlag, type Account, type GroupResult } from "../../proto/gen/ledger/v1/ledger.js";
import type { TenantStore } from "../../services/ledger/store/index.js";
import { storedJournal } from "../../services/ledger/audit/stored-journal.js";
import { verifyJournal } from "../../services/ledger/audit/verify.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { atDepth } from "../support/depth.js";
import { testTenant } from "../support/index.js";
import { transfer, type WireTransfer } from "../support/ledger-fixture.js";
import { onceUp, startLedgerProcesses, type LedgerProcesses } from "../support/ledger-processes.js";
import { pause, runsFor } from "../support/time.js";

// The bank of Jepsen (https://github.com/jepsen-io/jepsen, tests/bank): money moves, nobody may
// ever see a sum that differs. 60 s in CI, an hour in `npm run test:long`.
// BANK_MONGODB_URI names databases that run already, as those of
// `ops -- shards check`: then only ledgers are killed.
const givenMongoUri = process.env["BANK_MONGODB_URI"];
const bankSeconds = atDepth({ quick: 20, ci: 60, long: 3_600 }, "BANK_SECONDS");
const names = Array.from({ length: 20 }, (_, n) => `a${n}`);
const clientCount = 50;
const eachMinor = 1_000n;
const total = eachMinor * BigInt(names.length);
const bank = "bank_settlement:USD";

jest.setTimeout((bankSeconds + 180) * 1_000);

let processes: LedgerProcesses;

beforeAll(async () => {
  processes = await startLedgerProcesses("bank", {}, givenMongoUri);
});
afterAll(() => processes?.close());

/** Figures of an account that only grow. */
type Turnovers = ReadonlyMap<string, bigint>;

function createClients(tenantId: string) {
  const { replicas } = processes;
  const posted: { key: string; sequence: bigint }[] = [];
  const refused = new Set<string>();
  const faults: string[] = [];
  const counts = { transfers: 0, refusals: 0, reads: 0, abandoned: 0, failures: 0 };
  // What reads that are over have seen: no later read may see less.
  let seen: Turnovers = new Map();
  let isRunning = true;

  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const replica = () => replicas[randomInt(replicas.length)]!.client;

  /** The same request until there is an answer; some give up, and never know. */
  async function insist<T>(ask: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const code = error instanceof Refusal ? error.code : String(error);
        counts.failures += 1;
        if (!["UNAVAILABLE", "DEADLINE_EXCEEDED", "OVERLOADED", "LEASE_LOST"].includes(code)) {
          faults.push(`failed with ${String(error)}; logged: ${whatIsLoggedOf(error)}`);
          return undefined;
        }
        if (!isRunning || randomInt(20) === 0) return undefined;
        await pause(randomInt(100));
      }
    }
  }

  function note(transfers: readonly WireTransfer[], { posted: done, refused: reason }: GroupResult): void {
    for (const { key, sequence } of done?.transfers ?? []) posted.push({ key, sequence });
    if (done !== undefined) counts.transfers += 1;
    if (reason === undefined) return;
    counts.refusals += 1;
    if (reason.code !== "INSUFFICIENT_FUNDS") faults.push(`refused ${reason.code} ${reason.message}`);
    for (const { key } of transfers) refused.add(key!);
  }

  /** One transfer, or two that are linked. */
  async function move(): Promise<void> {
    const [a, b, c] = pickThree();
    const transfers = [transfer(randomUUID(), a, b, BigInt(randomInt(1, 500)))];
    if (randomInt(3) === 0) transfers.push(transfer(randomUUID(), b, c, BigInt(randomInt(1, 500))));
    const request = { groups: [{ transfers }], createdBy: "bank" };
    const answer = await insist(() => replica().postTransfers(request, call()));
    if (answer === undefined) counts.abandoned += 1;
    else note(transfers, answer.results[0]!);
  }

  async function read(): Promise<void> {
    const before = seen;
    const answer = await insist(() => replica().getAccounts({ accountIds: names }, call()));
    if (answer === undefined) return;
    counts.reads += 1;
    const fault = readFault(answer.accounts, before);
    if (fault !== undefined) faults.push(fault);
    seen = new Map(answer.accounts.map((account) => [account.accountId, largest(turnoverOf(account), seen, account)]));
  }

  async function run(): Promise<void> {
    while (isRunning) await (randomInt(4) === 0 ? read() : move());
  }

  return {
    posted,
    refused,
    faults,
    counts,
    all: Promise.all(Array.from({ length: clientCount }, run)),
    stop: () => void (isRunning = false),
  };
}

/** Why a ledger failed, in its own words: its answer names no more than the interaction. */
function whatIsLoggedOf(error: unknown): string {
  const interaction = /interaction (\S+)/.exec(String(error))?.[1];
  return interaction === undefined ? "" : processes.logged(interaction).join("\n");
}

function pickThree(): [string, string, string] {
  const from = randomInt(names.length);
  const [second, third] = [1 + randomInt(names.length - 1), 1 + randomInt(names.length - 2)];
  const at = (offset: number) => names[(from + offset) % names.length]!;
  return [at(0), at(second), at(third >= second ? third + 1 : third)];
}

const turnoverOf = ({ debitsPostedMinor, creditsPostedMinor }: Account) => debitsPostedMinor + creditsPostedMinor;

function largest(turnover: bigint, seen: Turnovers, { accountId }: Account): bigint {
  const known = seen.get(accountId) ?? 0n;
  return turnover > known ? turnover : known;
}

/**
 * What no read may show: another sum, an account below zero, or less than an earlier read had
 * shown.
 */
function readFault(accounts: readonly Account[], before: Turnovers): string | undefined {
  if (accounts.length !== names.length) return `a read found ${accounts.length} accounts`;
  let sum = 0n;
  for (const account of accounts) {
    const balance = account.creditsPostedMinor - account.debitsPostedMinor;
    sum += balance;
    if (balance < 0n) return `${account.accountId} was read at ${balance}`;
    if (turnoverOf(account) < (before.get(account.accountId) ?? 0n)) return `${account.accountId} was read in the past`;
  }
  return sum === total ? undefined : `a read summed to ${sum}`;
}

/** In turn and again, with a little peace in between. */
async function breakThings(untilMs: number): Promise<Record<string, number>> {
  const [one, two] = processes.replicas;
  const ofLedgers: [string, () => Promise<unknown>][] = [
    ["ledger killed", one.killAndRestart],
    ["ledger killed", two.killAndRestart],
  ];
  const ofMongo: [string, () => Promise<unknown>][] = [
    ["mongod killed", () => processes.killAndRestartMongo()],
    ["both and mongod killed", () => Promise.all([one.killAndRestart(), two.killAndRestart(), killMongoSoon()])],
  ];
  const faults = givenMongoUri === undefined ? [...ofLedgers, ...ofMongo] : ofLedgers;
  const done: Record<string, number> = {};
  for (let n = 0; performance.now() < untilMs; n++) {
    await runsFor(1_000 + randomInt(2_000));
    const [name, work] = faults[n % faults.length]!;
    await work();
    done[name] = (done[name] ?? 0) + 1;
  }
  return done;
}

async function killMongoSoon(): Promise<void> {
  await runsFor(randomInt(200));
  await processes.killAndRestartMongo();
}

async function openAccounts(tenantId: string): Promise<void> {
  const { client } = processes.replicas[0];
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const flags = [AccountFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS];
  const wallets = names.map((accountId) => ({ accountId, code: "customer_wallet", currency: "USD", flags }));
  const accounts = [{ accountId: bank, code: "bank_settlement", currency: "USD" }, ...wallets];
  await onceUp(() => client.createAccounts({ accounts }, call()));
  const groups = names.map((name) => ({ transfers: [transfer(randomUUID(), bank, name, eachMinor)] }));
  await onceUp(() => client.postTransfers({ groups, createdBy: "bank" }, call()));
}

test(`the bank, ${bankSeconds} s: ${clientCount} clients move money while ledgers${givenMongoUri === undefined ? " and mongod" : ""} are killed; it always adds up`, async () => {
  const tenantId = testTenant();
  await openAccounts(tenantId);
  const clients = createClients(tenantId);
  clients.all.catch(() => undefined);
  const broken = await breakThings(performance.now() + bankSeconds * 1_000);
  await runsFor(1_000);
  clients.stop();
  await clients.all;
  await processes.stopReplicas();
  const transfers = await processes.withStore(tenantId, (store) => checkStore(store, tenantId, clients));
  process.stdout.write(`ledger bank: ${transfers} transfers, ${JSON.stringify({ ...clients.counts, ...broken })}\n`);
  expect(clients.faults).toEqual([]);
  expect(clients.counts.reads).toBeGreaterThan(10);
  expect(clients.counts.transfers).toBeGreaterThan(10);
});

/**
 * Nothing acknowledged is lost, nothing is there twice, nothing that was refused is there, and no
 * balance breaks its flag.
 */
async function checkStore(store: TenantStore, tenantId: string, clients: ReturnType<typeof createClients>) {
  // Recomputes every balance, flags included, and the chain.
  expect((await verifyJournal(storedJournal(store, tenantId))).faults).toEqual([]);
  const sequences = new Map<string, bigint>();
  let count = 0;
  for await (const { key, seq } of store.transfersAfter(0n)) {
    sequences.set(key, seq);
    count += 1;
  }
  expect(sequences.size).toBe(count);
  expect(clients.posted.filter(({ key, sequence }) => sequences.get(key) !== sequence)).toEqual([]);
  expect([...clients.refused].filter((key) => sequences.has(key))).toEqual([]);
  const final = await store.findAccountsSnapshot(names);
  const balances = final.map(({ figures }) => figures.creditsPostedMinor - figures.debitsPostedMinor);
  expect(balances.reduce((a, b) => a + b)).toBe(total);
  return count;
}
