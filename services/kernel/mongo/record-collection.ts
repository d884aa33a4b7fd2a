import type { Connection } from "mongoose";
import type { FindAndUpdateOptions, GuardedCollection, ReadOptions } from "./collection.js";
import { perTenant } from "./per-tenant.js";
import { tenantCollection, type Filter, type Update } from "./tenant-collection.js";

/**
 * What is stored as it is in domain/: read without MongoDB's id and the tenant's, unless a
 * projection says otherwise; what is not there is undefined.
 */
export interface RecordCollection<T> extends Omit<GuardedCollection<T>, "findOne" | "findOneAndUpdate"> {
  findOne(filter: Filter<T>, options?: ReadOptions): Promise<T | undefined>;
  findOneAndUpdate(filter: Filter<T>, update: Update<T>, options?: FindAndUpdateOptions): Promise<T | undefined>;
}

/** A collection of tenants' records, behind the guard of `tenantCollection`. */
export function recordCollection<T>(
  db: Connection,
  name: string,
): { forTenant(tenantId: string): RecordCollection<T> } {
  const documents = tenantCollection<T & { tenantId: string }>(db, name);
  return { forTenant: perTenant((tenantId) => recordsOf(documents.forTenant(tenantId) as never)) };
}

const projection = { _id: 0, tenantId: 0 };

function recordsOf<T>(documents: GuardedCollection<T>): RecordCollection<T> {
  return {
    ...documents,
    find: (filter, options) => documents.find(filter, { projection, ...options }),
    stream: (filter, options) => documents.stream(filter, { projection, ...options }),
    findOne: async (filter, options) => (await documents.findOne(filter, { projection, ...options })) ?? undefined,
    findOneAndUpdate: async (filter, update, options) =>
      (await documents.findOneAndUpdate(filter, update, { projection, ...options })) ?? undefined,
  };
}
