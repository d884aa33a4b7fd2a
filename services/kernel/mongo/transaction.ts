import { setTimeout as sleep } from "node:timers/promises";
import { mongo, type ClientSession, type Connection } from "mongoose";
import { sparedByCrashPoints } from "../process/crash-point.js";
import { Refusal } from "../refusal.js";
import { isCutConnection, isMongoAway } from "./away.js";

export interface TransactionOptions<T> {
  /**
   * Reads by id what the work would have written, outside any transaction: the work's result when
   * it is there, undefined when it is not. Called only when MongoDB cannot tell whether the commit
   * happened.
   */
  readBack: () => Promise<T | undefined>;
  /** How long transient errors (write conflicts, elections) are worked against, in ms. */
  deadlineMs?: number;
  /**
   * Runs in this session and leaves it open, for an owner of leases whose successor must be able to
   * kill it.
   */
  session?: ClientSession;
}

const noSuchTransaction = 251;
const options: mongo.TransactionOptions = {
  readConcern: { level: "snapshot" },
  readPreference: "primary",
  writeConcern: { w: "majority", journal: true },
};

/**
 * Runs `work` in one snapshot transaction and resolves only when its commit is certain. `work` is
 * run again as a whole after a transient error, so it may touch nothing but MongoDB through its
 * session. A commit whose outcome is unknown is retried until MongoDB answers, then read back.
 * Throws what `work` throws; Refusal UNAVAILABLE when transient errors outlast the deadline, in
 * which case nothing was written.
 */
export async function inTransaction<T>(
  db: Connection,
  work: (session: ClientSession) => Promise<T>,
  { readBack, deadlineMs = 10_000, session: given }: TransactionOptions<T>,
): Promise<T> {
  // One session for all attempts: a newer transaction of a session makes the server drop an older
  // one that was cut off.
  const session = given ?? db.getClient().startSession();
  const giveUpAt = performance.now() + deadlineMs;
  try {
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptTransaction(session, work, readBack);
      if ("result" in outcome) return outcome.result;
      if (performance.now() >= giveUpAt) throw outlasted(outcome.transient);
      await backOff(attempt, 500);
    }
  } finally {
    if (given === undefined) await session.endSession();
  }
}

/**
 * Runs `work` in one snapshot transaction that is taken back whatever it did: what it would do, by
 * the code that does it. Throws as inTransaction.
 */
export async function rehearsed<T>(db: Connection, work: (session: ClientSession) => Promise<T>): Promise<T> {
  const over = new Error("rehearsed");
  let result: { of: T } | undefined;
  const play = async (session: ClientSession): Promise<never> => {
    result = { of: await sparedByCrashPoints(() => work(session)) };
    throw over;
  };
  try {
    await inTransaction<never>(db, play, { readBack: async () => undefined });
  } catch (error) {
    if (error === over && result !== undefined) return result.of;
    throw error;
  }
  throw over;
}

type Outcome<T> = { result: T } | { transient: unknown };

async function attemptTransaction<T>(
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
  readBack: () => Promise<T | undefined>,
): Promise<Outcome<T>> {
  session.startTransaction(options);
  let result: T;
  try {
    result = await work(session);
  } catch (error) {
    await abort(session);
    if (hasLabel(error, "TransientTransactionError") || isCutConnection(error)) return { transient: error };
    throw error;
  }
  const commit = await commitUntilKnown(session);
  if (commit.kind === "committed") return { result };
  // The client was closed under us: there is nobody left to ask.
  if (commit.error instanceof mongo.MongoAPIError) throw commit.error;
  const found = await insist(readBack);
  if (found !== undefined) return { result: found };
  if (commit.kind === "refused") throw commit.error;
  return { transient: commit.error };
}

type Commit = { kind: "committed" } | { kind: "gone" | "refused"; error: unknown };

/**
 * Asks until MongoDB says committed, or that it knows no such transaction ("gone"), or refuses
 * ("refused").
 */
async function commitUntilKnown(session: ClientSession): Promise<Commit> {
  for (let attempt = 1; ; attempt++) {
    try {
      await session.commitTransaction();
      return { kind: "committed" };
    } catch (error) {
      if (isUnknown(error)) await backOff(attempt, 1_000);
      else if (hasLabel(error, "TransientTransactionError") || codeOf(error) === noSuchTransaction) {
        return { kind: "gone", error };
      } else return { kind: "refused", error };
    }
  }
}

/**
 * Only an answer of the server is an answer: a network error is unknown even where the driver
 * forgets its label.
 */
function isUnknown(error: unknown): boolean {
  if (codeOf(error) === noSuchTransaction) return false;
  return hasLabel(error, "UnknownTransactionCommitResult") || hasLabel(error, "RetryableWriteError") || isAway(error);
}

/** True where nobody is there who could answer; it passes, unless our own client was closed. */
function isAway(error: unknown): boolean {
  return isMongoAway(error) && !(error instanceof mongo.MongoAPIError);
}

async function insist<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!isAway(error)) throw error;
      await backOff(attempt, 1_000);
    }
  }
}

async function abort(session: ClientSession): Promise<void> {
  if (!session.inTransaction()) return;
  try {
    await session.abortTransaction();
  } catch {
    // The server drops it after transactionLifetimeLimitSeconds, or when the session's next
    // transaction starts.
  }
}

function hasLabel(error: unknown, label: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof mongo.MongoError && cause.hasErrorLabel(label)) return true;
  }
  return false;
}

function codeOf(error: unknown): unknown {
  return error instanceof mongo.MongoError ? error.code : undefined;
}

function outlasted(cause: unknown): Refusal {
  const refusal = new Refusal("UNAVAILABLE", "the store is busy, try again", { retryAfterS: 1 });
  refusal.cause = cause;
  return refusal;
}

/** Full jitter: parties that collided once do not collide again in step. */
function backOff(attempt: number, capMs: number): Promise<void> {
  return sleep(Math.random() * Math.min(capMs, 4 * 2 ** Math.min(attempt, 12)));
}

/**
 * True for a unique index violation; inside a transaction it has already aborted that transaction.
 */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof mongo.MongoServerError && error.code === 11_000;
}

/** Whether it was written: false where somebody else's document was there first. */
export async function unlessThere(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

const maxInserts = 5;

/**
 * Runs `work` again, up to five times in all, where somebody else inserted the same document first.
 * Two upserts of one document that race can both insert: the second is then an update.
 */
export async function retryDuplicates<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === maxInserts) throw error;
    }
  }
}
