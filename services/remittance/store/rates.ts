import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { CurrencyPair, Rate } from "../domain/rate.js";
import { collections } from "./collections.js";
import type { PriceVersionStore } from "./price-books.js";
import type { RateTellingStore } from "./rate-tellings.js";

/** Every rate that was ever put. */
export function createRateStore(db: Connection, prices: PriceVersionStore, tellings: RateTellingStore) {
  const rates = recordCollection<Rate>(db, collections.rates);
  return {
    forTenant(tenantId: string) {
      const own = rates.forTenant(tenantId);
      return {
        /**
         * The rate that holds at a time: none where the last that began has
         * ended and replaced all before it.
         */
        async findRate(
          { sendCurrency, receivingCurrency }: CurrencyPair,
          at: Date,
          session?: ClientSession,
        ): Promise<Rate | undefined> {
          const options = { sort: { validFrom: -1, sequence: -1 }, session } as const;
          const open = {
            $or: [{ validUntil: { $exists: false } }, { validUntil: { $gt: at } }, { replacesAll: true }],
          };
          const begun = { sendCurrency, receivingCurrency, validFrom: { $lte: at }, ...open };
          const found = await own.findOne(begun, options);
          return found?.validUntil !== undefined && found.validUntil <= at ? undefined : found;
        },

        /** Rates of a pair that have begun by a time, those that began last first. */
        listBegunRates: ({ sendCurrency, receivingCurrency }: CurrencyPair, by: Date, limit: number): Promise<Rate[]> =>
          own.find(
            { sendCurrency, receivingCurrency, validFrom: { $lte: by } },
            { sort: { validFrom: -1, sequence: -1 }, limit },
          ),

        /** When the next rate of a pair begins to hold, after a time. */
        async nextRateStart({ sendCurrency, receivingCurrency }: CurrencyPair, after: Date): Promise<Date | undefined> {
          const options = { sort: { validFrom: 1, sequence: 1 }, projection: { _id: 0, validFrom: 1 } } as const;
          const next = { sendCurrency, receivingCurrency, validFrom: { $gt: after } };
          return (await own.findOne(next, options))?.validFrom;
        },

        /** The rate of a pair that was put last, whenever it holds. */
        findLastRate: (
          { sendCurrency, receivingCurrency }: CurrencyPair,
          session?: ClientSession,
        ): Promise<Rate | undefined> =>
          own.findOne({ sendCurrency, receivingCurrency }, { sort: { sequence: -1 }, session }),

        /** Rates of a pair, the newest first. */
        listRates: (pair: CurrencyPair, { below, limit }: { below?: number; limit: number }): Promise<Rate[]> =>
          own.find(
            { ...pair, ...(below !== undefined && { sequence: { $lt: below } }) },
            { sort: { sequence: -1 }, limit },
          ),

        async insertRates(added: readonly Rate[], session: ClientSession): Promise<void> {
          await own.insertMany(added, { session });
          await prices.forTenant(tenantId).raisePriceVersion(session);
          await tellings.forTenant(tenantId).noteChangedRates(added, session);
        },
      };
    },
  };
}
