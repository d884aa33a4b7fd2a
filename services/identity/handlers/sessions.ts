import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { createFaults } from "../../kernel/text/faults.js";
import { isTotpRequiredAtLogin } from "../domain/factors.js";
import { checkGiven } from "../domain/requests.js";
import { sessionToWire } from "../wire/sessions.js";
import { tenantOf } from "./tenant-of.js";
import type { UserRecord } from "../domain/people.js";
import type { HandlerDeps } from "./deps.js";

export function sessionHandlers(deps: HandlerDeps) {
  const { store, loginCheck, knownPlaces, factors, sessions, refreshTokens, revocations } = deps;

  /**
   * Whether an authenticator was asked for; its first code confirms it. Refuses OTP_REQUIRED,
   * OTP_WRONG.
   */
  async function checkTotp(user: UserRecord, otp: string, call: Call): Promise<boolean> {
    if (user.role === "CUSTOMER") return false;
    const { preference } = await tenantOf(store, call.tenantId);
    const hasTotp = user.factors?.totp?.confirmedAt !== undefined;
    if (!isTotpRequiredAtLogin(user.role, hasTotp, preference.staffTotpRequired)) return false;
    if (otp === "") throw new Refusal("OTP_REQUIRED", "a code of your authenticator is required");
    await factors.assertOtp(call.tenantId, user, otp);
    return true;
  }

  return {
    async login({ email, currentPassword, ipAddress, otp }, call) {
      const faults = createFaults();
      checkGiven(email.trim(), "email", faults);
      checkGiven(currentPassword, "currentPassword", faults);
      faults.refuseIfAny();
      const user = await loginCheck(email, currentPassword, ipAddress, call);
      const isByTotp = await checkTotp(user, otp, call);
      const session = await sessions.open(call.tenantId, user, ipAddress);
      const by = isByTotp ? "password and authenticator" : "password";
      call.log.info({ userId: user.userId, ipAddress, by }, "signed in");
      // A place that cannot be noted does not turn away somebody who has signed in.
      await knownPlaces.note(call.tenantId, user, ipAddress).catch((error: unknown) => {
        call.log.warn({ err: error, userId: user.userId }, "the place of a log-in could not be noted");
      });
      return { session: sessionToWire(session) };
    },

    async refresh({ refreshToken, accessToken }, call) {
      const faults = createFaults();
      checkGiven(refreshToken, "refreshToken", faults);
      faults.refuseIfAny();
      const session = await refreshTokens.rotate({ tenantId: call.tenantId, refreshToken, accessToken, log: call.log });
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
        sessions: open.map(({ sessionId: id, createdAt, rotatedAt, idleUntil, ipAddress }) => ({
          sessionId: id,
          createdAt,
          lastUsedAt: rotatedAt,
          expiresAt: idleUntil,
          ipAddress,
          current: id === sessionId,
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
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
