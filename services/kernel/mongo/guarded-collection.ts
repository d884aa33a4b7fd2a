import type { ClientSession, Connection, mongo } from "mongoose";
import type { GuardedCollection, Session, UpdateResult } from "./collection.js";
import { nativeCollection } from "./native-collection.js";
import { sharedSession } from "./shared-session.js";
import type { Guard } from "./tenant-guard.js";
import { checkedFields, eachOf, fieldsOf, partsOf } from "./update-each.js";
import { checkValue, plain, TenantGuardError, type Plain } from "./values.js";

const passed = [
  "session",
  "projection",
  "sort",
  "hint",
  "min",
  "max",
  "limit",
  "skip",
  "batchSize",
  "upsert",
  "arrayFilters",
  "returnDocument",
  "ordered",
  "allowDiskUse",
];

/**
 * Wraps a native collection; `comment` marks commands that cross tenants on purpose. Used by the
 * two modules that name a tenant rule.
 */
export function guardedCollection<T>(
  db: Connection,
  name: string,
  guard: Guard,
  comment?: string,
): GuardedCollection<T> {
  const native = nativeCollection(db, name);
  /**
   * Options are picked by name: a collation would make tenant ids equal without regard to case, a
   * comment would fool the monitor.
   */
  const pick = (options: object | undefined): Plain => {
    const picked: Plain = comment === undefined ? {} : { comment };
    for (const [key, value] of Object.entries(options ?? {})) {
      if (value === undefined) continue;
      if (key === "atOneMoment") {
        picked["readConcern"] = { level: "snapshot" };
        continue;
      }
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
    options: Session | undefined,
    result: R,
    single: (picked: Plain) => Promise<R>,
  ): Promise<R> => {
    const picked = pick(options);
    const { session, ...others } = picked as { session?: ClientSession };
    const shared = Object.keys(others).length === 0 ? sharedSession(session) : undefined;
    if (shared === undefined) return run(options, single);
    await shared.write(native, operation);
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
    // The driver itself refuses a stream in a member's session.
    stream: (filter, options) =>
      native.find(guard.filter(filter), pick(options)) as AsyncIterable<unknown> as AsyncIterable<T>,
    async insertOne(document, options) {
      const inserted = guard.document(document);
      const operation = { insertOne: { document: inserted } };
      await write<unknown>(operation, options, undefined, (picked) => native.insertOne(inserted, picked));
    },
    async insertMany(documents, options) {
      if (documents.length === 0) return;
      const inserted = documents.map(guard.document);
      const shared = sharedSession(pick(options)["session"] as ClientSession | undefined);
      if (shared === undefined) await native.insertMany(inserted, pick(options));
      else await shared.write(native, ...inserted.map((document) => ({ insertOne: { document } })));
    },
    async succeed({ filter, update, added }, id, { session }) {
      const [which, change] = [guard.filter(filter), guard.update(update)];
      const documents = added.map(guard.document);
      const picked = pick({ session });
      const shared = sharedSession(session);
      if (shared !== undefined) {
        const inserts = documents.map((document) => ({ insertOne: { document } }));
        return shared.write(native, { updateOne: { filter: which, update: change } }, ...inserts);
      }
      // Statements of one kind are one command.
      const updates = documents.map(({ _id, tenantId, ...rest }) => ({
        updateOne: { filter: { _id, tenantId }, update: { $setOnInsert: rest }, upsert: true },
      }));
      const first = { updateOne: { filter: which, update: { ...change, $setOnInsert: { _id: id } }, upsert: true } };
      const { upsertedCount, matchedCount } = await native.bulkWrite([first, ...updates] as never, picked);
      if (upsertedCount + matchedCount !== updates.length + 1) throw new Error("documents were there before");
    },
    async updateOne(filter, update, options) {
      const [which, change] = [guard.filter(filter), guard.update(update)];
      const operation = { updateOne: { filter: which, update: change } };
      const single = async (picked: Plain) => counts(await native.updateOne(which, change, picked));
      return write(operation, options, oneUpdate, single);
    },
    updateMany: async (filter, update, options) =>
      counts(await run(options, (picked) => native.updateMany(guard.filter(filter), guard.update(update), picked))),
    async updateEach(filter, each, others, options) {
      // A value is written as a literal, so that nothing from outside is computed.
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
      return write({ deleteOne: { filter: which } }, options, { deletedCount: 1 }, single);
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
