import { mkdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { accountsEach, hot, many, postOne, type Pick } from "../contenders.js";
import type { Place } from "../database.js";
import { measure, median, type Sample } from "../measure.js";
import { startProcess, type OursByGrpc } from "../ours.js";
import { startBlnk } from "./blnk.js";
import { startFormance } from "./formance.js";
import type { Peer } from "./peer.js";
import { startPostgres, type Postgres } from "./postgres.js";

export interface PeersOptions {
  /** Binaries of the peers; one that is absent is left out. */
  readonly formance: string | undefined;
  readonly blnk: string | undefined;
  /** Folder with initdb, postgres, createdb and pg_isready. */
  readonly postgresBin: string;
  readonly rounds: number;
  readonly runMs: number;
  readonly main: string;
  readonly say: (line: string) => void;
}

interface Contender {
  readonly name: string;
  readonly load: string;
  readonly pids: { readonly ledgerPid: number; readonly mongodPid: number; readonly otherPids?: readonly number[] };
  act(): Promise<number>;
}

interface Turn extends Sample {
  readonly refused: number;
}

const clients = 64;
const warmMs = 2_000;
const loads: Readonly<Record<string, Pick>> = { many: many(accountsEach), hot: hot(accountsEach) };

/**
 * Ours, as services call it, and other ledgers by their HTTP API, in turns: a transfer a call, each
 * answered when it is on disk. Prints what each does and the ratios.
 */
export async function comparePeers(place: Place, options: PeersOptions): Promise<void> {
  const { rounds, runMs, main, say } = options;
  const stops: (() => Promise<void>)[] = [];
  try {
    const postgres = await startPostgres({ bin: options.postgresBin, dir: place.dir });
    stops.push(() => postgres.stop());
    const peers = await startPeers(place, postgres, options, (peer) => stops.push(() => peer.stop()));
    const ours = await startProcess({ ...place.process(await place.open("bench_peers", accountsEach)), main });
    stops.push(() => ours.stop());
    say(`${postgres.version}; ${peers.map(({ name }) => name).join(", ")}`);
    const contenders = contendersOf(place, postgres, ours, peers);
    for (const { act } of contenders) await act();
    // A new owner of ours looks keys up for a while.
    await sleep(5_500);
    const turns = new Map<string, Turn[]>();
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        const turn = await takeTurn(contender, runMs);
        const key = `${contender.name} ${contender.load}`;
        turns.set(key, [...(turns.get(key) ?? []), turn]);
        say(`${key.padEnd(14)} ${lineOf(turn)}  load ${loadavg()[0]!.toFixed(0)}`);
      }
    }
    for (const { name } of peers) for (const load of Object.keys(loads)) say(ratiosOf(name, load, turns));
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

async function startPeers(
  place: Place,
  postgres: Postgres,
  { formance, blnk }: PeersOptions,
  onStarted: (peer: Peer) => void,
): Promise<Peer[]> {
  const peers: Peer[] = [];
  for (const [name, binary, start] of [
    ["formance", formance, startFormance],
    ["blnk", blnk, startBlnk],
  ] as const) {
    if (binary === undefined) continue;
    const dir = join(place.dir, name);
    mkdirSync(dir, { recursive: true });
    const databaseUri = postgres.createDatabase(name);
    const peer = await start({ binary, dir, databaseUri, clients, accounts: accountsEach });
    onStarted(peer);
    peers.push(peer);
  }
  return peers;
}

function contendersOf(place: Place, postgres: Postgres, ours: OursByGrpc, peers: readonly Peer[]): Contender[] {
  return Object.entries(loads).flatMap(([load, pick]): Contender[] => [
    {
      name: "ours",
      load,
      pids: { ledgerPid: ours.pid, mongodPid: place.mongo.pid },
      act: postOne(ours, pick),
    },
    ...peers.map(({ name, pid, otherPids, post }) => ({
      name,
      load,
      pids: { ledgerPid: pid, mongodPid: postgres.pid, otherPids },
      act: async () => ((await post(pick())) ? 1 : 0),
    })),
  ]);
}

async function takeTurn({ act, pids }: Contender, runMs: number): Promise<Turn> {
  let refused = 0;
  const counted = async () => {
    const made = await act();
    if (made === 0) refused += 1;
    return made;
  };
  const sample = await measure(counted, { clients, warmMs, runMs, ...pids });
  return { ...sample, refused };
}

function lineOf({ transfersPerS, p50Ms, p99Ms, ledgerCpuUs, mongodCpuUs, refused }: Turn): string {
  const cpu = `CPU of servers ${(ledgerCpuUs + mongodCpuUs).toFixed(0)} µs (${ledgerCpuUs.toFixed(0)} + ${mongodCpuUs.toFixed(0)} of the database)`;
  const no = refused === 0 ? "" : `  ${refused} refused, warming up included`;
  return `${transfersPerS.toFixed(0).padStart(6)}/s  p50 ${p50Ms.toFixed(0)} ms  p99 ${p99Ms.toFixed(0)} ms  ${cpu}${no}`;
}

/** Medians of each round's ratio. */
function ratiosOf(peer: string, load: string, turns: ReadonlyMap<string, readonly Turn[]>): string {
  const [ours, theirs] = [turns.get(`ours ${load}`)!, turns.get(`${peer} ${load}`)!];
  const cpuOf = (turn: Turn) => turn.ledgerCpuUs + turn.mongodCpuUs;
  const ratio = (of: (turn: Turn, other: Turn) => number) => median(ours.map((turn, n) => of(turn, theirs[n]!)));
  const rate = ratio((own, other) => own.transfersPerS / other.transfersPerS);
  const cpu = ratio((own, other) => cpuOf(other) / cpuOf(own));
  return `ours of ${peer}, ${load}: ${rate.toFixed(1)} times the transfers a second, ${cpu.toFixed(1)} times as many for the servers' CPU`;
}
