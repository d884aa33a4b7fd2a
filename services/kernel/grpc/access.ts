import type { CallContext } from "nice-grpc";
import { Refusal } from "../refusal.js";
import { ClocksDiffer, type ServiceTokenVerifier } from "../tokens/service-tokens.js";
import type { UserTokenVerifier } from "../tokens/user-tokens.js";
import type { OutgoingContext } from "./client.js";
import type { Role, ServiceName, UserPrincipal } from "./context.js";
import { metadataNames } from "./metadata.js";
import type { Tls } from "../tokens/tls.js";
import { warmUpCaller, warmUpTenantId } from "../process/warm-up-tenant.js";

/** Who may call an rpc. */
export interface RpcAccess {
  /** Services that may call it; "operator" where the seed or an operator's tools may. */
  callers: readonly ServiceName[];
  /**
   * Whether a user must, may or cannot ride along. With "none" (the default) a user's token is
   * ignored.
   */
  user?: "required" | "optional" | "none";
  /** Roles that a user who rides along must be one of; every role when absent. */
  roles?: readonly Role[];
  /**
   * Callers that `user` and `roles` are about, where others of the row come without a user: a token
   * that theirs carry along is ignored. All of them when absent.
   */
  usersOf?: readonly ServiceName[];
  /** "none" for what stands above tenants. */
  tenant?: "required" | "none";
}

export interface Verifiers {
  verifyServiceToken: ServiceTokenVerifier;
  /** Needed where an rpc lets a user ride along. */
  verifyUserToken?: UserTokenVerifier | undefined;
  /** Where calls come over mutual TLS: the certificate must then name the service of the token. */
  tls?: Tls | undefined;
  /**
   * The service itself while it warms up: it may then call all its rpcs, for the reserved tenant
   * alone.
   */
  warmingUp?: (() => ServiceName | undefined) | undefined;
}

/** Who calls, once all of it is verified. */
export interface Admitted {
  readonly caller: ServiceName;
  readonly tenantId: string;
  readonly user?: UserPrincipal;
  readonly userToken?: string;
}

const tenantIdForm = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The calling service did not prove who it is. That is a fault of ours or an intruder's doing,
 * never the user's: it travels without a refusal, so that no service in between hands it to a user
 * as their own 401.
 */
export class UnprovenCaller extends Error {
  override readonly name = "UnprovenCaller";
}

/**
 * Admits a call by its access row, or refuses it: 401 for the user's token, 403 for who may not,
 * 400 for no tenant.
 */
export async function admit(
  access: RpcAccess,
  metadata: CallContext["metadata"],
  verifiers: Verifiers,
  call: Omit<OutgoingContext, "tenantId" | "userToken">,
): Promise<Admitted> {
  const caller = await callerOf(metadata.get(metadataNames.authorization), verifiers.verifyServiceToken);
  // A stolen token is worth nothing without its service's certificate, nor a certificate without
  // its token.
  if (verifiers.tls !== undefined && metadata.get(metadataNames.peer) !== caller) {
    throw new UnprovenCaller("the certificate is not that of the service token's issuer");
  }
  if (metadata.get(metadataNames.tenantId) === warmUpTenantId && caller === verifiers.warmingUp?.()) {
    return warmUpCaller(access);
  }
  if (!access.callers.includes(caller)) {
    throw new Refusal("CALLER_NOT_ALLOWED", `${caller} may not call this`);
  }
  const tenantId = access.tenant === "none" ? "" : tenantOf(metadata.get(metadataNames.tenantId));
  const bringsUser = access.usersOf?.includes(caller) ?? true;
  const mode = bringsUser ? (access.user ?? "none") : "none";
  const userToken = mode === "none" ? undefined : metadata.get(metadataNames.userToken);
  if (userToken === undefined) {
    if (mode === "required") throw new Refusal("UNAUTHENTICATED", "a user's access token is required");
    return { caller, tenantId };
  }
  if (verifiers.verifyUserToken === undefined) throw new Error("this server was given no verifier of user tokens");
  const verified = await verifiers.verifyUserToken(userToken, {
    ...(access.tenant === "none" ? {} : { tenantId }),
    call: { ...call, tenantId },
  });
  if (access.roles !== undefined && !access.roles.includes(verified.role)) {
    throw new Refusal("FORBIDDEN", "the user's role does not allow this");
  }
  const { userId, role, sessionId, customerId, scopes } = verified;
  const user = {
    userId,
    role,
    sessionId,
    tenantId: verified.tenantId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(scopes === undefined ? {} : { scopes }),
  };
  return { caller, tenantId, userToken, user };
}

async function callerOf(authorization: string | undefined, verify: ServiceTokenVerifier): Promise<ServiceName> {
  const token = authorization === undefined ? undefined : /^Bearer ([\w.-]+)$/.exec(authorization)?.[1];
  if (token === undefined) throw new UnprovenCaller("a service token is required");
  try {
    return await verify(token);
  } catch (error) {
    if (!(error instanceof Refusal) || error instanceof ClocksDiffer) throw error;
    throw new UnprovenCaller("not a service token");
  }
}

function tenantOf(value: string | undefined): string {
  if (value === undefined || value === "") throw new Refusal("HEADER_REQUIRED", "x-tenant-id is required");
  if (!tenantIdForm.test(value)) throw new Refusal("HEADER_INVALID", "x-tenant-id is not a tenant id");
  return value;
}
