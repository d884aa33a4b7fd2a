import type { Logger } from "pino";
import { isMongoAway } from "../mongo/away.js";
import { Refusal } from "../refusal.js";

/**
 * What a caller is told of an error that is no refusal: UNAVAILABLE where MongoDB is away, else
 * INTERNAL. Logged with `about`.
 */
export function refusalOfUnexpected(error: unknown, interactionId: string, log: Logger, about: object = {}): Refusal {
  if (isMongoAway(error)) {
    // Whether a write took place is unknown, which is what UNAVAILABLE says.
    log.warn({ ...about, err: error }, "MongoDB is away");
    return new Refusal("UNAVAILABLE", "the database is away", { retryAfterS: 1 });
  }
  log.error({ ...about, err: error }, "unexpected error");
  return new Refusal("INTERNAL", `internal error, interaction ${interactionId}`);
}
