import { sign, type KeyObject } from "node:crypto";
import { accessTokenIssuer } from "../../kernel/tokens/user-tokens.js";
import type { UserRecord } from "../domain/people.js";

/** §8 of the contract. */
export const accessTokenLifetimeS = 3_600;

export interface AccessTokenParts {
  tenantId: string;
  sessionId: string;
  tokenId: string;
  issuedAt: Date;
  lifetimeS?: number;
  /** What an API token is limited to; absent where the role alone decides. */
  scopes?: readonly string[];
}

/** A JWT (RFC 7519) signed with Ed25519 (RFC 8037). The same arguments give the same token. */
export function makeAccessToken(
  { keyId, key }: { keyId: string; key: KeyObject },
  user: Pick<UserRecord, "userId" | "role" | "customer">,
  { tenantId, sessionId, tokenId, issuedAt, lifetimeS = accessTokenLifetimeS, scopes }: AccessTokenParts,
): string {
  // Milliseconds (a NumericDate may have a fraction) tell a log-in before a revocation from one
  // after it in the same second.
  const issuedAtS = issuedAt.getTime() / 1_000;
  const header = { alg: "EdDSA", typ: "JWT", kid: keyId };
  const claims = {
    iss: accessTokenIssuer,
    aud: tenantId,
    sub: user.userId,
    sid: sessionId,
    jti: tokenId,
    role: user.role,
    ...(user.customer === undefined ? {} : { customer_id: user.customer.id }),
    iat: issuedAtS,
    exp: (issuedAt.getTime() + lifetimeS * 1_000) / 1_000,
    ...(scopes === undefined ? {} : { scope: scopes.join(" ") }),
  };
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

function part(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString("base64url");
}
