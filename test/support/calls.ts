import { v7 as uuidv7 } from "uuid";
import type { Call } from "../../services/kernel/grpc/context.js";
import { silentLog, testTenant } from "./index.js";

/**
 * A handler's call as the gRPC server would hand it in; `replayed()` tells whether it was marked
 * so.
 */
export function testCall(given: Partial<Call> = {}): Call & { replayed(): boolean } {
  let wasReplayed = false;
  return {
    tenantId: testTenant(),
    caller: "gateway",
    interactionId: uuidv7(),
    signal: new AbortController().signal,
    log: silentLog,
    ...given,
    markReplayed: () => void (wasReplayed = true),
    replayed: () => wasReplayed,
  };
}
