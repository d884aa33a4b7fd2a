import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { Refusal } from "../../shared/refusal.js";
import { createFaults } from "../domain/faults.js";
import { emailKey } from "../domain/people.js";
import type { Keyring } from "../keyring.js";
import type { PasswordHasher } from "../passwords.js";
import type { Revocations } from "../revocations.js";
import type { Sessions } from "../sessions.js";
import type { UserDocument } from "../store/documents.js";
import type { IdentityStore } from "../store/store.js";
import { sessionToWire } from "../wire.js";

type SessionRpcs = "login" | "refresh" | "logout" | "getJwks" | "checkRevocation" | "verifyCredentials";

export function sessionHandlers(deps: {
  store: IdentityStore;
  hasher: PasswordHasher;
  sessions: Sessions;
  revocations: Revocations;
  keyring: Keyring;
}): Pick<Handlers<IdentityServiceDefinition>, SessionRpcs> {
  const { store, hasher, sessions, revocations, keyring } = deps;

  /** Hashes anew with the parameters of today. It spares a later attacker little, so it never fails a login. */
  async function rehash(user: UserDocument, password: string, call: Call): Promise<void> {
    try {
      const fresh = await hasher.hash(password, call.signal);
      await store.forTenant(user.tenantId).replacePasswordHash(user._id, user.passwordHash, fresh);
    } catch (error) {
      call.log.warn({ err: error, userId: user._id }, "a password could not be hashed anew");
    }
  }

  return {
    async login({ email, currentPassword, ipAddress }, call) {
      const faults = createFaults();
      if (email.trim() === "") faults.add("email", "is required");
      if (currentPassword === "") faults.add("currentPassword", "is required");
      faults.refuseIfAny();
      const user = (await store.forTenant(call.tenantId).findUserByEmail(emailKey(email))) ?? undefined;
      // Somebody unknown costs the same work and gets the same answer as a wrong password.
      const { ok, outdated } = await hasher.verify(user?.passwordHash, currentPassword, call.signal);
      if (!ok || user === undefined) {
        call.log.info({ userId: user?._id, ipAddress }, "login refused");
        throw new Refusal("LOGIN_FAILED", "the e-mail address or the password is wrong");
      }
      if (outdated) await rehash(user, currentPassword, call);
      return { session: sessionToWire(await sessions.open(user, ipAddress)) };
    },

    async refresh({ refreshToken, accessToken }, call) {
      const faults = createFaults();
      if (refreshToken === "") faults.add("refreshToken", "is required");
      faults.refuseIfAny();
      const session = await sessions.refresh({ tenantId: call.tenantId, refreshToken, accessToken, log: call.log });
      return { session: sessionToWire(session) };
    },

    async logout(_, call) {
      const { sessionId } = requireUser(call);
      await revocations.endSession(call.tenantId, sessionId, "logout");
      return {};
    },

    async getJwks() {
      return { jwksJson: JSON.stringify(keyring.jwks()) };
    },

    async checkRevocation({ sessionId, userId, issuedAt }) {
      const faults = createFaults();
      if (sessionId === "") faults.add("sessionId", "is required");
      if (userId === "") faults.add("userId", "is required");
      if (issuedAt === undefined) faults.add("issuedAt", "is required");
      faults.refuseIfAny();
      return { revoked: await revocations.isRevoked({ sessionId, userId, issuedAt: issuedAt! }) };
    },

    async verifyCredentials({ userId, password }, call) {
      if (call.user?.role === "CUSTOMER" && call.user.userId !== userId) {
        throw new Refusal("FORBIDDEN", "these are another person's credentials");
      }
      const user = await store.forTenant(call.tenantId).findUser(userId);
      if (user === null) throw new Refusal("NOT_FOUND", "there is no such user");
      if (password === "") throw new Refusal("PASSWORD_REQUIRED", "the password is required");
      const { ok } = await hasher.verify(user.passwordHash, password, call.signal);
      if (!ok) throw new Refusal("PASSWORD_WRONG", "the password is wrong");
      return {};
    },
  };
}
