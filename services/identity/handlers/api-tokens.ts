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
import type { RunOnce } from "../../shared/idempotency/index.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import { passing, Refusal } from "../../shared/refusal.js";
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
import { createFaults } from "../domain/faults.js";
import { parseName, type UserRecord } from "../domain/people.js";
import { checkKey } from "../domain/requests.js";
import type { Outbox } from "../../shared/outbox/index.js";
import type { PasswordChecks } from "../credentials/password-checks.js";
import { apiTokenRow } from "../jobs/credential-mails.js";
import type { Revocations } from "../credentials/revocations.js";
import { acceptedFor, type Presented, type StepUp } from "../factors/step-up.js";
import type { IdentityStore } from "../store/index.js";
import { apiTokenToWire } from "../wire/api-tokens.js";
import { tenantOf } from "./tenants.js";

type ApiTokenRpcs = "createApiToken" | "listApiTokens" | "rotateApiToken" | "invalidateApiToken" | "deleteApiToken";

const maxTokens = 50;
// What a repeat may say otherwise, such as the code of another half-minute.
const notOfRequest = ["password", "otp", "pin"] as const;

export function apiTokenHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  runOnce: RunOnce;
  outbox: Outbox;
  checks: PasswordChecks;
  stepUp: StepUp;
  revocations: Revocations;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, ApiTokenRpcs> {
  const { db, store, runOnce, outbox, checks, stepUp, revocations, clock } = deps;

  /** The token of the calling user. Refuses NOT_FOUND for anybody else's. */
  async function ownToken(call: Call, id: string): Promise<ApiTokenRecord> {
    const found = await store.forTenant(call.tenantId).findApiToken(requireUser(call).userId, id);
    if (found === null) throw new Refusal("NOT_FOUND", "you have no such API token");
    return found;
  }

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

  /** Adds the row that tells the owner of a new secret, in the transaction that makes it. */
  async function addMail(call: Call, { name }: ApiTokenRecord, deed: "made" | "rotated", session: ClientSession) {
    const { userId } = requireUser(call);
    const { tenantId, interactionId } = call;
    await outbox.add(apiTokenRow({ tenantId, interactionId, actor: userId }, { userId, name, deed }), session);
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
      const answer = await runOnce({
        call,
        operation: "createApiToken",
        request,
        requestType: CreateApiTokenRequest,
        response: CreateApiTokenResponse,
        omit: notOfRequest,
        secret: true,
        before: () => assertProof(user, request, call),
        work: async (session) => {
          const others = await ofTenant.listApiTokens(userId, session);
          if (others.length >= maxTokens) throw new Refusal("STATE_CONFLICT", `there are ${maxTokens} already`);
          await ofTenant.insertApiToken(made, session);
          await addMail(call, made, "made", session);
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
      const { overlapS, apiTokenId } = request;
      const faults = createFaults();
      checkKey(request.idempotencyKey, faults);
      if (overlapS < 0 || overlapS > maxOverlapS) faults.add("overlapS", `must be 0 to ${maxOverlapS}`);
      faults.refuseIfAny();
      const token = await ownToken(call, apiTokenId);
      const user = await callingUser(call);
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
        before: () => assertProof(user, request, call),
        work: async (session) => {
          const now = clock.now();
          if (!["ACTIVE", "ROTATING"].includes(statusOf(token, now))) {
            throw new Refusal("STATE_CONFLICT", "the API token has ended");
          }
          const until = new Date(Math.min(now.getTime() + overlapS * 1_000, token.expiresAt.getTime()));
          const [current] = token.secrets;
          // The one before the current has had its time: only one old secret lives beside the new
          // one.
          const secrets = [secretOf(text, randomUUID()), { ...current!, until }];
          if (!(await store.forTenant(call.tenantId).replaceApiTokenSecrets(token, secrets, session))) {
            throw passing("STATE_CONFLICT", "the API token was changed at the same moment");
          }
          await addMail(call, token, "rotated", session);
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
      // What it was exchanged for before lives longer than a short overlap, and is kept at the
      // edge.
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
