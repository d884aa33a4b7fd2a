import type { Logger } from "pino";
import { Refusal } from "../refusal.js";
import type { Role } from "./role.js";

export type ServiceName =
  | "gateway"
  | "identity"
  | "compliance"
  | "remittance"
  | "wallet"
  | "lending"
  | "investment"
  | "ledger"
  | "events"
  | "operator";

export type { Role } from "./role.js";

/** The person a call is made for, from their verified access token. */
export interface UserPrincipal {
  userId: string;
  role: Role;
  tenantId: string;
  /** Only for CUSTOMER. */
  customerId?: string;
  sessionId: string;
  /**
   * What an API token, or who must change their password, is limited to. The edge checks the
   * operation by it; what it may be shown is the service's affair. Absent for others who logged in.
   */
  scopes?: readonly string[];
}

/**
 * Who calls, for whom, and until when. A handler gets one per call and passes it on with
 * `outgoing(call)`.
 */
export interface Call {
  /** Empty for rpcs that stand above tenants (`tenant: "none"`). */
  readonly tenantId: string;
  /** The calling service, from its verified token. */
  readonly caller: ServiceName;
  readonly user?: UserPrincipal;
  readonly interactionId: string;
  /** Aborted when the caller cancels or the deadline passes. */
  readonly signal: AbortSignal;
  readonly deadline?: Date;
  /** The user's access token, to ride along on further calls. */
  readonly userToken?: string;
  /** Carries rpc, tenant, caller and interaction id. */
  readonly log: Logger;
  /** Says in the answer's header that this is the stored answer of an earlier call. */
  markReplayed(): void;
}

/** The user of the call; UNAUTHENTICATED where none rides along. */
export function requireUser(call: Pick<Call, "user">): UserPrincipal {
  if (call.user === undefined) throw new Refusal("UNAUTHENTICATED", "a user's access token is required");
  return call.user;
}

/**
 * Who is written down as the cause: the user's id, or the calling service's name where no user
 * rides along.
 */
export function actorOf(call: Pick<Call, "user" | "caller">): string {
  return call.user?.userId ?? call.caller;
}
