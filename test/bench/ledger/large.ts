import { randomInt, randomUUID } from "node:crypto";
import { outgoing } from "../../../services/kernel/grpc/client.js";
import { accountsEach, many, postBulk, postOne } from "./contenders.js";
import { accountName, type Book, type Place } from "./database.js";
import { measure, median, memoryMbOf, quantile } from "./measure.js";
import { createInProcess, startProcess, type OursByGrpc } from "./ours.js";
import type { TargetResult } from "./report.js";

export interface LargeOptions {
  readonly transfers: number;
  readonly accounts: number;
  readonly rounds: number;
  readonly runMs: number;
  readonly main: string;
  readonly say: (line: string) => void;
}

const fewTransfers = 10_000;

/**
 * What depends on size: posting into many transfers, reads there, and memory with many accounts.
 */
export async function measureLarge(place: Place, options: LargeOptions): Promise<TargetResult[]> {
  const full = await place.open("bench_full", accountsEach);
  await fill(full, options.transfers, options.say);
  const posting = await comparePosting(place, full, options);
  const ledger = await startProcess({ ...place.process(full), main: options.main });
  const reads = await measureReads(full, ledger).finally(() => ledger.stop());
  const memory = await measureMemory(place, options);
  return [posting, ...reads, memory];
}

async function fill({ db, tenantId }: Book, transfers: number, say: (line: string) => void): Promise<void> {
  const ours = createInProcess(db, tenantId);
  const post = postBulk(ours, many(accountsEach));
  const startedAt = performance.now();
  let done = 0;
  const client = async () => {
    while (done < transfers) {
      const posted = await post();
      done += posted;
    }
  };
  await Promise.all([client(), client()]);
  await ours.stop();
  say(`${done} transfers in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}

async function comparePosting(place: Place, full: Book, options: LargeOptions): Promise<TargetResult> {
  const ratios: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const few = await place.open(`bench_few_${round}`, accountsEach);
    await fill(few, fewTransfers, () => undefined);
    const rates: number[] = [];
    for (const book of [few, full]) {
      const ours = createInProcess(book.db, book.tenantId);
      // Past the doubts of a new owner about keys.
      const load = { clients: 64, warmMs: 5_500, runMs: options.runMs, mongodPid: place.mongo.pid };
      const { transfersPerS } = await measure(postOne(ours, many(accountsEach)), load);
      rates.push(transfersPerS);
      await ours.stop();
    }
    ratios.push(rates[0]! / rates[1]!);
    options.say(
      `posting into ${fewTransfers} ${rates[0]!.toFixed(0)}/s, into ${options.transfers} ${rates[1]!.toFixed(0)}/s`,
    );
  }
  const value = median(ratios);
  const what = `posting into ${options.transfers.toLocaleString("en")} transfers costs, of posting into 10,000`;
  return { what, value: value.toFixed(2), target: "≤ 1.3", isMet: value <= 1.3 };
}

async function measureReads({ tenantId, db }: Book, { client }: OursByGrpc): Promise<TargetResult[]> {
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  // Bulks share an interaction id among a thousand transfers; of those posted one by one each has
  // its own.
  const single = await db
    .db!.collection("transfers")
    .aggregate([{ $match: { tenantId } }, { $sample: { size: 500 } }])
    .toArray();
  const ids = single.map(({ interactionId }) => String(interactionId));
  const history = async (n: number) => {
    await client.listEntriesByInteraction({ interactionId: ids[n % ids.length]! }, call());
  };
  const statement = async () => {
    await client.listAccountEntries(
      { accountId: accountName(randomInt(accountsEach)), newestFirst: randomInt(2) === 0, pageSize: 50 },
      call(),
    );
  };
  return [
    await p99Of("history by interaction id there, p99", history),
    await p99Of("statement page of 50 there, p99", statement),
  ];
}

async function p99Of(what: string, read: (n: number) => Promise<void>): Promise<TargetResult> {
  const latenciesMs: number[] = [];
  for (let n = 0; n < 1_100; n++) {
    const startedAt = performance.now();
    await read(n);
    // The first find a cold cache.
    if (n >= 100) latenciesMs.push(performance.now() - startedAt);
  }
  latenciesMs.sort((a, b) => a - b);
  const [p50, p99] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  return {
    what: `${what} (p50 ${p50.toFixed(1)} ms)`,
    value: `${p99.toFixed(1)} ms`,
    target: "< 10 ms",
    isMet: p99 < 10,
  };
}

async function measureMemory(place: Place, { accounts, main, say }: LargeOptions): Promise<TargetResult> {
  const book = await place.open("bench_accounts", accounts);
  say(`${accounts} accounts made`);
  const ledger = await startProcess({ ...place.process(book), main });
  const load = { clients: 64, warmMs: 1_000, runMs: 30_000, mongodPid: place.mongo.pid, ledgerPid: ledger.pid };
  const bulk = measure(postBulk(ledger, many(accounts)), { ...load, clients: 2 });
  await Promise.all([bulk, measure(postOne(ledger, many(accounts)), load)]);
  const { now, peak } = memoryMbOf(ledger.pid);
  await ledger.stop();
  const what = `memory of the process with ${accounts.toLocaleString("en")} accounts in the database (now ${now.toFixed(0)} MB), highest`;
  return { what, value: `${peak.toFixed(0)} MB`, target: "< 300 MB", isMet: peak < 300 };
}
