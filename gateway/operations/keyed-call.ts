import { outgoing } from "../../services/kernel/grpc/client.js";
import type { EdgeCall } from "../route.js";

/** The member of a request between services that carries the caller's key; empty without one. */
export function keyOf(headers: { "x-idempotency-key"?: string | undefined }): { idempotencyKey: string } {
  return { idempotencyKey: headers["x-idempotency-key"] ?? "" };
}

/**
 * Options of a call that may be answered from its key: a replay is marked in the answer's headers.
 */
export function replaying(call: EdgeCall) {
  return outgoing(call, { onReplayed: call.markReplayed });
}
