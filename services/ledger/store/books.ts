import type { Connection } from "mongoose";
import { createManualJournalStore } from "./manual-journals.js";
import { createPartnerStore } from "./partners.js";
import { createMiddleRateStore } from "./middle-rates.js";
import { createPositionStore } from "./positions.js";
import { createSettlementStore } from "./settlements.js";

/** What is kept of what people settle, write and close. */
export const createBookStores = (db: Connection) => ({
  settlements: createSettlementStore(db),
  manualJournals: createManualJournalStore(db),
  positions: createPositionStore(db),
  partners: createPartnerStore(db),
  middleRates: createMiddleRateStore(db),
});
