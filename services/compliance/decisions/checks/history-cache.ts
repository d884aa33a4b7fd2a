import { createBoundedCache } from "../../../kernel/caching/bounded-cache.js";
import type { CustomerHistory } from "../domain/customer-history.js";

const maxCustomers = 2_000;
const maxRecipients = 200;
const maxNames = 5_000;

export type HistoryCache = ReturnType<typeof createHistoryCache>;

/**
 * Keeps customers' histories after decisions on them, so that the days of the longest window are
 * read once a day and not with every check (docs/decisions/0013). Each is compared with the
 * counters that the lock reads before it is used, so an old one costs a read and no more.
 */
export function createHistoryCache() {
  const cache = createBoundedCache<CustomerHistory>(maxCustomers);
  const keyOf = (tenantId: string, customerId: string) => `${tenantId} ${customerId}`;
  return {
    find: (tenantId: string, customerId: string) => cache.get(keyOf(tenantId, customerId)),
    /** Called once the decision is committed; without a history the customer is forgotten. */
    keep(tenantId: string, customerId: string, history: CustomerHistory | undefined): void {
      const key = keyOf(tenantId, customerId);
      const names = history?.figures.reduce((sum, figure) => sum + figure.names.size, 0) ?? 0;
      if (history === undefined || names > maxNames) return cache.delete(key);
      const recipients = history.recipients.size > maxRecipients ? new Set<string>() : history.recipients;
      cache.set(key, { ...history, recipients });
    },
  };
}
