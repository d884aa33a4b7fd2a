import { createBatcher } from "./batcher.js";
import { isMongoAway } from "../mongo/away.js";
import { isAwayOrLate } from "../refusal.js";

export interface BatchReadOptions<Key, Value> {
  /** Equal for keys that name the same thing. */
  nameOf(key: Key): string;
  /** What a lone key names. */
  readOne(lane: string, key: Key): Promise<Value | undefined>;
  /** What several keys name, by nameOf. */
  readMany(lane: string, keys: readonly Key[]): Promise<ReadonlyMap<string, Value>>;
}

interface Member<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads of single things, gathered: those of a lane that are asked for while a read is under way go with the next one. A read begins
 * after all of its members have asked, so no answer is older than its question; nothing is kept. Who asks for the same gets the same
 * object, which nobody may change. Where a read of several fails, each is read alone, unless nobody is there who could answer any of them.
 */
export function createBatchRead<Key, Value>({ nameOf, readOne, readMany }: BatchReadOptions<Key, Value>) {
  // A second under way would only part those who wait into smaller ones.
  const lanes = createBatcher<Member<Key, Value>>({ maxBatchSize: 64, maxInFlight: 1, minBatchSize: 8, run: read });

  async function read(lane: string, members: readonly Member<Key, Value>[]): Promise<void> {
    const [only] = members;
    if (only !== undefined && members.length === 1) return alone(lane, only);
    try {
      const keys = new Map(members.map(({ key }) => [nameOf(key), key]));
      const found = await readMany(lane, [...keys.values()]);
      for (const { key, resolve } of members) resolve(found.get(nameOf(key)));
    } catch (error) {
      if (isAwayOrLate(error) || isMongoAway(error)) for (const { reject } of members) reject(error);
      else await Promise.all(members.map((member) => alone(lane, member)));
    }
  }

  const alone = (lane: string, { key, resolve, reject }: Member<Key, Value>): Promise<void> =>
    readOne(lane, key).then(resolve, reject);

  return (lane: string, key: Key): Promise<Value | undefined> =>
    new Promise((resolve, reject) => lanes.join(lane, { key, resolve, reject }));
}
