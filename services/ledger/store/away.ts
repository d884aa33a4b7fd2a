import { mongo } from "mongoose";
import { Refusal } from "../../shared/refusal.js";

// A server that is not, or not yet, the primary, or that is going down: the driver's retryable codes.
const passingCodes: ReadonlySet<unknown> = new Set([
  6, 7, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

const cutCodes: ReadonlySet<unknown> = new Set(["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED"]);

/** True for a failure of MongoDB that passes by itself: nobody there, no primary, a connection that was cut. */
export function isStoreAway(error: unknown): boolean {
  if (error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoSystemError) return true;
  // A write to a socket that the server has just closed comes out of the driver as Node's own error.
  if (error instanceof Error && cutCodes.has((error as NodeJS.ErrnoException).code)) return true;
  return error instanceof mongo.MongoServerError && passingCodes.has(error.code);
}

/** What callers are told while MongoDB is away: nothing is known to have been decided, the same keys may be sent again. */
export function storeAway(cause: unknown): Refusal {
  const refusal = new Refusal("UNAVAILABLE", "the ledger's store is away, try again", { retryAfterS: 1 });
  refusal.cause = cause;
  return refusal;
}
