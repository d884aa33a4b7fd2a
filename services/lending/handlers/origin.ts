import { actorOf, type Call } from "../../shared/grpc/context.js";
import type { Cause } from "../sagas/loan-book.js";

/** The cause of a change that a call asks for. */
export function causeOf(call: Call, kind: string, description: string): Cause {
  return { kind, description, interactionId: call.interactionId, createdBy: actorOf(call) };
}
