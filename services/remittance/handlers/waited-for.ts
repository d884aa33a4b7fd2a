import { createTurns } from "../../kernel/time/turns.js";

const rowsPerTurn = 1_000;

/**
 * Rows of a report. Ends the reading when nobody waits for it any more: its deadline has
 * passed, or who asked has left.
 */
export async function* whileWaitedFor<T>(all: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  // Batches that are there already are read without a turn of the event loop, in
  // which the signal would be told.
  const turns = createTurns("report", rowsPerTurn);
  for await (const one of all) {
    await turns.spent();
    signal.throwIfAborted();
    yield one;
  }
  turns.end();
}
