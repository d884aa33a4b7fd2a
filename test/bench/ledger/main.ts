// `npm run bench:ledger`: what the ledger costs beside the bare driver, as ratios of one run on one
// machine. Prints them. With `-- --long` it adds what depends on size (some ten minutes), which `--
// --size` measures alone. `-- --share` measures instead what 24 busy tenants post before and after
// two replicas become four, and `-- --peers` what other ledgers post whose binaries are given:
// `--formance`, `--blnk`, and the folder `--postgres`.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { accountsEach, createContenders, runRounds, type Samples } from "./contenders.js";
import { openPlace, type Place } from "./database.js";
import { measureLarge } from "./large.js";
import type { Sample } from "./measure.js";
import { startProcess } from "./ours.js";
import { comparePeers } from "./peers/compare.js";
import { measureSharing } from "./sharing.js";
import { mediansTable, targetResults } from "./report.js";

const { values: options } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    size: { type: "boolean", default: false },
    share: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    /** Of --peers: the ledgers' binaries, and the folder of PostgreSQL's. */
    formance: { type: "string" },
    blnk: { type: "string" },
    postgres: { type: "string" },
    /** Of --share: the part of a processor that each replica gets. */
    cpus: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    transfers: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "1000000" },
    /** Another build of the ledger than dist. */
    main: { type: "string", default: "dist/services/ledger/main.js" },
  },
});
const rounds = Number(options.rounds);
const runMs = Number(options.seconds) * 1_000;

const place = await openPlace();
try {
  const cpusEach = options.cpus === undefined ? undefined : Number(options.cpus);
  if (options.share) await measureSharing(place, { runMs, main: options.main, cpus: cpusEach, say });
  else if (options.peers) await measurePeers();
  else await measureCosts();
} finally {
  await place.close();
}

async function measurePeers(): Promise<void> {
  const { formance, blnk, postgres: postgresBin, main } = options;
  if (postgresBin === undefined) throw new Error("--peers needs --postgres, the folder of PostgreSQL's binaries");
  await comparePeers(place, { formance, blnk, postgresBin, rounds, runMs, main, say });
}

async function measureCosts(): Promise<void> {
  const samples = options.size ? undefined : await compare(place);
  const large =
    options.long || options.size
      ? await measureLarge(place, {
          transfers: Number(options.transfers),
          accounts: Number(options.accounts),
          rounds: Math.min(3, rounds),
          runMs,
          main: options.main,
          say,
        })
      : [];
  for (const { what, value, target, isMet } of [...(samples === undefined ? [] : targetResults(samples)), ...large]) {
    say(`${isMet ? "met   " : "MISSED"}  ${what}: ${value} (${target})`);
  }
  if (samples !== undefined) say(mediansTable(samples));
}

async function compare({ open, process: processOf, mongo }: Place): Promise<Samples> {
  const [single, bare, inProcess] = [
    await open("bench_single", accountsEach),
    await open("bench_bare", accountsEach),
    await open("bench_ours", accountsEach),
  ];
  const byGrpc = await open("bench_grpc", accountsEach);
  const grpc = await startProcess({ ...processOf(byGrpc), main: options.main });
  const { contenders, stop } = createContenders({ single, bare, inProcess }, grpc);
  try {
    for (const { act } of contenders) await act();
    // A new owner looks keys up for a while.
    await sleep(5_500);
    const onSample = (name: string, sample: Sample) => say(`${name.padEnd(7)} ${lineOf(sample)}`);
    return await runRounds(contenders, { rounds, warmMs: 500, runMs, mongodPid: mongo.pid, onSample });
  } finally {
    await stop();
    await grpc.stop();
  }
}

function lineOf(sample: Sample): string {
  const { transfersPerS, p50Ms, p99Ms, ledgerCpuUs, mongodCpuUs, clientCpuUs } = sample;
  const cpu = [ledgerCpuUs, mongodCpuUs, clientCpuUs].map((us) => us.toFixed(0)).join(" + ");
  return `${transfersPerS.toFixed(0).padStart(6)}/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  CPU ${cpu} µs (ledger, mongod, client)`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
