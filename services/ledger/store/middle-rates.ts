import type { Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { Day } from "../domain/days.js";
import { priceLooksBackDays, takesPlaceOf, type CurrencyPair, type MiddleRate } from "../domain/middle-rates.js";
import { collections } from "./collections.js";

/** With when it was told, by real time: MongoDB forgets it by that. */
export type StoredRate = MiddleRate & { readonly toldAt: Date };

export type MiddleRateStore = ReturnType<typeof createMiddleRateStore>;
export type TenantRates = ReturnType<MiddleRateStore["forTenant"]>;

/** Middle rates as they were told: one per pair and business day, the one that began last. */
export function createMiddleRateStore(db: Connection) {
  const all = recordCollection<StoredRate>(db, collections.middleRates);
  return {
    forTenant(tenantId: string) {
      const rates = all.forTenant(tenantId);

      async function put(told: MiddleRate): Promise<void> {
        const { day, fromCurrency, toCurrency } = told;
        const which = { day, fromCurrency, toCurrency };
        const kept = await rates.findOne(which);
        const next = { ...told, toldAt: new Date() };
        // Of two at once that find none, the second finds the first one's.
        if (kept === undefined) return rates.insertOne(next);
        if (!takesPlaceOf(told, kept)) return;
        const { at, sequence, isDayEnd } = kept;
        const { matchedCount } = await rates.updateOne({ ...which, at, sequence, isDayEnd }, { $set: next });
        if (matchedCount === 0) return put(told);
      }

      async function nearest({ fromCurrency, toCurrency }: CurrencyPair, day: Day): Promise<MiddleRate | undefined> {
        const before = { fromCurrency, toCurrency, day: { $gte: day - priceLooksBackDays, $lte: day } };
        const after = { fromCurrency, toCurrency, day: { $gt: day } };
        return (
          (await rates.findOne(before, { sort: { day: -1 }, projection })) ??
          (await rates.findOne(after, { sort: { day: 1 }, projection }))
        );
      }

      return {
        /** Keeps a rate unless one of its pair and day holds before it. */
        record: (told: MiddleRate): Promise<void> => retryDuplicates(() => put(told)),

        /** What held between currencies and base at the end of a day. */
        atDayEnd: (day: Day, base: string, currencies: readonly string[]): Promise<MiddleRate[]> =>
          rates.find(
            {
              day,
              isDayEnd: true,
              $or: [
                { fromCurrency: { $in: [...currencies] }, toCurrency: base },
                { fromCurrency: base, toCurrency: { $in: [...currencies] } },
              ],
            },
            { projection },
          ),

        /**
         * What a currency is worth in base on a day: by the last rate of that day or, where none
         * was told yet, of the two before it, else by the first one after it. Its own direction
         * goes first.
         */
        async on(currency: string, base: string, day: Day): Promise<MiddleRate | undefined> {
          return (
            (await nearest({ fromCurrency: currency, toCurrency: base }, day)) ??
            (await nearest({ fromCurrency: base, toCurrency: currency }, day))
          );
        },

        /** The newest one that is known. */
        async newest(currency: string, base: string): Promise<MiddleRate | undefined> {
          const of = (fromCurrency: string, toCurrency: string) =>
            rates.findOne({ fromCurrency, toCurrency }, { sort: { day: -1 }, projection });
          return (await of(currency, base)) ?? (await of(base, currency));
        },
      };
    },
  };
}

const projection = { _id: 0, tenantId: 0, toldAt: 0 };
