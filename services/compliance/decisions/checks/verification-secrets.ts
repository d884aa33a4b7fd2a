import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { JWK } from "jose";

export type Secrets = ReturnType<typeof createSecrets>;

/** Codes and link tokens, made with a key that only this service has: nothing secret is stored. */
export function createSecrets({ d }: JWK) {
  if (d === undefined) throw new Error("the service's private key is needed");
  const key = Buffer.from(hkdfSync("sha256", Buffer.from(d, "base64url"), "", "compliance verification 1", 32));
  const mac = (...parts: string[]) => createHmac("sha256", key).update(parts.join("\0")).digest();
  const isEqual = (a: string, b: string) => timingSafeEqual(mac("equal", a), mac("equal", b));
  const code = (tenantId: string, id: string) =>
    String(mac("code", tenantId, id).readUIntBE(0, 6) % 1_000_000).padStart(6, "0");
  const tokenMac = (tenantId: string, id: string) => mac("link", tenantId, id).subarray(0, 24).toString("base64url");
  return {
    /** Six digits. */
    code,
    isCode: (tenantId: string, id: string, given: string) => isEqual(given, code(tenantId, id)),
    token: (tenantId: string, id: string) => `${id}.${tokenMac(tenantId, id)}`,
    /** The verification that a token was made for; undefined for any other text. */
    idOfToken(tenantId: string, token: string): string | undefined {
      const [id = "", given = ""] = token.split(".");
      return id !== "" && isEqual(given, tokenMac(tenantId, id)) ? id : undefined;
    },
    contactDigest: (tenantId: string, contact: string) => mac("contact", tenantId, contact).toString("base64url"),
  };
}
