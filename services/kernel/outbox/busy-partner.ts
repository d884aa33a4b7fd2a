import { PartnerBusy } from "../batching/bound.js";
import type { RowHandler } from "./row.js";

/**
 * Rows that call a partner: while as many calls as may be are under way there, a row has not been
 * tried, and waits for a place without holding one of its relay.
 */
export function laterWhileBusy(handlers: Record<string, RowHandler>): Record<string, RowHandler> {
  return Object.fromEntries(Object.entries(handlers).map(([kind, handle]) => [kind, whileBusy(handle)]));
}

function whileBusy(handle: RowHandler): RowHandler {
  return async (row, context) => {
    try {
      return await handle(row, context);
    } catch (error) {
      if (error instanceof PartnerBusy) return error.places;
      throw error;
    }
  };
}
