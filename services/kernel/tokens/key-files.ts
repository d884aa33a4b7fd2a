import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { JSONWebKeySet, JWK } from "jose";

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** A private key from a JWK or a PEM file (PKCS #8). Throws naming the file, never its content. */
export async function readPrivateKey(file: string): Promise<JWK> {
  const text = await readText(file);
  if (!text.startsWith("-----BEGIN ")) return parseJson(file, text) as JWK;
  try {
    return createPrivateKey(text).export({ format: "jwk" }) as JWK;
  } catch {
    throw new Error(`${file}: not a private key`);
  }
}

/**
 * Public keys from a JWK set, or from PEM certificates, each of which speaks for its subject's
 * common name.
 */
export async function readKeySet(file: string): Promise<JSONWebKeySet> {
  const text = await readText(file);
  if (!text.startsWith("-----BEGIN ")) {
    const jwks = parseJson(file, text) as JSONWebKeySet;
    if (!Array.isArray(jwks.keys)) throw new Error(`${file}: not a JWK set`);
    return jwks;
  }
  // Signed by nobody that matters: the file is trusted as a whole, as a JWK set is.
  return { keys: (text.match(pemBlock) ?? []).map((pem) => publicKeyOf(file, pem)) };
}

function publicKeyOf(file: string, pem: string): JWK {
  try {
    const { subject, publicKey } = new X509Certificate(pem);
    const kid = /(?:^|\n)CN=(.+)/.exec(subject)?.[1];
    if (kid === undefined) throw new Error("a certificate has no common name");
    return { ...(publicKey.export({ format: "jwk" }) as JWK), kid, alg: "EdDSA", use: "sig" };
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : "not readable"}`, { cause: error });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    const { code = "not readable" } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw new Error(`${file}: ${code}`, { cause: error });
    throw new MissingKeyFile(file);
  }
}

/** Says what makes it: whoever starts a process by hand has none. */
class MissingKeyFile extends Error {
  override readonly name = "MissingKeyFile";
  readonly code = "ENOENT";

  constructor(file: string) {
    super(
      `${file} is not there: \`npm start\` makes what is missing of them (in .data/keys, or keys of DATA_DIR), ` +
        "on Kubernetes the chart's secrets job or cert-manager does (docs/operations/keys.md)",
    );
  }
}

function parseJson(file: string, text: string): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The parser's message may quote the key.
    throw new Error(`${file}: not JSON`);
  }
  if (typeof parsed !== "object" || parsed === null) throw new Error(`${file}: not a JSON object`);
  return parsed;
}
