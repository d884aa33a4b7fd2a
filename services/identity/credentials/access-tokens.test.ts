import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { makeAccessToken } from "./access-tokens.js";

// RFC 8037, appendix A.1: the key of all its examples (Ed25519).
const jwk = {
  kty: "OKP",
  crv: "Ed25519",
  d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
};
const privateKey = createPrivateKey({ key: jwk, format: "jwk" });
const publicKey = createPublicKey(privateKey);

test("RFC 8037, A.2: the public key of the private one", () => {
  expect(publicKey.export({ format: "jwk" })).toMatchObject({ kty: jwk.kty, crv: jwk.crv, x: jwk.x });
});

test("RFC 8037, A.3: the thumbprint, which is the id of a key", async () => {
  const { kty, crv, x } = jwk;
  await expect(calculateJwkThumbprint({ kty, crv, x })).resolves.toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
});

test("RFC 8037, A.4 and A.5: signing and verifying", () => {
  const signed = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc";
  const signature = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
  expect(sign(null, Buffer.from(signed), privateKey).toString("base64url")).toBe(signature);
  expect(verify(null, Buffer.from(signed), publicKey, Buffer.from(signature, "base64url"))).toBe(true);
});

describe("an access token", () => {
  const user = { userId: "u1", role: "CUSTOMER" as const };
  const parts = { tenantId: "demo", sessionId: "s1", tokenId: "j1", issuedAt: new Date(1_700_000_000_123) };
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Record<string, unknown>;
  const key = { keyId: "k1", key: privateKey };

  test("says to the millisecond when it was issued, and lives an hour", () => {
    expect(claimsOf(makeAccessToken(key, user, parts))).toMatchObject({
      iat: 1_700_000_000.123,
      exp: 1_700_003_600.123,
    });
  });

  test("is the same for the same arguments, and signed by its key", () => {
    const token = makeAccessToken(key, user, parts);
    expect(makeAccessToken(key, user, parts)).toBe(token);
    const [header, claims, signature] = token.split(".");
    const signed = Buffer.from(`${header}.${claims}`);
    expect(verify(null, signed, publicKey, Buffer.from(signature!, "base64url"))).toBe(true);
  });

  test("carries scopes only where an API token stands behind it", () => {
    expect(claimsOf(makeAccessToken(key, user, parts))).not.toHaveProperty("scope");
    const limited = makeAccessToken(key, user, { ...parts, lifetimeS: 300, scopes: ["a", "b"] });
    expect(claimsOf(limited)).toMatchObject({ scope: "a b", exp: 1_700_000_300.123 });
  });
});
