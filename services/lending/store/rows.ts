import type { ClientSession } from "mongoose";
import type { Filter, FindOptions, TenantCollection, Insert, Update } from "../../kernel/mongo/tenant-collection.js";
import { passing } from "../../kernel/refusal.js";

export type Session = ClientSession;

/** A thing of the domain as it is stored: whole, under its id and its tenant's. */
export type EntityRow<T> = T & { _id: string; tenantId: string };

/** Reads and writes whole things of one tenant. */
export function entities<T extends object>(collection: TenantCollection<EntityRow<T>>) {
  const entityOf = (row: EntityRow<T>): T => {
    const { _id, tenantId: _tenantId, ...entity } = row;
    return entity as unknown as T;
  };

  /** True when the filter found it. */
  async function replaceIf(filter: Filter<EntityRow<T>>, entity: T, session: Session): Promise<boolean> {
    // What it has not any more is taken away: a field that ended must not linger.
    const before = await collection.findOne(filter, { session });
    if (before === null) return false;
    const gone = Object.keys(before).filter((name) => name !== "_id" && name !== "tenantId" && !(name in entity));
    const $unset = Object.fromEntries(gone.map((name) => [name, true]));
    const change = { $set: entity, ...(gone.length > 0 ? { $unset } : {}) } as unknown as Update<EntityRow<T>>;
    return (await collection.updateOne(filter, change, { session })).matchedCount === 1;
  }

  return {
    async insert(id: string, entity: T, session: Session): Promise<void> {
      await collection.insertOne({ _id: id, ...entity } as unknown as Insert<EntityRow<T>>, { session });
    },
    async one(filter: Filter<EntityRow<T>>, session?: Session): Promise<T | undefined> {
      const row = await collection.findOne(filter, { session });
      return row === null ? undefined : entityOf(row);
    },
    async list(filter: Filter<EntityRow<T>>, options: FindOptions): Promise<T[]> {
      return (await collection.find(filter, options)).map(entityOf);
    },
    replaceIf,
    /**
     * Throws STATE_CONFLICT when it is not as it was read: never inside one snapshot, so it means a
     * bug or a lost race.
     */
    async replace(filter: Filter<EntityRow<T>>, entity: T, session: Session): Promise<void> {
      if (!(await replaceIf(filter, entity, session))) {
        throw passing("STATE_CONFLICT", "it changed meanwhile, try again");
      }
    },
  };
}
