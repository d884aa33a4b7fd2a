import { isMongoAway } from "../mongo/away.js";
import { isAwayOrLate } from "../refusal.js";
import { createBatcher } from "../batching/batcher.js";

export interface BatchReadOptions<Key, Value> {
  /** Equal for keys that name the same thing. */
  nameOf(key: Key): string;
  /** What a lone key names. */
  readOne(tenantId: string, key: Key): Promise<Value | undefined>;
  /** What several keys name, by nameOf. */
  readMany(tenantId: string, keys: readonly Key[]): Promise<ReadonlyMap<string, Value>>;
}

interface Question<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches reads of single things of a tenant: those asked for while a read is in flight go with the
 * next one. A read begins after all of its questions were asked, so no answer is older than its
 * question; nothing is kept. Whoever asks for the same gets the same object, which nobody may
 * change. A batch that fails is read one by one, unless nobody is there to answer any.
 */
export function createBatchRead<Key, Value>({ nameOf, readOne, readMany }: BatchReadOptions<Key, Value>) {
  // A second batch in flight would only split those that wait into smaller ones.
  const batcher = createBatcher<Question<Key, Value>>({ maxBatchSize: 64, maxInFlight: 1, minBatchSize: 8, run });

  async function run(tenantId: string, questions: readonly Question<Key, Value>[]): Promise<void> {
    const [only] = questions;
    if (only !== undefined && questions.length === 1) return runSingle(tenantId, only);
    try {
      const keys = new Map(questions.map(({ key }) => [nameOf(key), key]));
      const found = await readMany(tenantId, [...keys.values()]);
      for (const { key, resolve } of questions) resolve(found.get(nameOf(key)));
    } catch (error) {
      if (isAwayOrLate(error) || isMongoAway(error)) for (const { reject } of questions) reject(error);
      else await Promise.all(questions.map((question) => runSingle(tenantId, question)));
    }
  }

  const runSingle = (tenantId: string, { key, resolve, reject }: Question<Key, Value>): Promise<void> =>
    readOne(tenantId, key).then(resolve, reject);

  return (tenantId: string, key: Key): Promise<Value | undefined> =>
    new Promise((resolve, reject) => batcher.add(tenantId, { key, resolve, reject }));
}
