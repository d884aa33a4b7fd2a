import type { ClientSession, mongo } from "mongoose";

/**
 * A work of the batch does what it can do only by itself, or a write of the batch met no document,
 * or more than one.
 */
export class NotBatchable extends Error {
  override readonly name = "NotBatchable";
}

/** One member's part in a session that several work in. */
export interface SharedSession {
  /**
   * Writes exactly one document with each, in one command with the other members' writes of the
   * same kind into the collection.
   */
  write(collection: mongo.Collection, ...writes: readonly mongo.AnyBulkWriteOperation[]): Promise<void>;
  /**
   * Ends the batch: for anything else, above all a read. MongoDB isolates transactions, not members
   * of one: two that read the same before either writes would both decide on it, and no conflict
   * would tell.
   */
  refuse(): Promise<never>;
}

const shares = new WeakMap<ClientSession, SharedSession>();

/** A member's part in a shared session; undefined for a session of its own. */
export function sharedSession(session: ClientSession | undefined): SharedSession | undefined {
  return session && shares.get(session);
}

interface Write {
  readonly operation: mongo.AnyBulkWriteOperation;
  readonly collection: mongo.Collection;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

type Ask = (member: number, ones: readonly Write[]) => void;

/**
 * Runs several works that only write in one session. Each takes its steps as if it were alone; when
 * all of them wait, their writes go to MongoDB, one command for a collection. Throws where a work
 * throws or does anything else in the session, or a write met other than one document: then nothing
 * of the session may be committed.
 */
export async function runInSharedSession<T>(
  session: ClientSession,
  works: readonly ((session: ClientSession) => Promise<T>)[],
): Promise<T[]> {
  const waiting = new Set<number>();
  let requested: Write[] = [];
  let atWork = works.length;
  let isSending = false;
  let fault: { error: unknown } | undefined;

  function ask(member: number, ones: readonly Write[]): void {
    if (fault !== undefined) {
      const { error } = fault;
      return ones.forEach(({ reject }) => reject(error));
    }
    requested.push(...ones);
    waiting.add(member);
    sendWhenAllWait();
  }

  function sendWhenAllWait(): void {
    if (isSending || requested.length === 0 || waiting.size < atWork) return;
    isSending = true;
    void send().then(() => {
      isSending = false;
      sendWhenAllWait();
    });
  }

  async function send(): Promise<void> {
    const all = requested;
    requested = [];
    waiting.clear();
    try {
      for (const writes of byCollection(all)) await write(writes, session);
    } catch (error) {
      fail(error);
    }
    if (fault === undefined) for (const { resolve } of all) resolve();
    else for (const { reject } of all) reject(fault.error);
  }

  function fail(error: unknown): void {
    fault ??= { error };
    for (const { reject } of requested.splice(0)) reject(fault.error);
  }

  const results = await Promise.allSettled(
    works.map(async (work, member) => {
      try {
        return await work(memberSession(member, ask, fail));
      } catch (error) {
        fail(error);
        throw error;
      } finally {
        atWork -= 1;
        waiting.delete(member);
        sendWhenAllWait();
      }
    }),
  );
  if (fault !== undefined) throw (fault as { error: unknown }).error;
  return results.map((result) => (result as PromiseFulfilledResult<T>).value);
}

/**
 * What a work gets as its session: it only leads to its part, and the driver itself can do nothing
 * with it.
 */
function memberSession(member: number, ask: Ask, fail: (error: unknown) => void): ClientSession {
  const own = Object.freeze({}) as ClientSession;
  shares.set(own, {
    write: (collection, ...writes) =>
      new Promise((resolve, reject) =>
        ask(
          member,
          writes.map((operation) => ({ operation, collection, resolve, reject })),
        ),
      ),
    async refuse() {
      const error = new NotBatchable("a work of the batch does more than write");
      fail(error);
      throw error;
    },
  });
  return own;
}

/** Of one kind and into one collection: an ordered bulk of mixed kinds would be many commands. */
function byCollection(all: readonly Write[]): Write[][] {
  const kindOf = ({ operation }: Write): string => Object.keys(operation)[0] ?? "";
  return [...Map.groupBy(all, (one) => `${one.collection.namespace} ${kindOf(one)}`).values()];
}

async function write(writes: readonly Write[], session: ClientSession): Promise<void> {
  const [{ collection } = { collection: undefined }] = writes;
  if (collection === undefined) return;
  if ((await metBy(writes, collection, session)) === writes.length) return;
  throw new NotBatchable(`${writes.length} writes into ${collection.collectionName} met other than one document each`);
}

/** How many documents the writes made, changed or took away. */
async function metBy(
  writes: readonly Write[],
  collection: mongo.Collection,
  session: ClientSession,
): Promise<number | undefined> {
  const operations = writes.map(({ operation }) => operation);
  const result = await collection.bulkWrite(operations, { session });
  const { insertedCount, matchedCount, modifiedCount, deletedCount } = result;
  return modifiedCount === matchedCount ? insertedCount + matchedCount + deletedCount : undefined;
}
