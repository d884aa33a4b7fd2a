import type { ClientSession, mongo } from "mongoose";
import type { Plain } from "./values.js";

export type Session = { session?: ClientSession | undefined };
export type SortBy = Record<string, 1 | -1>;
export type Filter<T> = mongo.Filter<T>;
export type Update<T> = mongo.UpdateFilter<T>;
export interface ReadOptions extends Session {
  projection?: Record<string, unknown>;
  sort?: SortBy;
  hint?: string | Record<string, 1 | -1>;
}
export interface FindOptions extends ReadOptions {
  limit?: number;
  skip?: number;
  batchSize?: number;
  /**
   * A stretch of the index that `hint` names, in whose order it is read: values of
   * all its fields, `max` left out.
   */
  min?: Record<string, unknown>;
  max?: Record<string, unknown>;
  /**
   * All of what is found as it was at one moment, which holds all that was acknowledged, for one
   * round trip where a transaction takes two. MongoDB may refuse it as gone.
   */
  atOneMoment?: true;
}
export interface UpdateOptions extends Session {
  upsert?: boolean;
  arrayFilters?: Plain[];
}
export interface FindAndUpdateOptions extends UpdateOptions {
  sort?: SortBy;
  projection?: Record<string, unknown>;
  /** As in the driver: the document before the update unless "after" is asked for. */
  returnDocument?: "before" | "after";
}
export interface UpdateResult {
  matchedCount: number;
  modifiedCount: number;
  upsertedCount: number;
}
export interface BulkResult extends UpdateResult {
  insertedCount: number;
  deletedCount: number;
}
/**
 * Values of some fields, the same ones of every document, by what the document has in `by`: `_id`
 * when absent.
 */
export interface Each {
  by?: string | undefined;
  values: ReadonlyMap<string, Plain>;
  /** What updateEach expects of the same documents: one that has other values stays as it is. */
  known?: ReadonlyMap<string, Plain> | undefined;
}
/** A document as it is handed in: the tenant's id may be left out. */
export type Insert<T> = T extends { tenantId: string } ? Omit<T, "tenantId"> & { tenantId?: string } : T;
export type BulkOperation<T> =
  | { insertOne: { document: Insert<T> } }
  | { updateOne: { filter: Filter<T>; update: Update<T>; upsert?: boolean; arrayFilters?: Plain[] } }
  | { updateMany: { filter: Filter<T>; update: Update<T>; arrayFilters?: Plain[] } }
  | { deleteOne: { filter: Filter<T> } };

/** What takes the place of a document, and the documents that come beside it. */
export interface Successors<T> {
  filter: Filter<T>;
  update: Update<T>;
  added: readonly Insert<T>[];
}

/**
 * The native driver's methods behind a guard. Documents come back as they are stored, int64 as
 * bigint.
 */
export interface GuardedCollection<T> {
  findOne(filter: Filter<T>, options?: ReadOptions): Promise<T | null>;
  find(filter: Filter<T>, options?: FindOptions): Promise<T[]>;
  /** Pages through by cursor; the cursor is closed when the loop ends. */
  stream(filter: Filter<T>, options?: FindOptions): AsyncIterable<T>;
  insertOne(document: Insert<T>, options?: Session): Promise<void>;
  insertMany(documents: readonly Insert<T>[], options?: Session & { ordered?: boolean }): Promise<void>;
  updateOne(filter: Filter<T>, update: Update<T>, options?: UpdateOptions): Promise<UpdateResult>;
  updateMany(filter: Filter<T>, update: Update<T>, options?: UpdateOptions): Promise<UpdateResult>;
  /**
   * The same fields of many documents, each its own values, and other fields the same for all: a
   * statement for 300 of them, which costs MongoDB half of what as many updates cost it. Documents
   * that the filter does not meet stay as they are.
   */
  updateEach(filter: Filter<T>, each: Each, others: Plain, options?: Session): Promise<UpdateResult>;
  /** One update of many documents, as far as each still holds the values that it is known by. */
  updateWhereUnchanged(filter: Filter<T>, known: Each, update: Update<T>, options?: Session): Promise<UpdateResult>;
  findOneAndUpdate(filter: Filter<T>, update: Update<T>, options?: FindAndUpdateOptions): Promise<T | null>;
  /**
   * Changes one document and inserts others beside it, in one round trip; where none meets the
   * filter, the update makes one with `id`. With others in a shared session each kind of write is a
   * round trip.
   */
  succeed(which: Successors<T>, id: string, options: Session): Promise<void>;
  deleteOne(filter: Filter<T>, options?: Session): Promise<{ deletedCount: number }>;
  deleteMany(filter: Filter<T>, options?: Session): Promise<{ deletedCount: number }>;
  /**
   * One round trip for many writes; in order, stopping at the first fault, unless `ordered` is
   * false.
   */
  bulkWrite(operations: readonly BulkOperation<T>[], options?: Session & { ordered?: boolean }): Promise<BulkResult>;
  count(filter: Filter<T>, options?: Session & { limit?: number; hint?: string }): Promise<number>;
  aggregate<R = Plain>(pipeline: readonly Plain[], options?: Session & { allowDiskUse?: boolean }): Promise<R[]>;
}
