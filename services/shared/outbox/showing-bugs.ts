import { Refusal } from "../refusal.js";
import type { RowHandler } from "./row.js";

const maxAttemptsOfBug = 20;

/**
 * Parks a row at its 20th failure that is no Refusal, with its message: a bug does not pass by
 * itself, and operators see parked rows.
 */
export function showingBugs(handle: RowHandler): RowHandler {
  return async (row, context) => {
    try {
      return await handle(row, context);
    } catch (error) {
      if (error instanceof Refusal || context.attempt < maxAttemptsOfBug) throw error;
      context.log.error({ err: error }, "a bug keeps a row from being done");
      throw new Refusal("STATE_CONFLICT", error instanceof Error ? error.message : String(error));
    }
  };
}
