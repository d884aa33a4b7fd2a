import { v7 as uuidv7 } from "uuid";
import type { Call, Role, ServiceName, UserPrincipal } from "../../services/shared/grpc/context.js";
import { makeServiceKeys } from "../../services/shared/tokens/service-tokens.js";
import { silentLog, testTenant } from "./index.js";

const everyService = [
  "gateway",
  "identity",
  "compliance",
  "remittance",
  "wallet",
  "lending",
  "investment",
  "ledger",
  "operator",
] as const satisfies ServiceName[];

/** Fresh keys of every service: each one's private key, and the key set that all of them know. */
export function testServiceKeys() {
  return makeServiceKeys([...everyService]);
}

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
    answerIn: () => undefined,
    ...given,
    markReplayed: () => void (wasReplayed = true),
    replayed: () => wasReplayed,
  };
}

/** A user of a tenant; a CUSTOMER has a customer id. */
export function testUser(tenantId: string, role: Role = "CUSTOMER"): UserPrincipal {
  const base = { userId: uuidv7(), role, tenantId, sessionId: uuidv7() };
  return role === "CUSTOMER" ? { ...base, customerId: uuidv7() } : base;
}
