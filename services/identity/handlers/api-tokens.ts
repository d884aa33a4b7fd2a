import { randomBytes, randomUUID } from "node:crypto";
import type { ClientSession, Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import {
  CreateApiTokenRequest,
  CreateApiTokenResponse,
  RotateApiTokenRequest,
  RotateApiTokenResponse,
} from "../../../proto/gen/identity/v1/api_tokens.js";
import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, runIdempotent, type Idempotency } from "../../shared/idempotency/index.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import { passing, Refusal } from "../../shared/refusal.js";
import { makeAccessToken } from "../credentials/access-tokens.js";
import {
  apiTokenText,
  expiryOf,
  isSecretOf,
  lifetimes,
  maxOverlapS,
  lookUpOf,
  scopesOf,
  secretOf,
  statusOf,
  type ApiTokenLifetime,
  type ApiTokenRecord,
} from "../domain/api-tokens.js";
import { createFaults } from "../domain/faults.js";
import { parseName, type UserRecord } from "../domain/people.js";
import { checkKey } from "../domain/requests.js";
import type { Outbox } from "../../shared/outbox/index.js";
import type { Keyring } from "../credentials/keyring.js";
import type { PasswordChecks } from "../credentials/password-checks.js";
import { rowKinds } from "../jobs/relay.js";
import type { Revocations } from "../credentials/revocations.js";
import { acceptedFor, type Presented, type StepUp } from "../factors/step-up.js";
import type { IdentityStore } from "../store/index.js";
import { apiTokenToWire } from "../wire/customers.js";
import { tenantOf } from "./tenants.js";

type ApiTokenRpcs =
  "createApiToken" | "listApiTokens" | "rotateApiToken" | "invalidateApiToken" | "deleteApiToken" | "exchangeApiToken";

/** How long an access token lives that an API token is exchanged for, in seconds. */
export const exchangedLifetimeS = 300;
// Writing each use down would be a write for every minute of every client; to a minute is what people want to know.
const useNotedEveryMs = 60_000;
const maxTokens = 50;
// What a repeat may say otherwise, such as the code of another half-minute.
const notOfRequest = ["idempotencyKey", "password", "otp", "pin"] as const;

export function apiTokenHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  idempotency: Idempotency;
  outbox: Outbox;
  checks: PasswordChecks;
  stepUp: StepUp;
  revocations: Revocations;
  keyring: Keyring;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, ApiTokenRpcs> {
  const { db, store, idempotency, outbox, checks, stepUp, revocations, keyring, clock } = deps;

  /** The token of the calling user. Refuses NOT_FOUND for anybody else's. */
  async function ownToken(call: Call, id: string): Promise<ApiTokenRecord> {
    const found = await store.forTenant(call.tenantId).findApiToken(requireUser(call).userId, id);
    if (found === null) throw new Refusal("NOT_FOUND", "you have no such API token");
    return found;
  }

  const scopeOf = (call: Call, operation: string, key: string) => ({
    tenantId: call.tenantId,
    caller: requireUser(call).userId,
    operation,
    key,
  });
  async function callingUser(call: Call): Promise<UserRecord> {
    const user = await store.forTenant(call.tenantId).findUser(requireUser(call).userId);
    if (user === null) throw new Refusal("NOT_FOUND", "there is no such user");
    return user;
  }

  /** The authenticator's code, or else the PIN, where one is enrolled. */
  async function assertProof(user: UserRecord, proof: Presented, call: Call): Promise<void> {
    const { preference } = await tenantOf(store, call.tenantId);
    const accepted = acceptedFor("API_TOKEN", user, preference);
    await stepUp.assertProof(user, "API_TOKEN", { proof, accepted }, call);
  }

  /** In the transaction that makes a secret: its owner is told. */
  async function tell(call: Call, { name }: ApiTokenRecord, deed: "made" | "rotated", session: ClientSession) {
    const { userId } = requireUser(call);
    const { tenantId, interactionId } = call;
    const row = { tenantId, aggregate: `api-token:${randomUUID()}`, seq: 1, kind: rowKinds.apiToken, interactionId };
    await outbox.add({ ...row, actor: userId, payload: { userId, name, deed } }, session);
  }

  const view = (token: ApiTokenRecord) => apiTokenToWire(token, clock.now());

  async function end(call: Call, token: ApiTokenRecord, isDeleted: boolean): Promise<ApiTokenRecord> {
    const ofTenant = store.forTenant(call.tenantId);
    const at = clock.now();
    await inTransaction(
      db,
      async (session) => {
        if (isDeleted) await ofTenant.deleteApiToken(token._id, session);
        else await ofTenant.invalidateApiToken(token._id, at, session);
        return true;
      },
      { readBack: async () => undefined },
    );
    // Nothing is exchanged for it any more; what was exchanged ends now.
    for (const { sessionId } of token.secrets) {
      await revocations.endSession(call.tenantId, sessionId, "the API token was ended");
    }
    return { ...token, invalidatedAt: token.invalidatedAt ?? at };
  }

  return {
    async createApiToken(request, call) {
      const { userId, role } = requireUser(call);
      const { name, scopes } = parseNew(request);
      const beyond = scopes.filter((scope) => !scopesOf(role).includes(scope));
      if (beyond.length > 0) throw new Refusal("FORBIDDEN", `a ${role} may not grant ${beyond.join(", ")}`);
      const user = await callingUser(call);
      // Of a repeat too: its answer shows the token again.
      await checks.assertPassword(user, request.password, call);
      const ofTenant = store.forTenant(call.tenantId);
      const now = clock.now();
      const token = apiTokenText(randomBytes(8), randomBytes(32));
      const made: ApiTokenRecord = {
        _id: uuidv7(),
        tenantId: call.tenantId,
        userId,
        name,
        scopes,
        createdAt: now,
        expiresAt: expiryOf(request.lifetime as ApiTokenLifetime, now),
        secrets: [secretOf(token, randomUUID())],
      };
      const answer = await runIdempotent({
        db,
        idempotency,
        call,
        scope: scopeOf(call, "createApiToken", request.idempotencyKey),
        fingerprint: fingerprintOf(CreateApiTokenRequest, request, notOfRequest),
        response: CreateApiTokenResponse,
        secret: true,
        before: () => assertProof(user, request, call),
        work: async (session) => {
          const others = await ofTenant.listApiTokens(userId, session);
          if (others.length >= maxTokens) throw new Refusal("STATE_CONFLICT", `there are ${maxTokens} already`);
          await ofTenant.insertApiToken(made, session);
          await tell(call, made, "made", session);
          return { apiToken: view(made), token };
        },
      });
      outbox.wake();
      return answer;
    },

    async listApiTokens(_, call) {
      const found = await store.forTenant(call.tenantId).listApiTokens(requireUser(call).userId);
      return { apiTokens: found.map(view) };
    },

    async rotateApiToken(request, call) {
      const { overlapS, apiTokenId, idempotencyKey } = request;
      const faults = createFaults();
      checkKey(idempotencyKey, faults);
      if (overlapS < 0 || overlapS > maxOverlapS) faults.add("overlapS", `must be 0 to ${maxOverlapS}`);
      faults.refuseIfAny();
      const token = await ownToken(call, apiTokenId);
      const user = await callingUser(call);
      await checks.assertPassword(user, request.password, call);
      const text = apiTokenText(randomBytes(8), randomBytes(32));
      const answer = await runIdempotent({
        db,
        idempotency,
        call,
        scope: scopeOf(call, "rotateApiToken", idempotencyKey),
        fingerprint: fingerprintOf(RotateApiTokenRequest, request, notOfRequest),
        response: RotateApiTokenResponse,
        secret: true,
        before: () => assertProof(user, request, call),
        work: async (session) => {
          const now = clock.now();
          if (!["ACTIVE", "ROTATING"].includes(statusOf(token, now))) {
            throw new Refusal("STATE_CONFLICT", "the API token has ended");
          }
          const until = new Date(Math.min(now.getTime() + overlapS * 1_000, token.expiresAt.getTime()));
          const [current] = token.secrets;
          // The one before the current has had its time: only one old secret lives beside the new one.
          const secrets = [secretOf(text, randomUUID()), { ...current!, until }];
          if (!(await store.forTenant(call.tenantId).replaceApiTokenSecrets(token, secrets, session))) {
            throw passing("STATE_CONFLICT", "the API token was changed at the same moment");
          }
          await tell(call, token, "rotated", session);
          return { apiToken: view({ ...token, secrets }), token: text };
        },
      });
      outbox.wake();
      // Read anew: for a request that is repeated, `token` is what the first one made.
      const after = await ownToken(call, apiTokenId);
      const alive = after.secrets.filter(({ until }) => until === undefined || until > clock.now());
      const living = new Set(alive.map(({ sessionId }) => sessionId));
      const ended = new Set([...token.secrets, ...after.secrets].map(({ sessionId }) => sessionId)).difference(living);
      const because = "the API token was rotated";
      await revocations.endSessions(call.tenantId, [...ended], because);
      // What it was exchanged for before lives longer than a short overlap, and is kept at the edge.
      for (const { sessionId, until } of alive) {
        if (until !== undefined) await revocations.endExchangesAt(call.tenantId, sessionId, until, because);
      }
      return answer;
    },

    async invalidateApiToken({ apiTokenId }, call) {
      return { apiToken: view(await end(call, await ownToken(call, apiTokenId), false)) };
    },

    async deleteApiToken({ apiTokenId }, call) {
      await end(call, await ownToken(call, apiTokenId), true);
      return {};
    },

    async exchangeApiToken({ token: text }, call) {
      const ofTenant = store.forTenant(call.tenantId);
      const lookUp = lookUpOf(text);
      const token = lookUp === undefined ? null : await ofTenant.findApiTokenBySecret(lookUp);
      const secret = token?.secrets.find((one) => one.lookUp === lookUp);
      if (token === null || secret === undefined || !isSecretOf(secret, text)) throw notValid();
      const now = clock.now();
      if (token.invalidatedAt !== undefined) throw new Refusal("TOKEN_REVOKED", "the API token was invalidated");
      const endsAt = secret.until ?? token.expiresAt;
      if (endsAt <= now) throw new Refusal("TOKEN_EXPIRED", "the API token has expired");
      const user = await ofTenant.findUser(token.userId);
      if (user === null || user.disabled !== undefined) throw notValid();
      if (now.getTime() - (token.lastUsedAt?.getTime() ?? 0) > useNotedEveryMs) {
        await ofTenant.noteApiTokenUse(token._id, now);
      }
      const expiresInS = Math.min(exchangedLifetimeS, Math.floor((endsAt.getTime() - now.getTime()) / 1_000));
      const accessToken = makeAccessToken(keyring.accessKey(), user, {
        sessionId: secret.sessionId,
        tokenId: randomUUID(),
        issuedAt: now,
        lifetimeS: expiresInS,
        // A role that has been narrowed since narrows its tokens.
        scopes: token.scopes.filter((scope) => scopesOf(user.role).includes(scope)),
      });
      return { accessToken, expiresInS };
    },
  };
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

function notValid(): Refusal {
  return new Refusal("UNAUTHENTICATED", "the API token is not valid");
}
