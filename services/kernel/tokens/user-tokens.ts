import type { JSONWebKeySet } from "jose";
import { systemClock, type Clock } from "../time/clock.js";
import type { OutgoingContext } from "../grpc/client.js";
import type { Role, UserPrincipal } from "../grpc/context.js";
import { Refusal } from "../refusal.js";
import { createJwksSource } from "./jwks-source.js";
import type { RevocationChecker } from "../grpc/revocations.js";
import { checkTimes, createSignedClaimsReader, unauthenticated, type Claims } from "./signed-claims.js";

export const accessTokenIssuer = "manilla";

/**
 * The one scope of who signed in with a password that others chose: it is changed first. No API
 * token can have it.
 */
export const passwordChangeScope = "password:change";

export interface VerifiedUser extends UserPrincipal {
  issuedAt: Date;
  expiresAt: Date;
  jti: string;
}

export interface UserTokenOptions {
  /** The tenant that the token must be of. */
  tenantId?: string;
  /** For a refresh, which an access token may accompany that is past its time. */
  allowExpired?: boolean;
  /** Carries interaction id, deadline and signal to identity, should it have to be asked. */
  call?: OutgoingContext;
}

/**
 * The user of an access token; UNAUTHENTICATED, TOKEN_EXPIRED, TOKEN_REVOKED, or UNAVAILABLE when
 * nobody can say.
 */
export type UserTokenVerifier = (token: string, options?: UserTokenOptions) => Promise<VerifiedUser>;

/**
 * Verifies access tokens locally by identity's keys. Signatures are remembered, revocations are
 * looked up each time.
 */
export function createUserTokenVerifier(options: {
  jwks: () => Promise<JSONWebKeySet>;
  revocations: RevocationChecker;
  clock?: Clock;
}): UserTokenVerifier {
  const { jwks, revocations, clock = systemClock } = options;
  const nowMs = (): number => clock.now().getTime();
  const readClaims = createSignedClaimsReader(createJwksSource(jwks, nowMs));

  return async (token, { tenantId, allowExpired = false, call } = {}) => {
    const { claims } = await readClaims(token);
    const user = userOf(claims, checkTimes(claims, nowMs(), allowExpired));
    if (tenantId !== undefined && user.tenantId !== tenantId) throw unauthenticated();
    if (await revocations(user, call)) throw new Refusal("TOKEN_REVOKED", "the token has been revoked");
    return user;
  };
}

const roles: ReadonlySet<unknown> = new Set<Role>(["MANAGER", "AGENT", "CASHIER", "CUSTOMER"]);

function userOf(claims: Claims, times: { issuedAtMs: number; expiresAtMs: number }): VerifiedUser {
  const { iss, role } = claims;
  if (iss !== accessTokenIssuer || !roles.has(role)) throw unauthenticated();
  const customerId = claims["customer_id"] === undefined ? undefined : textOf(claims, "customer_id");
  // A customer's token without a customer would pass checks that compare two absent ids.
  if ((role === "CUSTOMER") !== (customerId !== undefined)) throw unauthenticated();
  return {
    userId: textOf(claims, "sub"),
    role: role as Role,
    tenantId: textOf(claims, "aud"),
    sessionId: textOf(claims, "sid"),
    jti: textOf(claims, "jti"),
    issuedAt: new Date(times.issuedAtMs),
    expiresAt: new Date(times.expiresAtMs),
    ...(customerId === undefined ? {} : { customerId }),
    // An empty scope is a scope that allows nothing.
    ...(claims["scope"] === undefined ? {} : { scopes: scopesOf(claims["scope"]) }),
  };
}

function scopesOf(scope: unknown): readonly string[] {
  if (typeof scope !== "string") throw unauthenticated();
  return scope.split(" ").filter((part) => part !== "");
}

function textOf(claims: Claims, name: string): string {
  const value = claims[name];
  if (typeof value !== "string" || value === "") throw unauthenticated();
  return value;
}
