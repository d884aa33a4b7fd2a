import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from "jose";
import type { ServiceName } from "../grpc/context.js";

/** New keys for the named services: each private one, and all public ones as a set. */
export async function makeServiceKeys<Name extends ServiceName>(
  names: readonly Name[],
): Promise<{ private: Record<Name, JWK>; jwks: JSONWebKeySet }> {
  const privateJwks = {} as Record<Name, JWK>;
  const keys: JWK[] = [];
  for (const name of names) {
    const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
    const described = { kid: name, alg: "EdDSA", use: "sig" };
    privateJwks[name] = { ...(await exportJWK(privateKey)), ...described };
    keys.push({ ...(await exportJWK(publicKey)), ...described });
  }
  return { private: privateJwks, jwks: { keys } };
}
