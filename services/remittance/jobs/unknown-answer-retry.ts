import { doublingPause } from "../../kernel/outbox/index.js";

// Short enough that everything is at its end within a minute of the end of a disturbance.
const maxPauseMs = 15_000;

/**
 * Milliseconds until a partner or neighbour whose answer is not known is asked again: 250 ms,
 * doubled with each attempt up to 15 s, less up to a quarter by chance so that rows spread.
 */
export const retryPauseMs = doublingPause({ firstMs: 250, mostMs: maxPauseMs });
