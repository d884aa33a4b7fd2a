import { z } from "zod";
import { operation } from "../operation.js";
import { maybe, text, wholeNumberIn, instant, shown } from "../schema.js";
import { everyRole, v6 } from "../route.js";
import * as wire from "../../proto/gen/identity/v1/api_tokens.js";
import { beside, shape } from "../codec.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const ownCredential = { tag: "API tokens", access: everyRole, peopleOnly: "credentials" } as const;

export const ApiToken = shape(
  wire.ApiToken,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00a7e75ea59f"),
      name: leaf.name,
      prefix: shown(z.string(), "mnl_4f2a91c7"),
      scopes: z.array(shown(z.string(), "transactions:read")),
      expiresAt: instant,
      lastUsedAt: instant.optional(),
      status: z.enum(["ACTIVE", "ROTATING", "INVALIDATED", "EXPIRED"]),
      createdAt: instant,
    })
    .meta({ id: "ApiToken" }),
  { id: "apiTokenId" },
);

export const NewApiToken = beside(
  wire.CreateApiTokenResponse,
  "apiToken",
  ApiToken,
  ApiToken.extend({
    token: shown(z.string(), "mnl_4f2a91c7Kq8XvT2mB6").meta({ description: "Shown here only." }),
  }).meta({ id: "NewApiToken" }),
);

const base = `${v6}/admin/api-tokens`;
const tokenId = z.object({ apiTokenId: text(64) });

/**
 * Who makes a token shows that they are its owner; an authenticator or a PIN is asked of who has
 * one.
 */
const proof = {
  password: text(1024),
  otp: maybe(text(16, 0)).meta({ description: "An authenticator's code, where one has an authenticator." }),
  pin: maybe(text(16, 0)).meta({ description: "The PIN, where one has a PIN and no authenticator." }),
};

const lifetimes = {
  "24_HOURS": "API_TOKEN_LIFETIME_DAY",
  "1_MONTH": "API_TOKEN_LIFETIME_MONTH",
  "3_MONTHS": "API_TOKEN_LIFETIME_THREE_MONTHS",
  "6_MONTHS": "API_TOKEN_LIFETIME_SIX_MONTHS",
  "1_YEAR": "API_TOKEN_LIFETIME_YEAR",
} as const;
type Lifetime = keyof typeof lifetimes;
const lifetimeNames = Object.keys(lifetimes) as Lifetime[];

/** §5.2 */
export const createApiToken = operation({
  ...ownCredential,
  method: "post",
  path: `${base}/create`,
  summary: "Make an API token, which is shown once",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      name: text(200),
      expiry: z.enum(lifetimeNames as [Lifetime]),
      scopes: z.array(text(64)).min(1).max(50),
      ...proof,
    })
    .meta({ id: "ApiTokenRequest" }),
  answer: NewApiToken,
  message: "API token made",
  renames: { lifetime: "expiry" },
  example: {
    as: "amina@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "reports-1" },
    body: {
      name: "Reports",
      expiry: "1_MONTH",
      scopes: ["transactions:read:own"],
      password: "Demo-Amina-1",
      pin: "2580",
    },
  },
  rpc: "identity.createApiToken",
  fields: {
    expiry: {
      from: ({ lifetime }) => lifetimeNames.find((name) => lifetimes[name] === lifetime)!,
      to: (expiry) => ({ lifetime: lifetimes[expiry] }),
    },
  },
});

export const listApiTokens = operation({
  ...ownCredential,
  method: "get",
  path: base,
  summary: "List one's own API tokens",
  answer: z.array(ApiToken),
  message: "API tokens",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    answer: [{ id: "0199d0c2-0000-7000-8000-00b83ce6f41f", name: "reporting" }],
  },
  rpc: "identity.listApiTokens",
});

export const rotateApiToken = operation({
  ...ownCredential,
  method: "post",
  path: `${base}/:apiTokenId/rotate`,
  summary: "Give an API token another secret; the one before works on for the overlap",
  params: tokenId,
  headers: { idempotencyKey: "required" },
  body: z.object({ overlapSeconds: maybe(wholeNumberIn(0, 604_800)), ...proof }).meta({ id: "ApiTokenRotation" }),
  answer: NewApiToken,
  message: "API token rotated",
  renames: { overlapS: "overlapSeconds" },
  example: {
    as: "amina@demo.example",
    sandbox: true,
    params: { apiTokenId: "0199d0c2-0000-7000-8000-000000000001" },
    headers: { "x-idempotency-key": "reports-2" },
    body: { overlapSeconds: 3600, password: "Demo-Amina-1", pin: "2580" },
    from: { "params.apiTokenId": "createApiToken data.id" },
  },
  rpc: "identity.rotateApiToken",
  fields: { overlapSeconds: "overlapS" },
});

export const invalidateApiToken = operation({
  ...ownCredential,
  method: "post",
  path: `${base}/:apiTokenId/invalidate`,
  summary: "End an API token",
  params: tokenId,
  body: z.object({}),
  bodyOptional: true,
  answer: ApiToken,
  message: "API token invalidated",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    params: { apiTokenId: "0199d0c2-0000-7000-8000-000000000001" },
    from: { "params.apiTokenId": "createApiToken data.id" },
    answer: { id: "0199d0c2-0000-7000-8000-00b83ce6f41f", name: "reporting" },
  },
  rpc: "identity.invalidateApiToken",
});

export const deleteApiToken = operation({
  ...ownCredential,
  method: "post",
  path: `${base}/:apiTokenId/delete`,
  summary: "End an API token and take it off the list",
  params: tokenId,
  body: z.object({}),
  bodyOptional: true,
  answer: z.object({}),
  message: "API token deleted",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    params: { apiTokenId: "0199d0c2-0000-7000-8000-000000000001" },
    from: { "params.apiTokenId": "createApiToken data.id" },
  },
  rpc: "identity.deleteApiToken",
});
