import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../shared/mongo/tenant-collection.js";
import type { Corridor, CorridorKey } from "../domain/corridor.js";
import type { PriceVersionStore } from "./price-versions.js";

type Session = ClientSession;
type Owned<T> = T & { tenantId: string };

/** A rate as it was put. Of those of a pair whose time it is, the one that began last holds, and of those the newest. */
export interface Rate {
  rateId: string;
  sendCurrency: string;
  receivingCurrency: string;
  /** 1, 2, 3… per pair. */
  sequence: number;
  /** Decimal text. */
  rate: string;
  source: string;
  validFrom: Date;
  /** Exclusive; absent where it has no end. */
  validUntil?: Date;
  createdAt: Date;
  createdBy: string;
}

/** A version of a corridor as history keeps it. */
export type CorridorVersion = Corridor & {
  changedAt: Date;
  changedBy: string;
  /** Who approved it, of a change that needs two persons. */
  approvedBy?: string;
};

export const corridorCollections = {
  corridors: "corridors",
  corridorVersions: "corridor_versions",
  rates: "rates",
} as const;

const projection = { _id: 0, tenantId: 0 };
const corridorOrder = { originCountry: 1, sendCurrency: 1, receivingCountry: 1, receivingCurrency: 1 } as const;

/** Corridors and rates, with every version of them. */
export function createCorridorStore(db: Connection, prices: PriceVersionStore) {
  const corridors = tenantCollection<Owned<Corridor>>(db, corridorCollections.corridors);
  const corridorVersions = tenantCollection<Owned<CorridorVersion>>(db, corridorCollections.corridorVersions);
  const rates = tenantCollection<Owned<Rate>>(db, corridorCollections.rates);
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

      /** The rate that holds at a time. */
      async findRate(
        { sendCurrency, receivingCurrency }: { sendCurrency: string; receivingCurrency: string },
        at: Date,
        session?: Session,
      ): Promise<Rate | undefined> {
        const options = { sort: { validFrom: -1, sequence: -1 }, projection, session } as const;
        const open = { $or: [{ validUntil: { $exists: false } }, { validUntil: { $gt: at } }] };
        const found = await rates
          .forTenant(tenantId)
          .findOne({ sendCurrency, receivingCurrency, validFrom: { $lte: at }, ...open }, options);
        return found ?? undefined;
      },

      /** When the next rate of a pair begins to hold, after a time. */
      async nextRateStart(
        { sendCurrency, receivingCurrency }: { sendCurrency: string; receivingCurrency: string },
        after: Date,
      ): Promise<Date | undefined> {
        const options = { sort: { validFrom: 1, sequence: 1 }, projection: { _id: 0, validFrom: 1 } } as const;
        const next = { sendCurrency, receivingCurrency, validFrom: { $gt: after } };
        return (await rates.forTenant(tenantId).findOne(next, options))?.validFrom;
      },

      /** The rate of a pair that was put last, whenever it holds. */
      async findLastRate(
        { sendCurrency, receivingCurrency }: { sendCurrency: string; receivingCurrency: string },
        session?: Session,
      ): Promise<Rate | undefined> {
        const options = { sort: { sequence: -1 }, projection, session } as const;
        return (await rates.forTenant(tenantId).findOne({ sendCurrency, receivingCurrency }, options)) ?? undefined;
      },

      /** Rates of a pair, the newest first. */
      listRates: (
        pair: { sendCurrency: string; receivingCurrency: string },
        { below, limit }: { below?: number; limit: number },
      ): Promise<Rate[]> =>
        rates.forTenant(tenantId).find(
          { ...pair, ...(below !== undefined && { sequence: { $lt: below } }) },
          {
            projection,
            sort: { sequence: -1 },
            limit,
          },
        ),

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

      async insertRates(added: readonly Rate[], session: Session): Promise<void> {
        await rates.forTenant(tenantId).insertMany(added, { session });
        await prices.forTenant(tenantId).raisePriceVersion(session);
      },
    }),
  };
}
