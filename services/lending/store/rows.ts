import type { ClientSession, Connection } from "mongoose";
import type { Filter } from "../../kernel/mongo/collection.js";
import { recordCollection, type RecordCollection, type Records } from "../../kernel/mongo/record-collection.js";
import { passing } from "../../kernel/refusal.js";

export type Session = ClientSession;

/** A record as it lies: whole, beside the id of its document. */
type Under<T> = T & { _id: string };

/** Records whose documents have ids that may be made of several of their fields. */
export type Entities<T> = RecordCollection<T, never, Under<T>>;

export function entities<T>(db: Connection, name: string): Records<T, never, Under<T>> {
  return recordCollection<T>(db, name) as never;
}

export const under = <T>(_id: string, record: T): Under<T> => ({ _id, ...record });

/** Puts a whole record in the place of what the filter finds; true when it found it. */
export async function replaceIf<T extends object>(
  collection: Entities<T>,
  filter: Filter<Under<T>>,
  record: T,
  session: Session,
): Promise<boolean> {
  // What it has not any more is taken away: a field that ended must not linger.
  const before = await collection.findOne(filter, { session });
  if (before === undefined) return false;
  const gone = Object.keys(before).filter((name) => !(name in record));
  const $unset = Object.fromEntries(gone.map((name) => [name, true]));
  const change = { $set: record, ...(gone.length > 0 ? { $unset } : {}) } as never;
  return (await collection.updateOne(filter, change, { session })).matchedCount === 1;
}

/**
 * Throws STATE_CONFLICT when it is not as it was read: never inside one snapshot, so it means a
 * bug or a lost race.
 */
export async function replace<T extends object>(...which: Parameters<typeof replaceIf<T>>): Promise<void> {
  if (!(await replaceIf(...which))) throw passing("STATE_CONFLICT", "it changed meanwhile, try again");
}
