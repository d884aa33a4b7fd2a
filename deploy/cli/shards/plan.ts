import { wholeCollections } from "../../../services/kernel/mongo/sharding.js";

/** A command for a database of a mongos. */
export interface Step {
  readonly database: string;
  readonly command: Readonly<Record<string, unknown>>;
}

/** What config.collections says of a collection that is sharded. */
export interface Sharded {
  readonly _id: string;
  readonly key: Readonly<Record<string, unknown>>;
}

/** What config.tags says: documents from `min` to before `max` belong to the zone. */
export interface ZoneRange {
  readonly ns: string;
  readonly min: { readonly tenantId?: unknown };
  readonly max: { readonly tenantId?: unknown };
  readonly tag: string;
}

const key = { tenantId: 1 };

const namesOf = (collections: readonly string[]) => collections.filter((name) => !wholeCollections.has(name));

/** What shards a database's collections by tenant, less those that are. */
export function planPrepare(database: string, collections: readonly string[], sharded: readonly Sharded[]): Step[] {
  const done = new Set(sharded.map(({ _id }) => _id));
  return namesOf(collections)
    .filter((name) => !done.has(`${database}.${name}`))
    .flatMap((name) => [
      { database, command: { createIndexes: name, indexes: [{ key, name: "shard" }] } },
      { database: "admin", command: { shardCollection: `${database}.${name}`, key } },
    ]);
}

/**
 * What keeps a tenant's documents of every collection on one shard. The range holds exactly that
 * tenant: nothing sorts between an id and the same id with a NUL. A range that another zone has is
 * taken from it first.
 */
export function planZone(
  database: string,
  collections: readonly string[],
  { tenantId, zone }: { tenantId: string; zone: string },
  ranges: readonly ZoneRange[],
): Step[] {
  const [min, max] = [{ tenantId }, { tenantId: `${tenantId}\0` }];
  return namesOf(collections).flatMap((name) => {
    const updateZoneKeyRange = `${database}.${name}`;
    const known = ranges.find(({ ns, min: from }) => ns === updateZoneKeyRange && from.tenantId === tenantId);
    if (known?.tag === zone) return [];
    const range = (tag: string | null) => ({
      database: "admin",
      command: { updateZoneKeyRange, min, max, zone: tag },
    });
    return known === undefined ? [range(zone)] : [range(null), range(zone)];
  });
}

/** What is not as docs/decisions/0041 has it, one readable line each. */
export function shardFaults(database: string, collections: readonly string[], sharded: readonly Sharded[]): string[] {
  const keys = new Map(sharded.map(({ _id, key: by }) => [_id, by]));
  return collections.flatMap((name) => {
    const by = keys.get(`${database}.${name}`);
    if (wholeCollections.has(name)) return by === undefined ? [] : [`${database}.${name} is sharded and must be whole`];
    if (by === undefined) return [`${database}.${name} is not sharded`];
    const fields = Object.entries(by);
    const isRight = fields.length === 1 && fields[0]![0] === "tenantId" && Number(fields[0]![1]) === 1;
    return isRight ? [] : [`${database}.${name} is sharded by ${JSON.stringify(by)}`];
  });
}

/** How a router has committed, as serverStatus().transactions.commitTypes counts. */
export type CommitTypes = Readonly<Record<string, { readonly initiated: bigint | number }>>;

// The commits of more than one shard.
const crossing = ["singleWriteShard", "twoPhaseCommit", "readOnly"] as const;

/**
 * Transactions that reached more than one shard between two readings, and all that were committed.
 */
export function countCrossing(before: CommitTypes, after: CommitTypes): { crossed: bigint; all: bigint } {
  const grown = (name: string) => BigInt(after[name]?.initiated ?? 0) - BigInt(before[name]?.initiated ?? 0);
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + grown(name), 0n);
  return { crossed: sum(crossing), all: sum([...crossing, "singleShard"]) };
}
