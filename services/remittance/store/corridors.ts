import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Corridor, CorridorKey, CorridorVersion } from "../domain/corridor.js";
import { collections } from "./collections.js";
import type { PriceVersionStore } from "./price-books.js";

type Session = ClientSession;
type Owned<T> = T & { tenantId: string };

const projection = { _id: 0, tenantId: 0 };
const corridorOrder = { originCountry: 1, sendCurrency: 1, receivingCountry: 1, receivingCurrency: 1 } as const;

/** Corridors, with every version of them. */
export function createCorridorStore(db: Connection, prices: PriceVersionStore) {
  const corridors = tenantCollection<Owned<Corridor>>(db, collections.corridors);
  const corridorVersions = tenantCollection<Owned<CorridorVersion>>(db, collections.corridorVersions);
  return {
    forTenant: (tenantId: string) => ({
      async findCorridor(key: CorridorKey, session?: Session): Promise<Corridor | undefined> {
        return (await corridors.forTenant(tenantId).findOne({ ...key }, { projection, session })) ?? undefined;
      },

      /** Corridors between two countries, or all. */
      listCorridors: (part: Partial<CorridorKey> = {}): Promise<Corridor[]> =>
        corridors.forTenant(tenantId).find(part, { projection, sort: corridorOrder }),

      /** Those of the keys that are there. */
      async findCorridors(keys: readonly CorridorKey[], session?: Session): Promise<Corridor[]> {
        if (keys.length === 0) return [];
        return corridors.forTenant(tenantId).find({ $or: keys.map((key) => ({ ...key })) }, { projection, session });
      },

      /** Replaces what holds and adds to the history, in one round trip each for any number. */
      async putCorridors(versions: readonly CorridorVersion[], session: Session): Promise<void> {
        await corridors.forTenant(tenantId).bulkWrite(
          versions.map(({ changedAt: _at, changedBy: _by, approvedBy: _approvedBy, ...corridor }) => {
            const { originCountry, sendCurrency, receivingCountry, receivingCurrency, ...content } = corridor;
            const key = { originCountry, sendCurrency, receivingCountry, receivingCurrency };
            const change = {
              $set: content,
              ...(content.deliveries === undefined && { $unset: { deliveries: "" as const } }),
            };
            return { updateOne: { filter: key, update: change, upsert: true } } as never;
          }),
          { session },
        );
        await corridorVersions.forTenant(tenantId).insertMany(versions, { session });
        await prices.forTenant(tenantId).raisePriceVersion(session);
      },

      /** Versions of a corridor, the newest first. */
      corridorHistory: (
        key: CorridorKey,
        { below, limit }: { below?: number; limit: number },
      ): Promise<CorridorVersion[]> =>
        corridorVersions.forTenant(tenantId).find(
          { ...key, ...(below !== undefined && { version: { $lt: below } }) },
          {
            projection,
            sort: { version: -1 },
            limit,
          },
        ),
    }),
  };
}
