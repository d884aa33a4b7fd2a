import { Refusal } from "../../kernel/refusal.js";

export { isMongoAway as isStoreAway } from "../../kernel/mongo/away.js";

/**
 * What callers are told while MongoDB is away: nothing is known to have been decided, the same keys
 * may be sent again.
 */
export function storeAway(cause: unknown): Refusal {
  const refusal = new Refusal("UNAVAILABLE", "the ledger's store is away, try again", { retryAfterS: 1 });
  refusal.cause = cause;
  return refusal;
}
