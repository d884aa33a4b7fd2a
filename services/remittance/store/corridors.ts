import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { Corridor, CorridorKey, CorridorVersion } from "../domain/corridor.js";
import { collections } from "./collections.js";
import type { PriceVersionStore } from "./price-books.js";

type Session = ClientSession;

const corridorOrder = { originCountry: 1, sendCurrency: 1, receivingCountry: 1, receivingCurrency: 1 } as const;

/** Corridors, with every version of them. */
export function createCorridorStore(db: Connection, prices: PriceVersionStore) {
  const corridors = recordCollection<Corridor>(db, collections.corridors);
  const corridorVersions = recordCollection<CorridorVersion>(db, collections.corridorVersions);
  return {
    forTenant: (tenantId: string) => ({
      findCorridor: (key: CorridorKey, session?: Session): Promise<Corridor | undefined> =>
        corridors.forTenant(tenantId).findOne({ ...key }, { session }),

      /** Corridors between two countries, or all. */
      listCorridors: (part: Partial<CorridorKey> = {}): Promise<Corridor[]> =>
        corridors.forTenant(tenantId).find(part, { sort: corridorOrder }),

      /** Those of the keys that are there. */
      async findCorridors(keys: readonly CorridorKey[], session?: Session): Promise<Corridor[]> {
        if (keys.length === 0) return [];
        return corridors.forTenant(tenantId).find({ $or: keys.map((key) => ({ ...key })) }, { session });
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
            sort: { version: -1 },
            limit,
          },
        ),
    }),
  };
}
