import type { RowHandler } from "../outbox/index.js";
import { PartnerBusy } from "../partner/bound.js";

/**
 * Rows that send messages: while as many calls as may be are under way at the partner, a row has not
 * been tried, and is taken again in a second without a wait that doubles.
 */
export function laterWhileBusy(handlers: Record<string, RowHandler>): Record<string, RowHandler> {
  return Object.fromEntries(Object.entries(handlers).map(([kind, handle]) => [kind, whileBusy(handle)]));
}

function whileBusy(handle: RowHandler): RowHandler {
  return async (row, context) => {
    try {
      return await handle(row, context);
    } catch (error) {
      if (error instanceof PartnerBusy) return "later";
      throw error;
    }
  };
}
