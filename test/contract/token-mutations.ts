import { createHmac, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** A right token taken apart, and what is needed to make wrong ones of it. */
export interface Genuine {
  token: string;
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** Public key of the signing key, as it is published. */
  publicJwk: { x?: string };
  publicPem: string;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signedBy(key: KeyObject, header: object, claims: object): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${sign(null, Buffer.from(input), key).toString("base64url")}`;
}

function hmacOf(algorithm: string, secret: string | Buffer, header: object, claims: object): string {
  const input = `${encode({ ...header, alg: `HS${algorithm}` })}.${encode(claims)}`;
  return `${input}.${createHmac(`sha${algorithm}`, secret).update(input).digest("base64url")}`;
}

const flipped = (text: string, at: number) => text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The last letter of a signature has four bits that decoders ignore. */
function respelt(token: string): string {
  return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1)!) ^ 1];
}

export type HeaderSet = Record<string, string | string[]>;

/**
 * Headers with wrong tokens, by name. `resign` signs claims with the genuine key, for tokens that
 * are whole and still not good: it is how a leaked or misused signer would look.
 */
export async function mutationsOf(
  { token, header, claims, publicJwk, publicPem }: Genuine,
  resign: (header: Record<string, unknown>, claims: Record<string, unknown>) => Promise<string>,
): Promise<Record<string, HeaderSet>> {
  const [head = "", body = "", signature = ""] = token.split(".");
  const foreign = generateKeyPairSync("ed25519").privateKey;
  const now = Math.floor(Date.now() / 1_000);
  const own = (value: string): HeaderSet => ({ "X-Auth-Token": value });
  const signed = async (changes: Record<string, unknown>) => own(await resign(header, { ...claims, ...changes }));
  return {
    "alg none without signature": own(`${encode({ ...header, alg: "none" })}.${body}.`),
    "alg None": own(`${encode({ ...header, alg: "None" })}.${body}.`),
    "alg NONE with the old signature": own(`${encode({ ...header, alg: "NONE" })}.${body}.${signature}`),
    "alg empty": own(`${encode({ ...header, alg: "" })}.${body}.${signature}`),
    "alg left out": own(`${encode({ kid: header["kid"] })}.${body}.${signature}`),
    "HS256 with the public key's PEM": own(hmacOf("256", publicPem, header, claims)),
    "HS256 with the public key's x": own(hmacOf("256", publicJwk.x ?? "", header, claims)),
    "HS256 with the public key's bytes": own(
      hmacOf("256", Buffer.from(publicJwk.x ?? "", "base64url"), header, claims),
    ),
    "HS256 with nothing": own(hmacOf("256", "", header, claims)),
    "HS512 with the public key's PEM": own(hmacOf("512", publicPem, header, claims)),
    "another key under the right kid": own(signedBy(foreign, header, claims)),
    "another key under a foreign kid": own(signedBy(foreign, { ...header, kid: "mine" }, claims)),
    "a foreign kid over the right signature": own(`${encode({ ...header, kid: "mine" })}.${body}.${signature}`),
    "a kid that is a path": own(signedBy(foreign, { ...header, kid: "../../../dev/null" }, claims)),
    "a kid that is a number": own(`${encode({ ...header, kid: 1 })}.${body}.${signature}`),
    "no kid": own(signedBy(foreign, { alg: "EdDSA" }, claims)),
    "a key brought along (jwk)": own(
      signedBy(foreign, { ...header, jwk: { kty: "OKP", crv: "Ed25519", x: publicJwk.x } }, claims),
    ),
    "a key to fetch (jku)": own(signedBy(foreign, { ...header, jku: "https://evil.test/jwks.json" }, claims)),
    "an unknown critical header": own(await resign({ ...header, crit: ["exp2"], exp2: 1 }, claims)),
    "role raised without signing": own(`${head}.${encode({ ...claims, role: "MANAGER" })}.${signature}`),
    "tenant changed without signing": own(`${head}.${encode({ ...claims, aud: "other" })}.${signature}`),
    "expiry moved without signing": own(`${head}.${encode({ ...claims, exp: now + 1_000_000 })}.${signature}`),
    "signature of another body": own(`${head}.${encode({ ...claims, sub: "somebody" })}.${signature}`),
    "one letter of the signature changed": own(`${head}.${body}.${flipped(signature, 10)}`),
    "one letter of the body changed": own(`${head}.${flipped(body, 20)}.${signature}`),
    "one letter of the header changed": own(`${flipped(head, 5)}.${body}.${signature}`),
    "signature cut off": own(`${head}.${body}`),
    "signature empty": own(`${head}.${body}.`),
    "cut in the middle": own(token.slice(0, token.length / 2)),
    "a part too many": own(`${token}.${signature}`),
    padding: own(`${token}==`),
    "another spelling of the same signature": own(respelt(token)),
    "audience of another tenant": await signed({ aud: "other" }),
    "audience left out": await signed({ aud: undefined }),
    "audience of several tenants": await signed({ aud: ["demo", "other"] }),
    "another issuer": await signed({ iss: "somebody" }),
    expired: await signed({ iat: now - 7_200, exp: now - 3_600 }),
    "not valid yet": await signed({ nbf: now + 3_600 }),
    "issued in the future": await signed({ iat: now + 3_600, exp: now + 7_200 }),
    "no expiry": await signed({ exp: undefined }),
    "expiry that is text": await signed({ exp: "9999999999" }),
    "an unknown role": await signed({ role: "OPERATOR" }),
    "no role": await signed({ role: undefined }),
    "no subject": await signed({ sub: "" }),
    "no session": await signed({ sid: undefined }),
    "a customer without customer": await signed({ role: "CUSTOMER", customer_id: undefined }),
    "two different tokens in one header": { "X-Auth-Token": [token, signedBy(foreign, header, claims)] },
    "a right one and a wrong one in two headers": {
      "X-Auth-Token": token,
      Authorization: `Bearer ${signedBy(foreign, header, claims)}`,
    },
    "two tokens with a comma": own(`${token},${token}`),
    Basic: { Authorization: `Basic ${Buffer.from("amina:password").toString("base64")}` },
    "Bearer without token": { Authorization: "Bearer" },
    "Bearer with two tokens": { Authorization: `Bearer ${token} ${token}` },
    "a service's token": own(await resign({ ...header, kid: "gateway" }, { ...claims, iss: "gateway", aud: "wallet" })),
    empty: own(""),
    "no token at all": own("eyJhbGciOiJFZERTQSJ9"),
    "very long": own(`${head}.${body}${"A".repeat(5_000)}.${signature}`),
  };
}
