import { ClientError, Status } from "nice-grpc";
import { Refusal } from "../refusal.js";
import { hasPassed } from "./deadline.js";
import { refusalFromTrailer } from "./refusal-trailer.js";

/** The other side could not be reached, or went away: nobody decided anything that we know of. */
class Unreachable extends Refusal {
  /** Whether the other side has not looked at the call: it says so, or there was no way to it. */
  readonly isUntouched: boolean;
  constructor(path: string, reason: string) {
    super("UNAVAILABLE", `${path} cannot be reached: ${reason}`, { retryAfterS: 1 });
    this.isUntouched = nothingSent.test(reason);
  }
}

// Words of grpc-js: turned away by a connection that ends, or before there was any.
const nothingSent = /^(Stream refused by server|(\w+: )?No connection established|Name resolution failed)/;

/**
 * Only failures of the way there are worth another attempt. A Refusal UNAVAILABLE that the other
 * side decided on is not: it has tried already, and attempts would multiply from hop to hop.
 */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof Unreachable;
}

/**
 * Such a call may be sent again whatever it does: a connection that was ending has turned it away.
 */
export function isUntouched(error: unknown): boolean {
  return error instanceof Unreachable && error.isUntouched;
}

interface Failed {
  readonly path: string;
  /** The refusal of the trailer, where there is one. */
  readonly refusal: string | undefined;
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  readonly deadlineMs: number;
}

/** What to throw for a failed call. */
export function failureOf(error: unknown, { path, refusal, signal, deadlineMs }: Failed): unknown {
  const refused = refusalFromTrailer(refusal);
  if (refused !== undefined) return refused;
  if (hasPassed(deadlineMs)) return new Refusal("DEADLINE_EXCEEDED", `${path} took too long`, { retryAfterS: 1 });
  if (signal?.aborted === true) return error;
  if (!(error instanceof ClientError)) return error;
  switch (error.code) {
    case Status.DEADLINE_EXCEEDED:
      return new Refusal("DEADLINE_EXCEEDED", `${path} took too long`, { retryAfterS: 1 });
    case Status.UNAVAILABLE:
    // A CANCELLED that is not ours, as the signal above tells, comes of a server stopped by force.
    case Status.CANCELLED:
      return new Unreachable(path, error.details);
    case Status.INTERNAL:
      return connectionEnded.test(error.details) ? new Unreachable(path, error.details) : error;
    default:
      return error;
  }
}

// grpc-js has no status for calls cut off by a connection that grew old or a server that stops.
const connectionEnded =
  /^Received RST_STREAM with code (0 \(Call ended without gRPC status\)|2 triggered by internal client)/;
