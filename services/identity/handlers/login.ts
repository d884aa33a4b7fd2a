import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { Refusal } from "../../shared/refusal.js";
import { createFaults } from "../domain/faults.js";
import { emailKey } from "../domain/people.js";
import { checkGiven } from "../domain/requests.js";
import { accountRule, addressRule } from "../domain/throttle.js";
import type { PasswordHasher } from "../passwords.js";
import type { Revocations } from "../revocations.js";
import type { Sessions } from "../sessions.js";
import type { UserDocument } from "../store/documents.js";
import type { IdentityStore } from "../store/store.js";
import type { Throttle } from "../throttle.js";
import { sessionToWire } from "../wire.js";

type LoginRpcs = "login" | "refresh" | "logout" | "listSessions" | "endSession";

export function loginHandlers(deps: {
  store: IdentityStore;
  hasher: PasswordHasher;
  sessions: Sessions;
  revocations: Revocations;
  throttle: Throttle;
}): Pick<Handlers<IdentityServiceDefinition>, LoginRpcs> {
  const { store, hasher, sessions, revocations, throttle } = deps;

  /** Hashes anew with the parameters of today. It spares a later attacker little, so it never fails a login. */
  async function rehash(user: UserDocument, password: string, call: Call): Promise<UserDocument> {
    try {
      const fresh = await hasher.hash(password, call.signal);
      const replaced = await store.forTenant(user.tenantId).replacePasswordHash(user._id, user.passwordHash, fresh);
      return replaced ? { ...user, passwordHash: fresh } : user;
    } catch (error) {
      call.log.warn({ err: error, userId: user._id }, "a password could not be hashed anew");
      return user;
    }
  }

  /** Somebody unknown or disabled costs the same work, waits the same, and gets the same answer as a wrong password. */
  async function authenticated(email: string, password: string, ipAddress: string, call: Call): Promise<UserDocument> {
    const { tenantId } = call;
    const key = emailKey(email);
    const attempt = await throttle.begin(
      { name: `login/${tenantId}/${key}`, rule: accountRule },
      { name: `login address/${ipAddress}`, rule: addressRule },
    );
    try {
      const user = (await store.forTenant(tenantId).findUserByEmail(key)) ?? undefined;
      const { ok, outdated } = await hasher.verify(user?.passwordHash || undefined, password, call.signal);
      if (!ok || user === undefined || user.disabled !== undefined) {
        await attempt.failed();
        call.log.info({ userId: user?._id, ipAddress }, "login refused");
        throw new Refusal("LOGIN_FAILED", "the e-mail address or the password is wrong");
      }
      await attempt.passed();
      return outdated ? rehash(user, password, call) : user;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "LOGIN_FAILED")) await attempt.withdrawn();
      throw error;
    }
  }

  return {
    async login({ email, currentPassword, ipAddress }, call) {
      const faults = createFaults();
      checkGiven(email.trim(), "email", faults);
      checkGiven(currentPassword, "currentPassword", faults);
      faults.refuseIfAny();
      const user = await authenticated(email, currentPassword, ipAddress, call);
      return { session: sessionToWire(await sessions.open(user, ipAddress)) };
    },

    async refresh({ refreshToken, accessToken }, call) {
      const faults = createFaults();
      checkGiven(refreshToken, "refreshToken", faults);
      faults.refuseIfAny();
      const session = await sessions.refresh({ tenantId: call.tenantId, refreshToken, accessToken, log: call.log });
      return { session: sessionToWire(session) };
    },

    async logout(_, call) {
      const { sessionId } = requireUser(call);
      await revocations.endSession(call.tenantId, sessionId, "logout");
      return {};
    },

    async listSessions(_, call) {
      const { userId, sessionId } = requireUser(call);
      const open = await sessions.listOpen(call.tenantId, userId);
      return {
        sessions: open.map(({ _id, createdAt, rotatedAt, idleUntil, ipAddress }) => ({
          sessionId: _id,
          createdAt,
          lastUsedAt: rotatedAt,
          expiresAt: idleUntil,
          ipAddress,
          current: _id === sessionId,
        })),
      };
    },

    async endSession({ sessionId }, call) {
      const { userId } = requireUser(call);
      const found = await store.forTenant(call.tenantId).findSession(sessionId);
      if (found?.userId !== userId) throw new Refusal("NOT_FOUND", "you have no such session");
      await revocations.endSession(call.tenantId, sessionId, "ended by its user");
      return {};
    },
  };
}
