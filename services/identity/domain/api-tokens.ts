import { createHash, timingSafeEqual } from "node:crypto";
import { permissionsOf, type Role } from "./roles.js";

/** One secret of an API token. What is kept of it is a hash. */
export interface ApiTokenSecret {
  /** Names the secret in the token's text. */
  lookUp: string;
  /** SHA-256 of the token's text, base64url: 256 random bits need no slow hash. */
  hash: string;
  prefix: string;
  /** Session id of the access tokens that it is exchanged for. */
  sessionId: string;
  /** When it ends before the token does: it was rotated. */
  until?: Date;
}

export interface ApiTokenRecord {
  apiTokenId: string;
  userId: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt?: Date;
  invalidatedAt?: Date;
  /** The newest first. */
  secrets: ApiTokenSecret[];
}

export const lifetimes = {
  API_TOKEN_LIFETIME_DAY: { hours: 24 },
  API_TOKEN_LIFETIME_MONTH: { months: 1 },
  API_TOKEN_LIFETIME_THREE_MONTHS: { months: 3 },
  API_TOKEN_LIFETIME_SIX_MONTHS: { months: 6 },
  API_TOKEN_LIFETIME_YEAR: { years: 1 },
} as const;
export type ApiTokenLifetime = keyof typeof lifetimes;

export const maxOverlapS = 7 * 86_400;

// Finer scopes of our own, beside the permission strings that login returns: docs/api-tokens.md.
const ownScopes: Record<Role, readonly string[]> = {
  MANAGER: [
    "profile:read",
    "organisation:read",
    "compliance:read",
    "beneficiaries:read",
    "accounts:read",
    "accounts:freeze",
    "customers:register",
    "payments:request",
    "refunds:request",
    "ledger:read",
    "investments:read",
    "loans:read",
    "approvals:decide",
    "books:read",
    "books:write",
    "plugins:manage",
    "sandbox:force",
  ],
  AGENT: [
    "profile:read",
    "organisation:read",
    "compliance:read",
    "beneficiaries:read",
    "accounts:open",
    "customers:register",
    "corridors:write",
    "markups:write",
    "refunds:request",
    "ledger:read",
    "investments:read",
    "loans:read",
    "sandbox:force",
  ],
  CASHIER: [
    "profile:read",
    "organisation:read",
    "compliance:read",
    "accounts:read",
    "customers:read",
    "customers:register",
    "transactions:update",
    "transactions:cancel",
    "payments:request",
    "refunds:request",
    "ledger:read",
    "investments:read",
    "loans:read",
    "sandbox:force",
  ],
  CUSTOMER: [
    "organisation:read",
    "compliance:read",
    "accounts:read",
    "accounts:open",
    "payments:request",
    "payments:make",
    "exchanges:make",
    "withdrawals:make",
    "transactions:cancel",
    "investments:read",
    "investments:make",
    "loans:read",
    "loans:apply",
    "loans:repay",
    "ledger:read",
    "sandbox:force",
  ],
};

/** Every scope that an API token of this role may have. */
export function scopesOf(role: Role): readonly string[] {
  return [...permissionsOf(role), ...ownScopes[role]];
}

/**
 * When a token made now ends. Months are those of the calendar, in UTC; the last day stands for one
 * that a month lacks.
 */
export function expiryOf(lifetime: ApiTokenLifetime, now: Date): Date {
  const made = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO("UTC");
  return new Date(made.add(lifetimes[lifetime]).epochMilliseconds);
}

const form = /^mnl_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** A token's text: what names it (8 bytes, hex) and what nobody can guess (32 bytes, base64url). */
export function apiTokenText(name: Buffer, secret: Buffer): string {
  return `mnl_${name.toString("hex")}_${secret.toString("base64url")}`;
}

/** What names the secret in a token's text; undefined for text that is no API token. */
export function lookUpOf(token: string): string | undefined {
  return form.exec(token)?.[1];
}

/** What is kept of a token. */
export function secretOf(token: string, sessionId: string): ApiTokenSecret {
  const lookUp = lookUpOf(token);
  if (lookUp === undefined) throw new Error("not the text of an API token");
  return { lookUp, hash: hashOf(token), prefix: `mnl_${lookUp.slice(0, 8)}`, sessionId };
}

/** Whether this is the secret's token. Constant time. */
export function isSecretOf(secret: ApiTokenSecret, token: string): boolean {
  return timingSafeEqual(Buffer.from(secret.hash), Buffer.from(hashOf(token)));
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

export type ApiTokenStatus = "ACTIVE" | "ROTATING" | "INVALIDATED" | "EXPIRED";

export function statusOf(token: ApiTokenRecord, now: Date): ApiTokenStatus {
  if (token.invalidatedAt !== undefined) return "INVALIDATED";
  if (token.expiresAt <= now) return "EXPIRED";
  return token.secrets.some(({ until }) => until !== undefined && until > now) ? "ROTATING" : "ACTIVE";
}
