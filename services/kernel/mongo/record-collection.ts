import type { Connection } from "mongoose";
import type { FindAndUpdateOptions, FindOptions, GuardedCollection, ReadOptions, Session } from "./collection.js";
import { perTenant } from "./per-tenant.js";
import { tenantCollection, type Filter, type Update } from "./tenant-collection.js";

/** As a record lies whose own id is the document's: filters, sorts and updates speak of `_id`. */
export type DocumentOf<T, Id extends keyof T = never> = [Id] extends [never] ? T : Omit<T, Id> & { _id: string };

/**
 * Records of the domain, read without MongoDB's id and the tenant's; what is not there is
 * undefined. A projection of the caller's takes the place of that.
 */
export interface RecordCollection<T, Id extends keyof T = never> extends Omit<
  GuardedCollection<DocumentOf<T, Id>>,
  "find" | "stream" | "findOne" | "findOneAndUpdate" | "insertOne" | "insertMany"
> {
  find(filter: Filter<DocumentOf<T, Id>>, options?: FindOptions): Promise<T[]>;
  stream(filter: Filter<DocumentOf<T, Id>>, options?: FindOptions): AsyncIterable<T>;
  findOne(filter: Filter<DocumentOf<T, Id>>, options?: ReadOptions): Promise<T | undefined>;
  findOneAndUpdate(
    filter: Filter<DocumentOf<T, Id>>,
    update: Update<DocumentOf<T, Id>>,
    options?: FindAndUpdateOptions,
  ): Promise<T | undefined>;
  insertOne(record: T, options?: Session): Promise<void>;
  insertMany(records: readonly T[], options?: Session & { ordered?: boolean }): Promise<void>;
}

export interface Records<T, Id extends keyof T = never> {
  forTenant(tenantId: string): RecordCollection<T, Id>;
}

/**
 * A collection of tenants' records, behind the guard of `tenantCollection`. Where `id` names the
 * record's own id, that is the document's.
 */
export function recordCollection<T>(db: Connection, name: string): Records<T>;
export function recordCollection<T, Id extends keyof T>(db: Connection, name: string, id: Id): Records<T, Id>;
export function recordCollection<T>(db: Connection, name: string, id?: keyof T): Records<T> {
  const documents = tenantCollection<Stored>(db, name);
  const form = id === undefined ? plain : underId(id as string);
  return { forTenant: perTenant((tenantId) => recordsOf(documents.forTenant(tenantId), form) as never) };
}

type Stored = Record<string, unknown> & { tenantId: string };

/** How a record lies in its collection. */
interface Form {
  options: FindOptions;
  documentOf(record: object): Stored;
  recordOf(document: Stored): object;
}

function asItLies(document: Stored): object {
  return document;
}

const plain: Form = {
  options: { projection: { _id: 0, tenantId: 0 } },
  documentOf: (record) => record as Stored,
  recordOf: asItLies,
};

function underId(id: string): Form {
  return {
    options: {},
    documentOf(record) {
      const { [id]: _id, ...rest } = record as Stored;
      return { _id, ...rest } as unknown as Stored;
    },
    recordOf: ({ _id, tenantId: _tenantId, ...rest }) => ({ [id]: _id, ...rest }),
  };
}

function recordsOf(documents: GuardedCollection<Stored>, { options: own, documentOf, recordOf }: Form) {
  const found = (document: Stored | null) => (document === null ? undefined : recordOf(document));
  return {
    ...documents,
    async find(filter: object, options?: FindOptions) {
      return (await documents.find(filter, { ...own, ...options })).map(recordOf);
    },
    stream(filter: object, options?: FindOptions) {
      const stream = documents.stream(filter, { ...own, ...options });
      return recordOf === asItLies ? stream : mapped(stream, recordOf);
    },
    findOne: async (filter: object, options?: ReadOptions) =>
      found(await documents.findOne(filter, { ...own, ...options })),
    findOneAndUpdate: async (filter: object, update: object, options?: FindAndUpdateOptions) =>
      found(await documents.findOneAndUpdate(filter, update, { ...own, ...options } as FindAndUpdateOptions)),
    insertOne: (record: object, options?: Session) => documents.insertOne(documentOf(record), options),
    insertMany: (records: readonly object[], options?: Session) =>
      documents.insertMany(records.map(documentOf), options),
  };
}

async function* mapped<T, R>(stream: AsyncIterable<T>, map: (one: T) => R): AsyncGenerator<R> {
  for await (const one of stream) yield map(one);
}
