import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { isTotpRequiredAtLogin } from "../domain/factors.js";
import type { UserRecord } from "../domain/people.js";
import { totpContext } from "../factors/second-factors.js";
import { newTotpSecret } from "../factors/totp.js";
import type { Presented } from "../factors/step-up.js";
import { createFactorChanges } from "./factor-changes.js";
import { viewOfFactors } from "./factor-view.js";
import { tenantOf } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

export function authenticatorHandlers(deps: HandlerDeps) {
  const { store, checks, loginCheck, factors, cipher } = deps;
  const { caller, assertOwner, changed } = createFactorChanges(deps);
  const view = (call: Call) => viewOfFactors(store, call);

  /**
   * Who enrols: the user of the call; or staff who cannot log in without an authenticator, by
   * e-mail and password.
   */
  async function enrolling(
    request: Record<"email" | "password" | "ipAddress", string> & { proof?: Presented | undefined },
    call: Call,
  ) {
    const { email, password, ipAddress, proof } = request;
    if (call.user !== undefined) {
      const user = await caller(call);
      assertNoTotp(user);
      await assertOwner(user, "OTP", { password, proof }, call);
      return user;
    }
    const user = await loginCheck(email, password, ipAddress, call);
    const { preference } = await tenantOf(store, call.tenantId);
    if (!isTotpRequiredAtLogin(user.role, false, preference.staffTotpRequired)) {
      throw new Refusal("UNAUTHENTICATED", "log in first");
    }
    return user;
  }

  return {
    async enrolTotp(request, call) {
      const user = await enrolling(request, call);
      assertNoTotp(user);
      const secret = newTotpSecret();
      const sealed = cipher.seal(secret, totpContext(call.tenantId, user.userId));
      await changed(
        user,
        "TOTP_BEGUN",
        call,
        async (session) => {
          const totp = { secret: sealed, lastStep: 0 };
          if (!(await store.forTenant(call.tenantId).setTotp(user.userId, totp, session))) throw totpInUse();
        },
        (after) => after.factors?.totp?.secret.sealed === sealed.sealed,
      );
      const { name } = await tenantOf(store, call.tenantId);
      const label = `${encodeURIComponent(name)}:${encodeURIComponent(user.email)}`;
      const otpauthUri = `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(name)}`;
      return { secret, otpauthUri };
    },

    async confirmTotp({ otp }, call) {
      const user = await caller(call);
      if (user.factors?.totp === undefined) throw new Refusal("STATE_CONFLICT", "no authenticator is being enrolled");
      await factors.assertOtp(call.tenantId, user, otp);
      return view(call);
    },

    async removeTotp({ password, otp }, call) {
      const user = await caller(call);
      if (user.factors?.totp === undefined) throw new Refusal("STATE_CONFLICT", "no authenticator is in use");
      await checks.assertPassword(user, password, call);
      if (otp === "") throw new Refusal("OTP_REQUIRED", "a code of the authenticator is required");
      await factors.assertOtp(call.tenantId, user, otp);
      await changed(
        user,
        "TOTP_REMOVED",
        call,
        (session) => store.forTenant(call.tenantId).removeTotp(user.userId, session),
        (after) => after.factors?.totp === undefined,
      );
      return view(call);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function assertNoTotp(user: UserRecord): void {
  if (user.factors?.totp?.confirmedAt !== undefined) throw totpInUse();
}

function totpInUse(): Refusal {
  return new Refusal("STATE_CONFLICT", "an authenticator is in use: remove it first");
}
