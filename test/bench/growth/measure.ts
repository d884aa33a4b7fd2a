import { mongo } from "mongoose";
import { setTimeout as sleep } from "node:timers/promises";
import type { Measured } from "./calls.js";
import type { Cluster, Tenant } from "./world.js";

export interface Figures {
  p50Ms: number;
  p99Ms: number;
  /** Of one call, in all databases. */
  keysExamined: number;
  docsExamined: number;
}

export interface Row {
  name: string;
  kind: Measured["kind"];
  few: Figures;
  many: Figures;
}

export interface Side {
  tenant: Tenant;
  calls: readonly Measured[];
}

const countedCalls = 3;
const warmUps = 3;

export type Counter = Awaited<ReturnType<typeof openCounter>>;

/**
 * Counts what MongoDB looks at for one tenant, by its own profiler; what other
 * tenants and jobs read is left out.
 */
export async function openCounter({ file }: Cluster) {
  const client = await mongo.MongoClient.connect(file.mongoUri);
  const names = ["identity", "compliance", "ledger", "remittance", "wallet", "events", "lending", "investment"];
  const dbs = names.map((name) => client.db(`manilla_${name}`));
  return {
    async count(tenantId: string, run: () => Promise<unknown>): Promise<{ keys: number; docs: number }> {
      for (const db of dbs) {
        await db.command({ profile: 0 });
        await db
          .collection("system.profile")
          .drop()
          .catch(() => undefined);
        await db.createCollection("system.profile", { capped: true, size: 32 * 2 ** 20 });
      }
      for (const db of dbs) await db.command({ profile: 2 });
      for (let call = 0; call < countedCalls; call++) await run();
      for (const db of dbs) await db.command({ profile: 0 });
      const sum = { keys: 0, docs: 0 };
      for (const db of dbs) {
        for (const entry of await db.collection("system.profile").find().toArray()) {
          const { command, originatingCommand, keysExamined = 0, docsExamined = 0 } = entry;
          const requested = originatingCommand ?? command;
          if (!namesTenant(requested, tenantId)) continue;
          sum.keys += Number(keysExamined);
          sum.docs += Number(docsExamined);
        }
      }
      return { keys: Math.round(sum.keys / countedCalls), docs: Math.round(sum.docs / countedCalls) };
    },
    /** Of documents and indexes, as they lie compressed. */
    async diskBytes(): Promise<number> {
      const sizes = await Promise.all(dbs.map((db) => db.stats()));
      return sizes.reduce((sum, { storageSize, indexSize }) => sum + Number(storageSize) + Number(indexSize), 0);
    },
    close: () => client.close(),
  };
}

/** A filter has the tenant's id, or an id that begins with it. */
function namesTenant(requested: object, tenantId: string): boolean {
  const text = JSON.stringify(requested, (_name, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return (
    text.includes(`"tenantId":"${tenantId}"`) || text.includes(`"${tenantId}:`) || text.includes(`"_id":"${tenantId}"`)
  );
}

/** The same call of both tenants in turns, so that a slow minute of the machine slows both. */
export async function compare(few: Side, many: Side, rounds: number, counter: Counter): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [at, { name, kind, run }] of few.calls.entries()) {
    const other = many.calls[at]!;
    for (let call = 0; call < warmUps; call++) for (const one of [run, other.run]) await one();
    const counted = [await counter.count(few.tenant.id, run), await counter.count(many.tenant.id, other.run)] as const;
    await sleep(100);
    const tookMs: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      tookMs[0].push(await timed(run));
      tookMs[1].push(await timed(other.run));
    }
    const [fewFigures, manyFigures] = [0, 1].map((side) => figuresOf(tookMs[side]!, counted[side]!));
    rows.push({ name, kind, few: fewFigures!, many: manyFigures! });
    process.stdout.write(`${lineOf(rows.at(-1)!)}\n`);
  }
  return rows;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function figuresOf(tookMs: number[], { keys, docs }: { keys: number; docs: number }): Figures {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), keysExamined: keys, docsExamined: docs };
}

const bounds = { page: 1.5, report: 1.5, posting: 1.3 } as const;
const searchMs = 50;
// A call reads several pages' worth at most, whatever it finds them among.
const fewKeys = 300;

export const ratioOf = ({ few, many }: Row): number => many.p50Ms / few.p50Ms;

/** Within its bound of time; a search for customers also within 50 ms. */
export function isInTime(row: Row): boolean {
  const isSearch = row.name.startsWith("customers, search");
  return ratioOf(row) <= bounds[row.kind] && (!isSearch || row.many.p99Ms <= searchMs);
}

/**
 * What is looked at does not grow with what there is: of this a busy
 * machine can say something, too.
 */
export const isBounded = ({ kind, few, many }: Row): boolean =>
  many.keysExamined <= Math.max(fewKeys, bounds[kind] * few.keysExamined);

export function lineOf(row: Row): string {
  const { name, few, many } = row;
  const ms = ({ p50Ms, p99Ms }: Figures) => `${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)}`;
  const examined = ({ keysExamined, docsExamined }: Figures) => `${keysExamined} / ${docsExamined}`;
  const cells = [
    name,
    ms(few),
    ms(many),
    ratioOf(row).toFixed(2),
    examined(few),
    examined(many),
    isInTime(row) ? "yes" : "NO",
    isBounded(row) ? "yes" : "NO",
  ];
  return `| ${cells.join(" | ")} |`;
}
