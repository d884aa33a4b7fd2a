import { hash } from "node:crypto";
import { outgoing } from "../services/kernel/grpc/client.js";
import { Refusal } from "../services/kernel/refusal.js";
import { createBoundedCache } from "../services/kernel/caching/bounded-cache.js";
import type { Clients } from "./clients.js";
import type { EdgeState } from "./middleware/state.js";

const keepForMs = 60_000;

/** Whoever asks after the answer has begun has no deadline any more. */
type Caller = Pick<EdgeState, "tenantId" | "interactionId" | "signal"> & Partial<Pick<EdgeState, "deadline">>;

export type ApiTokenExchange = ReturnType<typeof createApiTokenExchange>;

/**
 * Exchanges API tokens for short access tokens, kept for up to a minute by the token's hash and
 * tenant. Each use is checked for revocation like any access token, so a token that was ended is
 * refused within a second however long it is kept here.
 */
export function createApiTokenExchange(identity: Pick<Clients["identity"], "exchangeApiToken">) {
  const kept = createBoundedCache<{ accessToken: string; until: number }>(5_000);
  const keyOf = (tenantId: string, token: string) => hash("sha256", `${tenantId}\n${token}`, "base64url");

  return {
    isApiToken: (token: string): boolean => token.startsWith("mnl_"),

    async accessTokenOf(token: string, state: Caller): Promise<string> {
      const key = keyOf(state.tenantId, token);
      const known = kept.get(key);
      if (known !== undefined && known.until > performance.now()) return known.accessToken;
      const startedAt = performance.now();
      const { accessToken, expiresInS } = await identity.exchangeApiToken({ token }, outgoing(state));
      if (accessToken === "") throw new Refusal("UNAUTHENTICATED", "the API token is not valid");
      // An access token is kept for half its life at most, since it must outlive the calls that
      // carry it.
      kept.set(key, { accessToken, until: startedAt + Math.min(keepForMs, expiresInS * 500) });
      return accessToken;
    },

    /**
     * Forgets a refused token, so that the next request exchanges it again: its user may have been
     * enabled.
     */
    forget(token: string, state: EdgeState): void {
      kept.delete(keyOf(state.tenantId, token));
    },
  };
}
