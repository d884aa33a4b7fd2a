import { randomBytes, randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import {
  CreateApiTokenRequest,
  CreateApiTokenResponse,
  RotateApiTokenRequest,
  RotateApiTokenResponse,
} from "../../../proto/gen/identity/v1/api_tokens.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import {
  apiTokenText,
  expiryOf,
  lifetimes,
  maxOverlapS,
  scopesOf,
  secretOf,
  statusOf,
  type ApiTokenLifetime,
  type ApiTokenRecord,
} from "../domain/api-tokens.js";
import { createFaults } from "../../kernel/text/faults.js";
import { parseName } from "../../kernel/text/one-line.js";
import type { UserRecord } from "../domain/people.js";
import { checkKey } from "../domain/requests.js";
import { apiTokenRow } from "../jobs/credential-mails.js";
import { acceptedFor, type Presented } from "../factors/step-up.js";
import { apiTokenToWire } from "../wire/api-tokens.js";
import { tenantOf } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

const maxTokens = 50;
// A repeat may bring others, such as the code of another half-minute.
const notOfRequest = ["password", "otp", "pin"] as const;

/** API tokens of the calling user: made, listed, rotated, invalidated and deleted. */
export function apiTokenHandlers(deps: HandlerDeps) {
  const { store, runOnce, outbox, checks, clock } = deps;
  return {
    /** Makes a token for the calling user. Refuses FORBIDDEN for scopes beyond their role. */
    async createApiToken(request, call) {
      const { userId, role } = requireUser(call);
      const { name, scopes } = parseNew(request);
      const beyond = scopes.filter((scope) => !scopesOf(role).includes(scope));
      if (beyond.length > 0) throw new Refusal("FORBIDDEN", `a ${role} may not grant ${beyond.join(", ")}`);
      const user = await callingUser(deps, call);
      // A repeat takes the password too, since its answer shows the token again.
      await checks.assertPassword(user, request.password, call);
      const ofTenant = store.forTenant(call.tenantId);
      const now = clock.now();
      const token = apiTokenText(randomBytes(8), randomBytes(32));
      const made: ApiTokenRecord = {
        apiTokenId: uuidv7(),
        userId,
        name,
        scopes,
        createdAt: now,
        expiresAt: expiryOf(request.lifetime as ApiTokenLifetime, now),
        secrets: [secretOf(token, randomUUID())],
      };
      const answer = await runOnce({
        call,
        operation: "createApiToken",
        request,
        requestType: CreateApiTokenRequest,
        response: CreateApiTokenResponse,
        omit: notOfRequest,
        secret: true,
        before: () => assertProof(deps, user, request, call),
        work: async (session) => {
          const others = await ofTenant.listApiTokens(userId, session);
          if (others.length >= maxTokens) throw new Refusal("STATE_CONFLICT", `there are ${maxTokens} already`);
          await ofTenant.insertApiToken(made, session);
          await addMail(deps, call, made, "made", session);
          return { apiToken: apiTokenToWire(made, clock.now()), token };
        },
      });
      outbox.wake();
      return answer;
    },

    /** Gives a token another secret; the one before lives on for the overlap. */
    async rotateApiToken(request, call) {
      checkRotation(request);
      const { overlapS, apiTokenId } = request;
      const token = await ownToken(deps, call, apiTokenId);
      const user = await callingUser(deps, call);
      await checks.assertPassword(user, request.password, call);
      const text = apiTokenText(randomBytes(8), randomBytes(32));
      const answer = await runOnce({
        call,
        operation: "rotateApiToken",
        request,
        requestType: RotateApiTokenRequest,
        response: RotateApiTokenResponse,
        omit: notOfRequest,
        secret: true,
        before: () => assertProof(deps, user, request, call),
        work: async (session) => {
          const now = clock.now();
          if (!["ACTIVE", "ROTATING"].includes(statusOf(token, now))) {
            throw new Refusal("STATE_CONFLICT", "the API token has ended");
          }
          const until = new Date(Math.min(now.getTime() + overlapS * 1_000, token.expiresAt.getTime()));
          const [current] = token.secrets;
          // Only one old secret lives beside the new one: a secret from before it has had its time.
          const secrets = [secretOf(text, randomUUID()), { ...current!, until }];
          if (!(await store.forTenant(call.tenantId).replaceApiTokenSecrets(token, secrets, session))) {
            throw passing("STATE_CONFLICT", "the API token was changed at the same moment");
          }
          await addMail(deps, call, token, "rotated", session);
          return { apiToken: apiTokenToWire({ ...token, secrets }, clock.now()), token: text };
        },
      });
      outbox.wake();
      await endOldSecrets(deps, call, token);
      return answer;
    },

    async listApiTokens(_, call) {
      const found = await store.forTenant(call.tenantId).listApiTokens(requireUser(call).userId);
      const now = clock.now();
      return { apiTokens: found.map((token) => apiTokenToWire(token, now)) };
    },

    async invalidateApiToken({ apiTokenId }, call) {
      const ended = await end(deps, call, await ownToken(deps, call, apiTokenId), false);
      return { apiToken: apiTokenToWire(ended, clock.now()) };
    },

    async deleteApiToken({ apiTokenId }, call) {
      await end(deps, call, await ownToken(deps, call, apiTokenId), true);
      return {};
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

/** Ends the sessions of secrets that a rotation dropped, and in time those of the old secret. */
async function endOldSecrets(deps: HandlerDeps, call: Call, before: ApiTokenRecord): Promise<void> {
  const { revocations, clock } = deps;
  // The token is read anew: for a request that is repeated, `before` is what the first one made.
  const after = await ownToken(deps, call, before.apiTokenId);
  const alive = after.secrets.filter(({ until }) => until === undefined || until > clock.now());
  const living = new Set(alive.map(({ sessionId }) => sessionId));
  const ended = new Set([...before.secrets, ...after.secrets].map(({ sessionId }) => sessionId)).difference(living);
  const because = "the API token was rotated";
  await revocations.endSessions(call.tenantId, [...ended], because);
  // An access token got for the old secret outlives a short overlap, and the edge keeps it.
  for (const { sessionId, until } of alive) {
    if (until !== undefined) await revocations.endExchangesAt(call.tenantId, sessionId, until, because);
  }
}

/** Invalidates or deletes a token, and ends the sessions of its secrets. */
async function end(deps: HandlerDeps, call: Call, token: ApiTokenRecord, isDeleted: boolean): Promise<ApiTokenRecord> {
  const { db, store, revocations, clock } = deps;
  const ofTenant = store.forTenant(call.tenantId);
  const at = clock.now();
  await inTransaction(
    db,
    async (session) => {
      if (isDeleted) await ofTenant.deleteApiToken(token.apiTokenId, session);
      else await ofTenant.invalidateApiToken(token.apiTokenId, at, session);
      return true;
    },
    { readBack: async () => undefined },
  );
  // Access tokens that it was exchanged for end now too, not only at their own expiry.
  for (const { sessionId } of token.secrets) {
    await revocations.endSession(call.tenantId, sessionId, "the API token was ended");
  }
  return { ...token, invalidatedAt: token.invalidatedAt ?? at };
}

/** The token of the calling user. Refuses NOT_FOUND for anybody else's. */
async function ownToken({ store }: HandlerDeps, call: Call, id: string): Promise<ApiTokenRecord> {
  const found = await store.forTenant(call.tenantId).findApiToken(requireUser(call).userId, id);
  if (found === undefined) throw new Refusal("NOT_FOUND", "you have no such API token");
  return found;
}

async function callingUser({ store }: HandlerDeps, call: Call): Promise<UserRecord> {
  const user = await store.forTenant(call.tenantId).findUser(requireUser(call).userId);
  if (user === undefined) throw new Refusal("NOT_FOUND", "there is no such user");
  return user;
}

/** Takes the authenticator's code, or else the PIN, where one is enrolled. */
async function assertProof(deps: HandlerDeps, user: UserRecord, proof: Presented, call: Call): Promise<void> {
  const { preference } = await tenantOf(deps.store, call.tenantId);
  const accepted = acceptedFor("API_TOKEN", user, preference);
  await deps.stepUp.assertProof(user, "API_TOKEN", { proof, accepted }, call);
}

/** Adds the row that tells the owner of a new secret, in the transaction that makes it. */
async function addMail(
  { outbox }: HandlerDeps,
  call: Call,
  { name }: ApiTokenRecord,
  deed: "made" | "rotated",
  session: ClientSession,
): Promise<void> {
  const { userId } = requireUser(call);
  const { tenantId, interactionId } = call;
  await outbox.add(apiTokenRow({ tenantId, interactionId, actor: userId }, { userId, name, deed }), session);
}

function checkRotation({ idempotencyKey, overlapS }: RotateApiTokenRequest): void {
  const faults = createFaults();
  checkKey(idempotencyKey, faults);
  if (overlapS < 0 || overlapS > maxOverlapS) faults.add("overlapS", `must be 0 to ${maxOverlapS}`);
  faults.refuseIfAny();
}

function parseNew(request: CreateApiTokenRequest): { name: string; scopes: string[] } {
  const faults = createFaults();
  checkKey(request.idempotencyKey, faults);
  const name = faults.of(() => parseName(request.name, "name"));
  if (!Object.hasOwn(lifetimes, request.lifetime)) faults.add("lifetime", "must be one of the five lifetimes");
  const scopes = [...new Set(request.scopes)];
  if (scopes.length === 0) faults.add("scopes", "must name one at least");
  faults.refuseIfAny();
  return { name: name!, scopes };
}
