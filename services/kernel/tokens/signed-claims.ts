import { hash } from "node:crypto";
import { compactVerify, decodeProtectedHeader, errors, importJWK, type JSONWebKeySet, type JWK } from "jose";
import { Refusal } from "../refusal.js";
import { createBoundedCache } from "../caching/bounded-cache.js";

export type VerifyingKey = CryptoKey;
export type Claims = Readonly<Record<string, unknown>>;
/** Keys that may have signed a token with this `kid`; none where it is unknown. */
export type KeysOf = (kid: string) => Promise<readonly VerifyingKey[]>;

const leewayMs = 5_000;
const maxTokenCharacters = 4_096;
const maxEntries = 5_000;

interface Verified {
  readonly kid: string;
  readonly key: VerifyingKey;
  readonly claims: Claims;
}

/**
 * Claims of a compact JWS signed with EdDSA, and its kid; UNAUTHENTICATED where the signature does
 * not hold. A signature is checked once: what held is kept by the token's hash, as long as its key
 * is still among the known. Times, audience and revocation are the caller's to check, each time.
 */
export function createSignedClaimsReader(keysOf: KeysOf): (token: string) => Promise<{ kid: string; claims: Claims }> {
  const verified = createBoundedCache<Verified>(maxEntries);
  return async (token) => {
    if (token.length > maxTokenCharacters) throw unauthenticated();
    const digest = hash("sha256", token, "base64url");
    const known = verified.get(digest);
    if (known !== undefined) {
      if ((await keysOf(known.kid)).includes(known.key)) return known;
      verified.delete(digest);
    }
    const fresh = await checkSignature(token, keysOf);
    verified.set(digest, fresh);
    return fresh;
  };
}

async function checkSignature(token: string, keysOf: KeysOf): Promise<Verified> {
  if (!isCompact(token)) throw unauthenticated();
  const kid = kidOf(token);
  for (const key of await keysOf(kid)) {
    try {
      const { payload } = await compactVerify(token, key, { algorithms: ["EdDSA"] });
      return { kid, key, claims: claimsOf(payload) };
    } catch (error) {
      // Another key of the same kid may fit: during a rotation there are two.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw unauthenticated();
    }
  }
  throw unauthenticated();
}

/** Decoders take padding and stray bits; a token has one spelling only. */
function isCompact(token: string): boolean {
  const parts = token.split(".");
  return parts.length === 3 && parts.every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
}

function kidOf(token: string): string {
  let kid: unknown;
  try {
    ({ kid } = decodeProtectedHeader(token));
  } catch {
    throw unauthenticated();
  }
  if (typeof kid !== "string") throw unauthenticated();
  return kid;
}

function claimsOf(payload: Uint8Array): Claims {
  const claims: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
  if (typeof claims !== "object" || claims === null || Array.isArray(claims)) throw unauthenticated();
  return claims as Claims;
}

export interface TokenTimes {
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * Checks iat, nbf and exp (RFC 7519 §4.1) with 5 s of leeway; TOKEN_EXPIRED when only exp has
 * passed.
 */
export function checkTimes(claims: Claims, nowMs: number, allowExpired = false): TokenTimes {
  const { iat, exp, nbf } = claims;
  if (!isTime(iat) || !isTime(exp)) throw unauthenticated();
  if (nbf !== undefined && !isTime(nbf)) throw unauthenticated();
  if (iat * 1_000 > nowMs + leewayMs || (nbf !== undefined && nbf * 1_000 > nowMs + leewayMs)) throw unauthenticated();
  if (!allowExpired && exp * 1_000 <= nowMs - leewayMs) throw new Refusal("TOKEN_EXPIRED", "the token has expired");
  return { issuedAtMs: Math.round(iat * 1_000), expiresAtMs: Math.round(exp * 1_000) };
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}

/** Keys by kid. Throws on a key that is no public Ed25519 key with a kid. */
export async function importKeySet(jwks: JSONWebKeySet): Promise<ReadonlyMap<string, readonly VerifyingKey[]>> {
  const keys = new Map<string, VerifyingKey[]>();
  for (const jwk of jwks.keys) {
    if (typeof jwk.kid !== "string" || jwk.kid === "") throw new Error("a key of the key set has no kid");
    if (!isEd25519(jwk)) throw new Error(`key ${jwk.kid} is no Ed25519 key`);
    if (jwk.d !== undefined) throw new Error(`key ${jwk.kid} of the public key set holds its private part`);
    const key = (await importJWK({ kty: "OKP", crv: "Ed25519", x: jwk.x ?? "" }, "EdDSA")) as VerifyingKey;
    keys.set(jwk.kid, [...(keys.get(jwk.kid) ?? []), key]);
  }
  return keys;
}

export function isEd25519(jwk: JWK): boolean {
  return jwk.kty === "OKP" && jwk.crv === "Ed25519" && typeof jwk.x === "string";
}

export function unauthenticated(): Refusal {
  return new Refusal("UNAUTHENTICATED", "the token is not valid");
}
