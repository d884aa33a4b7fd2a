import type { ClientSession, mongo } from "mongoose";

/** A write of the group met no document, or more than one; which of them it was MongoDB does not say. */
export class NotTogether extends Error {
  override readonly name = "NotTogether";
}

/** One member's part in a session that several work in. */
export interface SharedSession {
  /** A write of exactly one document; together with those of the others into the same collection. */
  write(collection: mongo.Collection, operation: mongo.AnyBulkWriteOperation): Promise<void>;
  /** Anything else; after what was asked before. */
  run<T>(work: (session: ClientSession) => Promise<T>): Promise<T>;
}

const shares = new WeakMap<ClientSession, SharedSession>();

/** The part in a shared session that a member's session stands for. */
export function sharedSession(session: ClientSession | undefined): SharedSession | undefined {
  return session && shares.get(session);
}

type Done = { resolve: () => void; reject: (error: unknown) => void };
type Asked = Done &
  (
    | { readonly collection: mongo.Collection; readonly operation: mongo.AnyBulkWriteOperation }
    | { readonly run: () => Promise<void> }
  );

/**
 * Runs several works in one session. Each takes its steps as if it were alone; what all of them wait for at a moment goes to MongoDB
 * together, one command for all writes into a collection. Throws where any of the works throws or a write met other than one document:
 * then nothing of the session may be committed.
 */
export async function runTogether<T>(
  session: ClientSession,
  works: readonly ((session: ClientSession) => Promise<T>)[],
): Promise<T[]> {
  const waiting = new Set<number>();
  let asked: Asked[] = [];
  let atWork = works.length;
  let isSending = false;
  let fault: { error: unknown } | undefined;

  function ask(member: number, one: Asked): void {
    if (fault !== undefined) return one.reject(fault.error);
    asked.push(one);
    waiting.add(member);
    sendWhenAllWait();
  }

  function sendWhenAllWait(): void {
    if (isSending || asked.length === 0 || waiting.size < atWork) return;
    isSending = true;
    void send().then(() => {
      isSending = false;
      sendWhenAllWait();
    });
  }

  async function send(): Promise<void> {
    const all = asked;
    asked = [];
    waiting.clear();
    try {
      for (const writes of byCollection(all)) await write(writes, session);
      for (const one of all) if ("run" in one) await one.run();
    } catch (error) {
      fail(error);
    }
    if (fault === undefined) for (const { resolve } of all) resolve();
    else for (const { reject } of all) reject(fault.error);
  }

  function fail(error: unknown): void {
    fault ??= { error };
    for (const { reject } of asked.splice(0)) reject(fault.error);
  }

  const results = await Promise.allSettled(
    works.map(async (work, member) => {
      try {
        return await work(memberSession(member, session, ask));
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

/** What a work gets for its session: nothing but the way to its part. The driver itself can do nothing with it. */
function memberSession(
  member: number,
  session: ClientSession,
  ask: (member: number, asked: Asked) => void,
): ClientSession {
  const own = Object.freeze({}) as ClientSession;
  shares.set(own, {
    write: (collection, operation) =>
      new Promise((resolve, reject) => ask(member, { collection, operation, resolve, reject })),
    run: <T>(work: (session: ClientSession) => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        let result: T;
        const run = async () => void (result = await work(session));
        ask(member, { run, resolve: () => resolve(result), reject });
      }),
  });
  return own;
}

type Write = Extract<Asked, { operation: unknown }>;

function byCollection(all: readonly Asked[]): Write[][] {
  const found = new Map<string, Write[]>();
  for (const one of all) {
    if (!("operation" in one)) continue;
    const { namespace } = one.collection;
    const writes = found.get(namespace) ?? [];
    writes.push(one);
    found.set(namespace, writes);
  }
  return [...found.values()];
}

async function write(writes: readonly Write[], session: ClientSession): Promise<void> {
  const [{ collection } = { collection: undefined }] = writes;
  if (collection === undefined) return;
  const operations = writes.map(({ operation }) => operation);
  const { insertedCount, matchedCount, modifiedCount } = await collection.bulkWrite(operations, { session });
  const isOneEach = insertedCount + matchedCount === writes.length && modifiedCount === matchedCount;
  if (!isOneEach)
    throw new NotTogether(`${writes.length} writes into ${collection.collectionName} met other than one document each`);
}
