import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Connection, mongo } from "mongoose";
import { selectEach } from "./merge-writes.js";
import { sharedSession } from "./shared-session.js";
import type { Guard } from "./tenant-guard.js";
import { checkValue, plain, TenantGuardError, type Plain } from "./values.js";

type Session = { session?: ClientSession | undefined };
/**
 * `by` is the field by which the filter names the document where that is not `_id`: no two documents have the same there. It lets the writes
 * of those who share a session be one statement.
 */
type One = Session & { by?: string };
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
/** Values of some fields, the same ones of every document, by what the document has in `by`: `_id` when absent. */
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

/** The native driver's methods behind a guard. Documents come back as they are stored, int64 as bigint. */
export interface GuardedCollection<T> {
  findOne(filter: Filter<T>, options?: ReadOptions): Promise<T | null>;
  find(filter: Filter<T>, options?: FindOptions): Promise<T[]>;
  /** Pages through by cursor; the cursor is closed when the loop ends. */
  stream(filter: Filter<T>, options?: FindOptions): AsyncIterable<T>;
  insertOne(document: Insert<T>, options?: Session): Promise<void>;
  insertMany(documents: readonly Insert<T>[], options?: Session): Promise<void>;
  updateOne(filter: Filter<T>, update: Update<T>, options?: UpdateOptions & One): Promise<UpdateResult>;
  updateMany(filter: Filter<T>, update: Update<T>, options?: UpdateOptions): Promise<UpdateResult>;
  /**
   * The same fields of many documents, each its own values, and other fields the same for all: a statement for 300 of them, which
   * costs MongoDB half of what as many updates cost it. Documents that the filter does not meet stay as they are.
   */
  updateEach(filter: Filter<T>, each: Each, others: Plain, options?: Session): Promise<UpdateResult>;
  /** One update of many documents, as far as each still holds the values that it is known by. */
  updateWhereUnchanged(filter: Filter<T>, known: Each, update: Update<T>, options?: Session): Promise<UpdateResult>;
  findOneAndUpdate(filter: Filter<T>, update: Update<T>, options?: FindAndUpdateOptions): Promise<T | null>;
  deleteOne(filter: Filter<T>, options?: One): Promise<{ deletedCount: number }>;
  deleteMany(filter: Filter<T>, options?: Session): Promise<{ deletedCount: number }>;
  /** One round trip for many writes; in order, stopping at the first fault, unless `ordered` is false. */
  bulkWrite(operations: readonly BulkOperation<T>[], options?: Session & { ordered?: boolean }): Promise<BulkResult>;
  count(filter: Filter<T>, options?: Session & { limit?: number }): Promise<number>;
  aggregate<R = Plain>(pipeline: readonly Plain[], options?: Session & { allowDiskUse?: boolean }): Promise<R[]>;
}

const passed = [
  "session",
  "projection",
  "sort",
  "hint",
  "limit",
  "skip",
  "batchSize",
  "upsert",
  "arrayFilters",
  "returnDocument",
  "ordered",
  "allowDiskUse",
];

/** Wraps a native collection; `comment` marks commands that cross tenants on purpose. Used by the two modules that name a tenant rule. */
export function guardedCollection<T>(
  db: Connection,
  name: string,
  guard: Guard,
  comment?: string,
): GuardedCollection<T> {
  const native = nativeCollection(db, name);
  /** Options are picked by name: a collation would make tenant ids equal without regard to case, a comment would fool the monitor. */
  const pick = (options: object | undefined): Plain => {
    const picked: Plain = comment === undefined ? {} : { comment };
    for (const [key, value] of Object.entries(options ?? {})) {
      if (value === undefined) continue;
      if (!passed.includes(key)) throw new TenantGuardError(`option ${key} is refused`);
      if (key !== "session") checkValue(value, key);
      picked[key] = value;
    }
    return picked;
  };
  /** What a member of a shared session does not do together with others. */
  const run = <R>(options: object | undefined, operation: (picked: Plain) => Promise<R>): Promise<R> => {
    const picked = pick(options);
    const shared = sharedSession(picked["session"] as ClientSession | undefined);
    return shared === undefined ? operation(picked) : shared.refuse();
  };
  /** A write of one document goes with those of others who share the session. */
  const write = async <R>(
    operation: mongo.AnyBulkWriteOperation,
    { by, ...options }: One,
    result: R,
    single: (picked: Plain) => Promise<R>,
  ): Promise<R> => {
    const picked = pick(options);
    const { session, ...others } = picked as { session?: ClientSession };
    const shared = Object.keys(others).length === 0 ? sharedSession(session) : undefined;
    if (shared === undefined) return run(options, single);
    await shared.write(native, { operation, by });
    return result;
  };
  return {
    findOne: (filter, options) =>
      run(options, (picked) => native.findOne(guard.filter(filter), picked) as Promise<T | null>),
    find: (filter, options) =>
      run(
        options,
        (picked) => native.find(guard.filter(filter), picked).toArray() as Promise<unknown[]> as Promise<T[]>,
      ),
    // With a member's session the driver itself refuses.
    stream: (filter, options) =>
      native.find(guard.filter(filter), pick(options)) as AsyncIterable<unknown> as AsyncIterable<T>,
    async insertOne(document, options) {
      const inserted = guard.document(document);
      const operation = { insertOne: { document: inserted } };
      await write<unknown>(operation, options ?? {}, undefined, (picked) => native.insertOne(inserted, picked));
    },
    async insertMany(documents, options) {
      if (documents.length === 0) return;
      const inserted = documents.map(guard.document);
      await run(options, (picked) => native.insertMany(inserted, picked));
    },
    async updateOne(filter, update, options) {
      const [which, change] = [guard.filter(filter), guard.update(update)];
      const operation = { updateOne: { filter: which, update: change } };
      const single = async (picked: Plain) => counts(await native.updateOne(which, change, picked));
      return write(operation, options ?? {}, oneUpdate, single);
    },
    updateMany: async (filter, update, options) =>
      counts(await run(options, (picked) => native.updateMany(guard.filter(filter), guard.update(update), picked))),
    async updateEach(filter, each, others, options) {
      // What comes from outside is a literal, so that nothing of it is computed.
      const literals = Object.entries(checkedFields(others, guard)).map(([path, value]) => [path, { $literal: value }]);
      const total = { ...noUpdates };
      for (const part of partsOf(each)) {
        const { which, ownOf } = eachOf(filter, part, guard);
        const { paths, rows } = fieldsOf(part.values, guard);
        const own = paths.map((path) => [path, ownOf(rows.map((row) => row[path]))]);
        const change = [{ $set: Object.fromEntries([...literals, ...own]) }];
        const { matchedCount, modifiedCount } = await run(options, (picked) =>
          native.updateMany(which, change, picked),
        );
        total.matchedCount += matchedCount;
        total.modifiedCount += modifiedCount;
      }
      return total;
    },
    async updateWhereUnchanged(filter, { by, values }, update, options) {
      if (values.size === 0) return noUpdates;
      const { which } = eachOf(filter, { by, values, known: values }, guard);
      const change = guard.update(update);
      return counts(await run(options, (picked) => native.updateMany(which, change, picked)));
    },
    findOneAndUpdate: async (filter, update, options) =>
      run(
        options,
        (picked) =>
          native.findOneAndUpdate(
            guard.filter(filter),
            guard.update(update),
            picked,
          ) as Promise<unknown> as Promise<T | null>,
      ),
    async deleteOne(filter, options) {
      const which = guard.filter(filter);
      const single = async (picked: Plain) => deletions(await native.deleteOne(which, picked));
      return write({ deleteOne: { filter: which } }, options ?? {}, { deletedCount: 1 }, single);
    },
    deleteMany: async (filter, options) =>
      deletions(await run(options, (picked) => native.deleteMany(guard.filter(filter), picked))),
    async bulkWrite(operations, options) {
      if (operations.length === 0) return { insertedCount: 0, deletedCount: 0, ...noUpdates };
      const guarded = operations.map((operation) => guardedOperation(operation, guard));
      const result = await run(options, (picked) => native.bulkWrite(guarded, picked));
      return { insertedCount: result.insertedCount, deletedCount: result.deletedCount, ...counts(result) };
    },
    count: async (filter, options) =>
      Number(await run(options, (picked) => native.countDocuments(guard.filter(filter), picked))),
    aggregate: async <R>(pipeline: readonly Plain[], options?: object) =>
      run(
        options,
        (picked) => native.aggregate(guard.pipeline(pipeline), picked).toArray() as Promise<unknown[]> as Promise<R[]>,
      ),
  };
}

/** Fields to set, checked as those of an update are. */
function checkedFields(fields: Plain, guard: Guard): Plain {
  return plain(guard.update({ $set: fields })["$set"], "$set");
}

// What a statement finds of a list costs it more with every name: from some hundreds on, one is slower than several.
const maxNames = 300;

/** The same in parts that a statement takes; none of nothing. */
function partsOf(each: Each): Each[] {
  const { values, known } = each;
  const part = (all: Each["values"], start: number) => new Map(all.entries().drop(start).take(maxNames));
  const starts = Array.from({ length: Math.ceil(values.size / maxNames) }, (_, index) => index * maxNames);
  return starts.map((start) => ({ ...each, values: part(values, start), known: known && part(known, start) }));
}

/** Which documents are meant, as far as each has the values it is known by, and how a statement says what of a list is a document's own. */
function eachOf(filter: object, { by = "_id", values, known }: Each, guard: Guard) {
  if (Object.hasOwn(filter, by)) throw new TenantGuardError(`documents are named by ${by}, and by nothing else of it`);
  if (Object.hasOwn(filter, "$expr"))
    throw new TenantGuardError("what is expected of each document is said by its values");
  const names = [...values.keys()];
  const { named, ownOf } = selectEach(by, names);
  const which = guard.filter({ ...filter, ...named });
  if (known === undefined) return { which, ownOf };
  if (!isDeepStrictEqual([...known.keys()], names)) throw new TenantGuardError("each is known, in the same order");
  const { paths, rows } = fieldsOf(known, guard);
  const asKnown = ownOf(rows.map((row) => paths.map((path) => row[path])));
  return { which: { ...which, $expr: { $eq: [paths.map((path) => `$${path}`), asKnown] } }, ownOf };
}

/** The fields of each, in the same order. */
function fieldsOf(values: ReadonlyMap<string, Plain>, guard: Guard): { paths: string[]; rows: Plain[] } {
  const rows = Array.from(values.values(), (fields) => checkedFields(fields, guard));
  const paths = Object.keys(rows[0] ?? {});
  if (paths.length === 0) throw new TenantGuardError("no fields are named");
  const isSame = (row: Plain) =>
    Object.keys(row).length === paths.length && paths.every((path) => Object.hasOwn(row, path));
  if (!rows.every(isSame)) throw new TenantGuardError("values are of the same fields of every document");
  return { paths, rows };
}

const natives = new WeakMap<mongo.Db, Map<string, mongo.Collection>>();

/** The driver's own collection, past mongoose. Nothing outside services/shared/mongo may hold one. */
export function nativeCollection(db: Connection, name: string): mongo.Collection {
  if (!db.db) throw new Error("MongoDB is not connected");
  let known = natives.get(db.db);
  if (known === undefined) natives.set(db.db, (known = new Map()));
  let collection = known.get(name);
  if (collection === undefined) known.set(name, (collection = db.db.collection(name)));
  return collection;
}

const noUpdates: UpdateResult = { matchedCount: 0, modifiedCount: 0, upsertedCount: 0 };
const oneUpdate: UpdateResult = { matchedCount: 1, modifiedCount: 1, upsertedCount: 0 };

function counts(result: UpdateResult): UpdateResult {
  const { matchedCount, modifiedCount, upsertedCount } = result;
  return { matchedCount, modifiedCount, upsertedCount };
}

function deletions({ deletedCount }: { deletedCount: number }): { deletedCount: number } {
  return { deletedCount };
}

function guardedOperation(operation: object, guard: Guard): mongo.AnyBulkWriteOperation {
  const [[kind, content] = ["nothing", {}], ...others] = Object.entries(operation);
  if (others.length > 0) throw new TenantGuardError("a bulk operation has exactly one name");
  const { document, filter, update, upsert, arrayFilters, ...rest } = plain(content, kind);
  if (Object.keys(rest).length > 0) throw new TenantGuardError(`bulk option ${Object.keys(rest).join()} is refused`);
  checkValue(arrayFilters, "arrayFilters");
  const extra = {
    ...(upsert === undefined ? {} : { upsert }),
    ...(arrayFilters === undefined ? {} : { arrayFilters }),
  };
  switch (kind) {
    case "insertOne":
      return { insertOne: { document: guard.document(document) } };
    case "updateOne":
    case "updateMany":
      return { [kind]: { filter: guard.filter(filter), update: guard.update(update), ...extra } } as never;
    case "deleteOne":
      return { deleteOne: { filter: guard.filter(filter) } };
    default:
      throw new TenantGuardError(`bulk operation ${kind} is refused`);
  }
}
