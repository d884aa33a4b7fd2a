import { randomUUID } from "node:crypto";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { makeAccessToken } from "../credentials/access-tokens.js";
import { isSecretOf, lookUpOf, scopesOf } from "../domain/api-tokens.js";
import type { HandlerDeps } from "./deps.js";

/** How long an access token lives that an API token is exchanged for, in seconds. */
const exchangedLifetimeS = 300;
// A minute's precision is enough: every exchange would otherwise be a write.
const useNotedEveryMs = 60_000;

/** Gives a short access token for an API token. */
export function apiTokenExchangeHandlers(deps: HandlerDeps) {
  const { store, keyring, clock } = deps;

  return {
    async exchangeApiToken({ token: text }, call) {
      const ofTenant = store.forTenant(call.tenantId);
      const lookUp = lookUpOf(text);
      const token = lookUp === undefined ? undefined : await ofTenant.findApiTokenBySecret(lookUp);
      const secret = token?.secrets.find((one) => one.lookUp === lookUp);
      if (token === undefined || secret === undefined || !isSecretOf(secret, text)) throw notValid();
      const now = clock.now();
      if (token.invalidatedAt !== undefined) throw new Refusal("TOKEN_REVOKED", "the API token was invalidated");
      const endsAt = secret.until ?? token.expiresAt;
      if (endsAt <= now) throw new Refusal("TOKEN_EXPIRED", "the API token has expired");
      const user = await ofTenant.findUser(token.userId);
      if (user === undefined || user.disabled !== undefined) throw notValid();
      if (now.getTime() - (token.lastUsedAt?.getTime() ?? 0) > useNotedEveryMs) {
        await ofTenant.noteApiTokenUse(token.apiTokenId, now);
      }
      const expiresInS = Math.min(exchangedLifetimeS, Math.floor((endsAt.getTime() - now.getTime()) / 1_000));
      const accessToken = makeAccessToken(keyring.accessKey(), user, {
        tenantId: call.tenantId,
        sessionId: secret.sessionId,
        tokenId: randomUUID(),
        issuedAt: now,
        lifetimeS: expiresInS,
        // A role that has been narrowed since narrows its tokens.
        scopes: token.scopes.filter((scope) => scopesOf(user.role).includes(scope)),
      });
      return { accessToken, expiresInS };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function notValid(): Refusal {
  return new Refusal("UNAUTHENTICATED", "the API token is not valid");
}
