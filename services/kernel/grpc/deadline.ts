import { ServerInterceptingCall, type ServerInterceptor } from "@grpc/grpc-js";
import { metadataNames } from "./metadata.js";

/**
 * Hands each call's deadline (epoch ms) on in metadata; grpc-js reads grpc-timeout and then hides
 * it.
 */
export const deadlineInterceptor: ServerInterceptor = (_method, call) =>
  new ServerInterceptingCall(call, {
    start: (next) =>
      next({
        onReceiveMetadata: (metadata, pass) => {
          metadata.remove(metadataNames.deadline);
          const deadline = Number(call.getDeadline());
          if (Number.isFinite(deadline)) metadata.set(metadataNames.deadline, String(deadline));
          pass(metadata);
        },
      }),
  });

// Timers may fire a little before Date.now() says so.
const slackMs = 5;

/** True when a deadline (epoch ms) is over. */
export function hasPassed(deadlineMs: number): boolean {
  return Date.now() >= deadlineMs - slackMs;
}

/**
 * The gRPC header for a time that is left: at most 8 digits and a unit (gRPC over HTTP/2,
 * "Timeout").
 */
export function timeoutHeader(remainingMs: number): string {
  const wholeMs = Math.max(1, Math.ceil(remainingMs));
  return wholeMs < 100_000_000 ? `${wholeMs}m` : `${Math.ceil(wholeMs / 1_000)}S`;
}
