import type { Connection } from "mongoose";
import { inTransaction } from "../../shared/mongo/transaction.js";

/**
 * Reads of several documents that must fit each other: one snapshot, which holds all that was
 * acknowledged.
 */
export function readSnapshot<T>(db: Connection, read: Parameters<typeof inTransaction<T>>[1]): Promise<T> {
  return inTransaction(db, read, { readBack: async () => undefined });
}
