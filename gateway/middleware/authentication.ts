import type { UserPrincipal } from "../../services/kernel/grpc/context.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { UserTokenVerifier } from "../../services/kernel/tokens/user-tokens.js";
import type { ApiTokenExchange } from "../api-tokens.js";
import type { EdgeContext } from "./state.js";

/**
 * The access token of X-Auth-Token or Authorization: Bearer. Refuses TOKEN_CONFLICT where both
 * differ.
 */
export function tokenOf(ctx: EdgeContext): string | undefined {
  const own = single(ctx, "x-auth-token");
  const authorization = single(ctx, "authorization");
  if (authorization === undefined) return own;
  const bearer = /^Bearer +([^\s,]+)$/i.exec(authorization)?.[1];
  if (bearer === undefined) {
    throw new Refusal("UNAUTHENTICATED", "Authorization must be Bearer with an access token");
  }
  if (own !== undefined && own !== bearer) {
    throw new Refusal("TOKEN_CONFLICT", "X-Auth-Token and Authorization carry different tokens");
  }
  return bearer;
}

/**
 * Verifies the caller's access token, or the one an API token stands for, for the tenant of the
 * host and remembers both.
 */
export async function authenticate(
  ctx: EdgeContext,
  verify: UserTokenVerifier,
  apiTokens: ApiTokenExchange,
): Promise<UserPrincipal> {
  const sent = tokenOf(ctx);
  if (sent === undefined) throw new Refusal("UNAUTHENTICATED", "an access token is required in X-Auth-Token");
  const isApiToken = apiTokens.isApiToken(sent);
  const token = isApiToken ? await apiTokens.accessTokenOf(sent, ctx.state) : sent;
  const user = await verify(token, { tenantId: ctx.state.tenantId, call: ctx.state }).catch((error: unknown) => {
    if (isApiToken) apiTokens.forget(sent, ctx.state);
    throw error;
  });
  ctx.state.user = user;
  ctx.state.userToken = token;
  const { tenantId, interactionId, signal } = ctx.state;
  if (isApiToken) ctx.state.renewToken = () => apiTokens.accessTokenOf(sent, { tenantId, interactionId, signal });
  return user;
}

function single(ctx: EdgeContext, name: string): string | undefined {
  const values = new Set(ctx.req.headersDistinct[name]);
  if (values.size > 1) throw new Refusal("TOKEN_CONFLICT", `${name} is sent more than once`);
  const [value] = values;
  return value === undefined || value.trim() === "" ? undefined : value.trim();
}
