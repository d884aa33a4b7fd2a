import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { JSONWebKeySet } from "jose";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { createRevocationChecker } from "./revocations.js";
import {
  createServiceTokenSigner,
  createServiceTokenVerifier,
  type ServiceKeys,
  type ServiceTokenSigner,
  type ServiceTokenVerifier,
} from "../tokens/service-tokens.js";
import { createUserTokenVerifier, type UserTokenVerifier } from "../tokens/user-tokens.js";
import { createClient, outgoing, type BatchingClient } from "./client.js";
import type { ServiceName } from "./context.js";

const maxWaitS = 20;

export interface ServiceAuth {
  signer: ServiceTokenSigner;
  verifyServiceToken: ServiceTokenVerifier;
  verifyUserToken: UserTokenVerifier;
  identity: BatchingClient<IdentityServiceDefinition>;
  /**
   * Resolves when identity has answered, and after `waitS` (at most 20) whatever has happened: a
   * process that takes calls before the network lets it through answers its first callers with
   * time-outs.
   */
  reachIdentity(waitS: number | undefined): Promise<void>;
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

  async function reachIdentity(waitS = 0): Promise<void> {
    const giveUpAt = performance.now() + Math.min(waitS, maxWaitS) * 1_000;
    while (performance.now() < giveUpAt) {
      try {
        await fetchKeySet();
        return;
      } catch {
        await sleep(200);
      }
    }
  }

  return {
    signer,
    reachIdentity,
    verifyServiceToken: createServiceTokenVerifier({ self: service, jwks: keys.jwks }),
    verifyUserToken: createUserTokenVerifier({
      jwks: fetchKeySet,
      revocations: createRevocationChecker({ redis, identity }),
    }),
    identity,
    close: () => identity.close(),
  };
}
