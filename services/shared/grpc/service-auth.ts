import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { JSONWebKeySet } from "jose";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { createRevocationChecker } from "../tokens/revocations.js";
import {
  createServiceTokenSigner,
  createServiceTokenVerifier,
  type ServiceKeys,
  type ServiceTokenSigner,
  type ServiceTokenVerifier,
} from "../tokens/service-tokens.js";
import { createUserTokenVerifier, type UserTokenVerifier } from "../tokens/user-tokens.js";
import { createClient, outgoing, type Client } from "./client.js";
import type { ServiceName } from "./context.js";

export interface ServiceAuth {
  signer: ServiceTokenSigner;
  verifyServiceToken: ServiceTokenVerifier;
  verifyUserToken: UserTokenVerifier;
  identity: Client<IdentityServiceDefinition>;
  close(): void;
}

/** Wires tokens, revocations and identity's client for every process but identity itself. */
export function createServiceAuth(options: {
  service: ServiceName;
  keys: ServiceKeys;
  redis: Pick<Redis, "mget">;
  identityAddress: string;
}): ServiceAuth {
  const { service, keys, redis, identityAddress } = options;
  const signer = createServiceTokenSigner({ service, privateJwk: keys.privateJwk, tls: keys.tls });
  const identity = createClient(IdentityServiceDefinition, { address: identityAddress, audience: "identity", signer });

  async function fetchKeySet(): Promise<JSONWebKeySet> {
    const { jwksJson } = await identity.getJwks(
      {},
      outgoing({ tenantId: "", interactionId: randomUUID() }, { timeoutMs: 3_000 }),
    );
    return JSON.parse(jwksJson) as JSONWebKeySet;
  }

  return {
    signer,
    verifyServiceToken: createServiceTokenVerifier({ self: service, jwks: keys.jwks }),
    verifyUserToken: createUserTokenVerifier({
      jwks: fetchKeySet,
      revocations: createRevocationChecker({ redis, identity }),
    }),
    identity,
    close: () => identity.close(),
  };
}
