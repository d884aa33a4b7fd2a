import type { ApiToken } from "../../../proto/gen/identity/v1/api_tokens.js";
import { statusOf, type ApiTokenRecord } from "../domain/api-tokens.js";

export function apiTokenToWire(token: ApiTokenRecord, now: Date): ApiToken {
  const { apiTokenId, name, scopes, secrets, createdAt, expiresAt, lastUsedAt } = token;
  const status = statusOf(token, now);
  return { apiTokenId, name, prefix: secrets[0]!.prefix, scopes, expiresAt, lastUsedAt, status, createdAt };
}
