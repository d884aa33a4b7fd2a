import type { IdentityServiceDefinition, VerifyCredentialsRequest } from "../../../proto/gen/identity/v1/identity.js";
import { createBatchRead } from "../../kernel/mongo/batch-read.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import { factorsRequiredOf } from "../domain/factors.js";
import { bindingFromWire } from "../wire/factors.js";
import { tenantOf } from "./tenant-of.js";
import type { UserRecord } from "../domain/people.js";
import type { HandlerDeps } from "./deps.js";

export function credentialHandlers(deps: HandlerDeps) {
  const { store, checks, factors } = deps;
  const userById = createBatchRead<string, UserRecord>({
    nameOf: (userId) => userId,
    readOne: (tenantId, userId) => store.forTenant(tenantId).findUser(userId),
    async readMany(tenantId, userIds) {
      const found = await store.forTenant(tenantId).findUsers(userIds);
      return new Map(found.map((user) => [user.userId, user]));
    },
  });

  /**
   * First what is missing, then the password, the PIN and last the code: what comes before it can
   * fail without using up a code that works once.
   */
  async function verify(request: VerifyCredentialsRequest, call: Call): Promise<Record<string, never>> {
    const { userId, password, otp, pin, payment, requireOtp } = request;
    if (call.user?.role === "CUSTOMER" && call.user.userId !== userId) {
      throw new Refusal("FORBIDDEN", "these are another person's credentials");
    }
    const tenant = tenantOf(store, call.tenantId);
    tenant.catch(() => undefined);
    const user = await userById(call.tenantId, userId);
    if (user === undefined) throw new Refusal("NOT_FOUND", "there is no such user");
    // Every other caller checks a password; money leaves a wallet only in the wallet service.
    if (call.caller === "lending") {
      // A payoff from a wallet takes the PIN alone, where tenant or user want one.
      const { preference } = await tenant;
      if (!factorsRequiredOf(preference.secondFactors, user.factors?.chosen).pin) return {};
      if (pin === "") throw new Refusal("PIN_REQUIRED", "the PIN is required");
      await factors.assertPin(user, pin, call);
      return {};
    }
    if (call.caller !== "wallet") {
      await checks.assertPassword(user, password, call);
      return {};
    }
    const { preference } = await tenant;
    const wanted = factorsRequiredOf(preference.secondFactors, user.factors?.chosen);
    const required = { ...wanted, otp: wanted.otp || requireOtp };
    if (password === "") throw new Refusal("PASSWORD_REQUIRED", "the password is required");
    if (required.otp && otp === "") throw new Refusal("OTP_REQUIRED", "a one-time code is required");
    if (required.pin && pin === "") throw new Refusal("PIN_REQUIRED", "the PIN is required");
    const binding = payment === undefined ? undefined : bindingFromWire(payment);
    await checks.assertPassword(user, password, call);
    if (required.pin) await factors.assertPin(user, pin, call);
    if (required.otp)
      await factors.assertOtp(
        call.tenantId,
        user,
        otp,
        binding ?? { amount: { minor: 0n, currency: "XXX" }, payee: "" },
      );
    return {};
  }

  return { verifyCredentials: verify } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
