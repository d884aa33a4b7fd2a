import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { batchPostings } from "../../../services/platform/neighbours/posting-batches.js";
import { acrossTenants } from "../../../services/kernel/mongo/tenant-collection.js";
import { collections, type LeaseDocument } from "../../../services/ledger/store/collections.js";
import { createCpuQuota } from "./cpu-quota.js";
import { accountName, hotAccount, makeAccounts, type Book, type Place } from "./database.js";
import { makeBenchKeys, postPairs, startProcess, type OursByGrpc } from "./ours.js";

const tenantCount = 24;
const clientsPerTenant = 4;
const evenWithinMs = 60_000;

interface SharingOptions {
  /** How long each stretch counts. */
  readonly runMs: number;
  readonly main: string;
  /** The part of a processor that each replica gets; as much as there is when absent. */
  readonly cpus?: number | undefined;
  readonly say: (line: string) => void;
}

/**
 * Transfers a second of 24 tenants that post all the time, with two replicas and with four, and how
 * the journals lie.
 */
export async function measureSharing(place: Place, { runMs, main, cpus, say }: SharingOptions): Promise<void> {
  const book = await place.open("bench_share", 0);
  const tenantIds = Array.from({ length: tenantCount }, () => randomUUID());
  for (const tenantId of tenantIds) await makeAccounts(book.db, tenantId, 1);
  const keys = await makeBenchKeys();
  const replicas: OursByGrpc[] = [];
  const quota = cpus === undefined ? undefined : createCpuQuota(cpus);
  const start = async () => {
    const replica = await startProcess({ ...place.process(book), main, keys });
    // What starting costs is not what is measured.
    quota?.hold(replica.pid);
    replicas.push(replica);
  };
  await start();
  await start();
  const load = startLoad(tenantIds, replicas);
  try {
    // A new owner looks keys up for a while.
    await sleep(8_000);
    const report = async (what: string) =>
      say(
        `${what}: ${(await load.perSecond(runMs)).toFixed(0)} transfers/s, journals a replica ${await spreadOf(book)}`,
      );
    await report("2 replicas");
    const startedAtMs = performance.now();
    await start();
    await start();
    const isEven = await untilEven(book);
    const tookS = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
    say(isEven ? `4 to 8 journals each ${tookS} s after two more were started` : `not even after ${tookS} s`);
    await sleep(8_000);
    await report("4 replicas");
  } finally {
    await load.stop();
    for (const replica of replicas) await replica.stop();
    quota?.remove();
  }
}

/** Clients that post in a closed loop, each through the replicas in turn as a balancer would. */
function startLoad(tenantIds: readonly string[], replicas: readonly OursByGrpc[]) {
  let made = 0;
  let isRunning = true;
  const batched = new Map<OursByGrpc, Pick<OursByGrpc["client"], "postTransfers">>();
  const posterOf = (replica: OursByGrpc) => {
    let poster = batched.get(replica);
    if (poster === undefined) batched.set(replica, (poster = batchPostings(replica.client)));
    return poster;
  };
  const client = async (tenantId: string) => {
    for (let n = 0; isRunning; n++) {
      await postPairs(posterOf(replicas[n % replicas.length]!), tenantId, [[hotAccount, accountName(0)]]);
      made++;
    }
  };
  const all = Promise.all(tenantIds.flatMap((id) => Array.from({ length: clientsPerTenant }, () => client(id))));
  all.catch(() => (isRunning = false));
  return {
    async perSecond(runMs: number): Promise<number> {
      const [before, atMs] = [made, performance.now()];
      await sleep(runMs);
      return ((made - before) * 1_000) / (performance.now() - atMs);
    },
    async stop(): Promise<void> {
      isRunning = false;
      await all;
    },
  };
}

async function ownedEach({ db }: Book): Promise<number[]> {
  const leases = acrossTenants<LeaseDocument>(db, collections.leases, "a benchmark");
  const running = await leases.find({ $expr: { $gt: ["$until", "$$NOW"] } });
  return [...Map.groupBy(running, ({ address }) => address).values()].map(({ length }) => length);
}

async function spreadOf(book: Book): Promise<string> {
  return (await ownedEach(book)).toSorted((a, b) => b - a).join(", ");
}

async function untilEven(book: Book): Promise<boolean> {
  const giveUpAtMs = performance.now() + evenWithinMs;
  for (;;) {
    const owned = await ownedEach(book);
    if (owned.length === 4 && owned.every((count) => count >= 4 && count <= 8)) return true;
    if (performance.now() > giveUpAtMs) return false;
    await sleep(200);
  }
}
