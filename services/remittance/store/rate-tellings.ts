import type { ClientSession, Connection } from "mongoose";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { createTakeDue } from "../../kernel/mongo/take-due.js";
import type { Rate } from "../domain/rate.js";
import type { RateTelling } from "../domain/rate-telling.js";
import { collections } from "./collections.js";

export type RateTellingStore = ReturnType<typeof createRateTellingStore>;

// Due before anything that a clock makes due.
const atOnce = new Date(0);

/** What the ledger was told of tenants' rates. */
export function createRateTellingStore(db: Connection) {
  const tellings = recordCollection<RateTelling>(db, collections.rateTellings);
  return {
    /** Takes one tenant whose rates are to be told. */
    takeRateTelling: createTakeDue<RateTelling>(db, collections.rateTellings, {
      key: [],
      reason: "middle rates to tell",
    }),

    forTenant: (tenantId: string) => ({
      /** Belongs into the transaction that puts the rates. */
      async noteChangedRates(rates: readonly Rate[], session: ClientSession): Promise<void> {
        const pairs = new Set(
          rates.map(({ sendCurrency, receivingCurrency }) => `${sendCurrency} ${receivingCurrency}`),
        );
        const changedFrom = new Date(Math.min(...rates.map(({ validFrom }) => validFrom.getTime())));
        const change = { $min: { dueAt: atOnce, changedFrom }, $addToSet: { pairs: { $each: [...pairs] } } };
        await tellings.forTenant(tenantId).updateOne({}, change, { session, upsert: true });
      },

      /** Nothing where rates were put meanwhile: it is due again then. */
      async noteToldRates({ dueAt }: Pick<RateTelling, "dueAt">, told: Pick<RateTelling, "toldThrough" | "dueAt">) {
        await tellings.forTenant(tenantId).updateOne({ dueAt }, { $set: told, $unset: { changedFrom: "" } });
      },

      /** It is tried again then. */
      async putOffTelling({ dueAt }: Pick<RateTelling, "dueAt">, until: Date): Promise<void> {
        await tellings.forTenant(tenantId).updateOne({ dueAt }, { $set: { dueAt: until } });
      },
    }),
  };
}
