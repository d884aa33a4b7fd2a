import { SignJWT, importJWK, type JSONWebKeySet, type JWK } from "jose";
import type { ServiceName } from "../grpc/context.js";
import { loadTls, type Tls, type TlsOptions } from "./tls.js";
import { readKeySet, readPrivateKey } from "./key-files.js";
import { Refusal } from "../refusal.js";
import {
  checkTimes,
  createSignedClaimsReader,
  importKeySet,
  isEd25519,
  unauthenticated,
  type Claims,
  type TokenTimes,
} from "./signed-claims.js";

const lifetimeS = 60;

/** Gives the token this service presents to `audience`. */
export interface ServiceTokenSigner {
  readonly service: ServiceName;
  /** The certificate that goes with the token where calls are made over mutual TLS. */
  readonly tls?: Tls | undefined;
  tokenFor(audience: ServiceName): Promise<string>;
}

/**
 * The service that a token speaks for; UNAUTHENTICATED, or UNAVAILABLE where its
 * clock is another (ClocksDiffer).
 */
export type ServiceTokenVerifier = (token: string) => Promise<ServiceName>;

export interface ServiceKeys {
  readonly privateJwk: JWK;
  /** Public keys of all services; each one's kid is the service's name. */
  readonly jwks: JSONWebKeySet;
  /** Its certificate and whom it trusts; absent where services speak in plain text. */
  readonly tls?: Tls | undefined;
}

/** Signs Ed25519 tokens of 60 s, one per audience, made anew at half of their life. */
export function createServiceTokenSigner(options: {
  service: ServiceName;
  privateJwk: JWK;
  tls?: Tls | undefined;
  now?: () => number;
}): ServiceTokenSigner {
  const { service, privateJwk, tls, now = Date.now } = options;
  const key = importJWK(privateJwk, "EdDSA");
  // The first who signs sees the fault; nobody else is left with an unhandled rejection.
  key.catch(() => undefined);
  const tokens = new Map<ServiceName, { token: Promise<string>; freshUntilMs: number }>();

  async function sign(audience: ServiceName, nowMs: number): Promise<string> {
    const issuedAtS = Math.floor(nowMs / 1_000);
    return new SignJWT()
      .setProtectedHeader({ alg: "EdDSA", kid: service, typ: "JWT" })
      .setIssuer(service)
      .setAudience(audience)
      .setIssuedAt(issuedAtS)
      .setExpirationTime(issuedAtS + lifetimeS)
      .sign(await key);
  }

  return {
    service,
    tls,
    tokenFor(audience) {
      const nowMs = now();
      const cached = tokens.get(audience);
      if (cached !== undefined && nowMs < cached.freshUntilMs) return cached.token;
      const token = sign(audience, nowMs);
      tokens.set(audience, { token, freshUntilMs: nowMs + (lifetimeS * 1_000) / 2 });
      token.catch(() => tokens.delete(audience));
      return token;
    },
  };
}

/** Accepts tokens for `self` whose issuer is the service that owns the signing key. */
export function createServiceTokenVerifier(options: {
  self: ServiceName;
  jwks: JSONWebKeySet;
  now?: () => number;
}): ServiceTokenVerifier {
  const { self, jwks, now = Date.now } = options;
  const keys = importKeySet(jwks);
  keys.catch(() => undefined);
  const readClaims = createSignedClaimsReader(async (kid) => (await keys).get(kid) ?? []);

  return async (token) => {
    const { kid, claims } = await readClaims(token);
    // One audience exactly: a token that fits several could be carried on by whom it was shown to.
    if (claims["iss"] !== kid || claims["aud"] !== self) throw unauthenticated();
    const { issuedAtMs, expiresAtMs } = timesOf(claims, now(), kid as ServiceName);
    if (expiresAtMs - issuedAtMs > lifetimeS * 1_000) throw unauthenticated();
    return kid as ServiceName;
  };
}

/**
 * A service signs for the next minute, so that one of its tokens that is no longer or not yet good
 * comes of a clock. Throws ClocksDiffer, and UNAUTHENTICATED where the times are none.
 */
function timesOf(claims: Claims, nowMs: number, caller: ServiceName): TokenTimes {
  const { iat, exp, nbf } = claims;
  try {
    return checkTimes(claims, nowMs);
  } catch (error) {
    const isOurs = typeof iat === "number" && typeof exp === "number" && exp - iat <= lifetimeS && nbf === undefined;
    if (!isOurs) throw error;
    throw new ClocksDiffer(caller, Math.round(nowMs / 1_000 - iat));
  }
}

/**
 * The caller's clock and ours are apart: nothing can be said of the call, and it may be repeated.
 */
export class ClocksDiffer extends Refusal {
  readonly caller: ServiceName;
  /** Above zero where the caller's clock is behind ours. */
  readonly behindS: number;

  constructor(caller: ServiceName, behindS: number) {
    const apart = `${Math.abs(behindS)} s ${behindS > 0 ? "behind" : "ahead of"}`;
    super("UNAVAILABLE", `the clock of ${caller} is ${apart} that of the service that it calls`, { retryAfterS: 5 });
    this.caller = caller;
    this.behindS = behindS;
  }
}

export interface ServiceKeyFiles {
  /** JWK, or PEM (PKCS #8). */
  keyFile: string;
  /**
   * JWK set, or PEM certificates whose common name is the service. A service may have several keys.
   */
  jwksFile: string;
  /** Its certificate, where services speak over mutual TLS. */
  tls?: TlsOptions | undefined;
}

/**
 * Reads a service's private key, everybody's public keys and its certificate; throws naming the
 * file that is at fault.
 */
export async function loadServiceKeys({ keyFile, jwksFile, tls }: ServiceKeyFiles): Promise<ServiceKeys> {
  const privateJwk = await readPrivateKey(keyFile);
  if (!isEd25519(privateJwk) || typeof privateJwk.d !== "string") {
    throw new Error(`${keyFile}: not a private Ed25519 key`);
  }
  const jwks = await readKeySet(jwksFile);
  await importKeySet(jwks).catch((error: unknown) => {
    throw new Error(`${jwksFile}: ${error instanceof Error ? error.message : "not readable"}`, { cause: error });
  });
  const own = jwks.keys.find(({ kid, x }) => x === privateJwk.x && (privateJwk.kid ?? kid) === kid);
  if (own === undefined) throw new Error(`${jwksFile}: has no public key that fits ${keyFile}`);
  return { privateJwk, jwks, tls: tls === undefined ? undefined : await loadTls(tls) };
}
