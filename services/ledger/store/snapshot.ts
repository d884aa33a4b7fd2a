import { mongo, type ClientSession, type Connection } from "mongoose";
import { inTransaction } from "../../kernel/mongo/transaction.js";

type Read<T> = Parameters<typeof inTransaction<T>>[1];

// TransactionTooOld, SnapshotTooOld, NoSuchTransaction, TransactionExceededLifetimeLimitSeconds.
const endedCodes: ReadonlySet<unknown> = new Set([225, 239, 251, 290]);

// SnapshotTooOld, SnapshotUnavailable.
const goneCodes: ReadonlySet<unknown> = new Set([239, 246]);

/**
 * Reads with `atOneMoment`, and in a transaction where MongoDB no longer has that moment, as when
 * it was held up between choosing it and reading.
 */
export async function readAtOneMoment<T>(db: Connection, read: (session?: ClientSession) => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && goneCodes.has(error.code))) throw error;
    return readSnapshot(db, read);
  }
}

/** MongoDB ended a snapshot before everything was read. */
export class SnapshotEnded extends Error {
  override readonly name = "SnapshotEnded";
}

/**
 * Reads of several documents that must fit each other: one snapshot, which holds all that was
 * acknowledged.
 */
export function readSnapshot<T>(db: Connection, read: Read<T>): Promise<T> {
  return inTransaction(db, read, { readBack: async () => undefined });
}

/**
 * As readSnapshot, of so much that it may take longer than MongoDB lets a snapshot live: once,
 * since another try would take as long. Throws SnapshotEnded.
 */
export async function readLongSnapshot<T>(db: Connection, read: Read<T>): Promise<T> {
  try {
    return await inTransaction(db, read, { readBack: async () => undefined, deadlineMs: 0 });
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if ("code" in cause && endedCodes.has(cause.code)) throw new SnapshotEnded(undefined, { cause: error });
    throw error;
  }
}
