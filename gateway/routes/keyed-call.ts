import { outgoing } from "../../services/shared/grpc/client.js";
import { type EdgeCall } from "../route.js";

export function keyOf(headers: { "x-idempotency-key"?: string | undefined }): { idempotencyKey: string } {
  return { idempotencyKey: headers["x-idempotency-key"] ?? "" };
}

export function replaying(call: EdgeCall) {
  return outgoing(call, { onReplayed: call.markReplayed });
}
