import type { UserFactors } from "../../../proto/gen/identity/v1/second_factors.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { factorsRequiredOf, maxPinMisses } from "../domain/factors.js";
import { tenantOf } from "./tenant-of.js";
import type { IdentityStore } from "../store/index.js";

/** Second factors of the calling user, as they see them. */
export async function viewOfFactors(store: IdentityStore, call: Call): Promise<{ factors: UserFactors }> {
  const { preference } = await tenantOf(store, call.tenantId);
  const { userId } = requireUser(call);
  const ofTenant = store.forTenant(call.tenantId);
  const [user, reset] = [await ofTenant.findUser(userId), await ofTenant.findOpenFactorReset(userId)];
  if (user === undefined) throw new Refusal("NOT_FOUND", "there is no such user");
  const required = factorsRequiredOf(preference.secondFactors, user.factors?.chosen);
  return {
    factors: {
      totpEnrolled: user.factors?.totp?.confirmedAt !== undefined,
      pinSet: user.factors?.pin !== undefined,
      pinLocked: (user.factors?.pin?.misses ?? 0) >= maxPinMisses,
      otpRequired: required.otp,
      pinRequired: required.pin,
      resetState: reset?.state ?? "",
      resetAt: reset?.dueAt,
    },
  };
}
