import type { ClientSession, Connection } from "mongoose";
import { createBatchRead } from "../../kernel/mongo/batch-read.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import type { PromotionCount, PromotionUse } from "../domain/promotion.js";
import type { Quote } from "../domain/quote.js";
import { collections } from "./collections.js";

/** Quotes and what is counted of promotions. */
export function createQuoteStore(db: Connection) {
  const quotes = recordCollection<Quote>(db, collections.quotes);
  const uses = recordCollection<PromotionCount>(db, collections.promotionUses);
  const byId = createBatchRead<string, Quote>({
    nameOf: (quoteId) => quoteId,
    readOne: (tenantId, quoteId) => quotes.forTenant(tenantId).findOne({ quoteId }),
    async readMany(tenantId, quoteIds) {
      const found = await quotes.forTenant(tenantId).find({ quoteId: { $in: [...quoteIds] } });
      return new Map(found.map((one) => [one.quoteId, one]));
    },
  });
  return {
    forTenant: (tenantId: string) => ({
      insertQuote: (quote: Quote, session?: ClientSession) => quotes.forTenant(tenantId).insertOne(quote, { session }),

      findQuote: (quoteId: string): Promise<Quote | undefined> => byId(tenantId, quoteId),

      /** Gives the quote to a transaction; false where another one has it. */
      async useQuote(quoteId: string, transactionId: string, session: ClientSession): Promise<boolean> {
        const used = await quotes
          .forTenant(tenantId)
          .updateOne({ quoteId, transactionId: { $exists: false } }, { $set: { transactionId } }, { session });
        return used.matchedCount === 1;
      },

      async promotionUse(code: string, customerId: string, session?: ClientSession): Promise<PromotionUse> {
        const counted = await uses
          .forTenant(tenantId)
          .find({ code, customerId: { $in: ["", customerId] } }, { session });
        const of = (id: string) => Number(counted.find((one) => one.customerId === id)?.uses ?? 0);
        return { uses: of(""), usesByCustomer: customerId === "" ? 0 : of(customerId) };
      },

      /** Uses by all customers together, by code. */
      async promotionUses(codes: readonly string[]): Promise<Map<string, number>> {
        const counted = await uses.forTenant(tenantId).find({ code: { $in: [...codes] }, customerId: "" });
        return new Map(counted.map((one) => [one.code, Number(one.uses)]));
      },

      async countPromotion(code: string, customerId: string, session: ClientSession): Promise<void> {
        for (const id of new Set(["", customerId])) {
          await uses
            .forTenant(tenantId)
            .updateOne({ code, customerId: id }, { $inc: { uses: 1 } }, { session, upsert: true });
        }
      },
    }),
  };
}
