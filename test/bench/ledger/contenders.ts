import { randomInt } from "node:crypto";
import { createBareGroups, createSingle } from "./bare.js";
import { accountName, hotAccount, type Book } from "./database.js";
import { measure, type Sample } from "./measure.js";
import { createInProcess, type Ours, type OursByGrpc, type Pair } from "./ours.js";

export type Pick = () => Pair;

/** Two of so many accounts, none hotter than the others. */
export function many(accounts: number): Pick {
  return () => {
    const from = randomInt(accounts);
    return [accountName(from), accountName((from + 1 + randomInt(accounts - 1)) % accounts)];
  };
}

/** One account that is in every transfer. */
export function hot(accounts: number): Pick {
  return () => [hotAccount, accountName(randomInt(accounts))];
}

export interface Contender {
  readonly name: string;
  readonly clients: number;
  readonly ledgerPid?: number;
  act(): Promise<number>;
}

export interface Books {
  readonly single: Book;
  readonly bare: Book;
  readonly inProcess: Book;
}

export const accountsEach = 1_000;
const clients = 64;
const bulkSize = 1_000;
// Two calls are under way at any time: one is planned while the other is committed.
const bulkClients = 4;

/**
 * All that are measured side by side, each on a database of its own; (d) and (e) where there is a
 * process to speak to.
 */
export function createContenders({ single, bare, inProcess }: Books, grpc: OursByGrpc | undefined) {
  const [a, b] = [createSingle(single.db, single.tenantId), createBareGroups(bare.db, bare.tenantId)];
  const c = createInProcess(inProcess.db, inProcess.tenantId);
  const picks = { many: many(accountsEach), hot: hot(accountsEach) };
  const each = (
    letter: string,
    act: (pick: Pick) => () => Promise<number>,
    more: Partial<Contender> = {},
  ): Contender[] =>
    Object.entries(picks).map(([load, pick]) => ({ name: `${letter} ${load}`, clients, act: act(pick), ...more }));
  const bare1 = (post: typeof a) => (pick: Pick) => () => post(...pick()).then(() => 1);
  const pid = grpc === undefined ? {} : { ledgerPid: grpc.pid };
  const contenders: Contender[] = [
    ...each("a", bare1(a)),
    ...each("b", bare1(b)),
    ...each("c", (pick) => postOne(c, pick)),
    ...(grpc === undefined ? [] : each("d", (pick) => postOne(grpc, pick), pid)),
    ...(grpc === undefined ? [] : each("f", (pick) => postOne(grpc.alone, pick), pid)),
    ...(grpc === undefined ? [] : each("e", (pick) => postBulk(grpc, pick), { ...pid, clients: bulkClients })),
    { name: "a one", clients: 1, act: bare1(a)(picks.many) },
    { name: "c one", clients: 1, act: postOne(c, picks.many) },
  ];
  return { contenders, stop: () => c.stop() };
}

export function postOne(ours: Ours, pick: Pick): () => Promise<number> {
  return () => ours.post([pick()]).then(() => 1);
}

export function postBulk(ours: Ours, pick: Pick): () => Promise<number> {
  return () => ours.post(Array.from({ length: bulkSize }, pick)).then(() => bulkSize);
}

export interface RunOptions {
  readonly rounds: number;
  readonly warmMs: number;
  readonly runMs: number;
  readonly mongodPid: number;
  readonly onSample?: (name: string, sample: Sample) => void;
}

export type Samples = ReadonlyMap<string, readonly Sample[]>;

/**
 * Interleaved: every contender once per round, so that a slow minute of the machine slows all of
 * them.
 */
export async function runRounds(contenders: readonly Contender[], options: RunOptions): Promise<Samples> {
  const { rounds, warmMs, runMs, mongodPid, onSample } = options;
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, clients: count, act, ledgerPid } of contenders) {
      const sample = await measure(act, { clients: count, warmMs, runMs, mongodPid, ledgerPid });
      samples.get(name)!.push(sample);
      onSample?.(name, sample);
    }
  }
  return samples;
}
