import type { Connection } from "mongoose";
import type { FindAndUpdateOptions, FindOptions, GuardedCollection, ReadOptions, Session } from "./collection.js";
import { perTenant } from "./per-tenant.js";
import { tenantCollection, type Filter, type Update } from "./tenant-collection.js";

/** As a record lies whose own id is the document's: filters, sorts and updates speak of `_id`. */
export type DocumentOf<T, Id extends keyof T = never> = [Id] extends [never] ? T : Omit<T, Id> & { _id: string };

/**
 * Records of the domain, read without MongoDB's id and the tenant's; what is not there is
 * undefined. A projection of the caller's takes the place of that. Filters, sorts and updates
 * speak of what is stored (`S`).
 */
export interface RecordCollection<T, Id extends keyof T = never, S = T> extends Omit<
  GuardedCollection<DocumentOf<S, Id & keyof S>>,
  "find" | "stream" | "findOne" | "findOneAndUpdate" | "insertOne" | "insertMany"
> {
  find(filter: Filter<DocumentOf<S, Id & keyof S>>, options?: FindOptions): Promise<T[]>;
  stream(filter: Filter<DocumentOf<S, Id & keyof S>>, options?: FindOptions): AsyncIterable<T>;
  findOne(filter: Filter<DocumentOf<S, Id & keyof S>>, options?: ReadOptions): Promise<T | undefined>;
  findOneAndUpdate(
    filter: Filter<DocumentOf<S, Id & keyof S>>,
    update: Update<DocumentOf<S, Id & keyof S>>,
    options?: FindAndUpdateOptions,
  ): Promise<T | undefined>;
  insertOne(record: T, options?: Session): Promise<void>;
  insertMany(records: readonly T[], options?: Session & { ordered?: boolean }): Promise<void>;
}

export interface Records<T, Id extends keyof T = never, S = T> {
  forTenant(tenantId: string): RecordCollection<T, Id, S>;
}

/**
 * How a record lies that holds what BSON has no value for, such as a day or a decimal. Both ways
 * are pure, and know neither of MongoDB's id nor of the tenant.
 */
export interface RecordForm<T, S> {
  toDocument(record: T): S;
  fromDocument(stored: S): T;
}

/**
 * A collection of tenants' records, behind the guard of `tenantCollection`. Where `id` names the
 * record's own id, that is the document's; without a `form` a record lies as it is.
 */
export function recordCollection<T>(db: Connection, name: string): Records<T>;
export function recordCollection<T, Id extends keyof T>(db: Connection, name: string, id: Id): Records<T, Id>;
export function recordCollection<T, Id extends keyof T, S>(
  db: Connection,
  name: string,
  id: Id,
  form: RecordForm<T, S>,
): Records<T, Id, S>;
export function recordCollection<T>(
  db: Connection,
  name: string,
  id?: keyof T,
  form?: RecordForm<T, object>,
): Records<T> {
  const documents = tenantCollection<Stored>(db, name);
  const layout = id === undefined ? plain : underId(id as string, form as RecordForm<object, object> | undefined);
  return { forTenant: perTenant((tenantId) => recordsOf(documents.forTenant(tenantId), layout) as never) };
}

type Stored = Record<string, unknown> & { tenantId: string };

/** How a record lies in its collection. */
interface Layout {
  options: FindOptions;
  documentOf(record: object): Stored;
  recordOf(document: Stored): object;
}

function asItLies(document: Stored): object {
  return document;
}

const plain: Layout = {
  options: { projection: { _id: 0, tenantId: 0 } },
  documentOf: (record) => record as Stored,
  recordOf: asItLies,
};

function underId(id: string, form?: RecordForm<object, object>): Layout {
  return {
    options: {},
    documentOf(record) {
      const { [id]: _id, ...rest } = (form === undefined ? record : form.toDocument(record)) as Stored;
      return { _id, ...rest } as unknown as Stored;
    },
    recordOf({ _id, tenantId: _tenantId, ...rest }) {
      const stored = { [id]: _id, ...rest };
      return form === undefined ? stored : form.fromDocument(stored);
    },
  };
}

function recordsOf(documents: GuardedCollection<Stored>, { options: own, documentOf, recordOf }: Layout) {
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
