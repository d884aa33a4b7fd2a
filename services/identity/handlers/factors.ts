import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { UserRecord } from "../domain/people.js";
import type { Presented } from "../factors/step-up.js";
import { createFactorChanges } from "./factor-changes.js";
import { viewOfFactors } from "./factor-view.js";
import type { HandlerDeps } from "./deps.js";

/** What a user has beside their password, and what they want asked for. */
export function factorHandlers(deps: HandlerDeps) {
  const { store, checks, factors } = deps;
  const { caller, assertOwner, changed } = createFactorChanges(deps);
  const view = (call: Call) => viewOfFactors(store, call);

  /** Where the PIN is switched off together with the codes, whose own proof was given already. */
  async function assertPinToo(user: UserRecord, proof: Presented | undefined, call: Call): Promise<void> {
    if (user.factors?.pin === undefined) return;
    if (!proof?.pin) throw new Refusal("PIN_REQUIRED", "switching the PIN off takes the PIN as it is");
    await factors.assertPin(user, proof.pin, call);
  }

  return {
    getUserFactors: (_, call) => view(call),

    async chooseFactors({ password, otp, pin, proof }, call) {
      const user = await caller(call);
      const before = user.factors?.chosen ?? { otp: false, pin: false };
      const [isOtpOff, isPinOff] = [before.otp && !otp, before.pin && !pin];
      if (isOtpOff) await assertOwner(user, "OTP", { password, proof }, call);
      // A code works once: what switches both off takes the PIN beside it.
      if (isOtpOff && isPinOff) await assertPinToo(user, proof, call);
      else if (isPinOff) await assertOwner(user, "PIN", { password, proof }, call);
      else if (!isOtpOff) await checks.assertPassword(user, password, call);
      const isDone = (after: UserRecord) => after.factors?.chosen?.otp === otp && after.factors.chosen.pin === pin;
      await changed(
        user,
        "FACTORS_CHOSEN",
        call,
        async (session) => {
          const ofTenant = store.forTenant(call.tenantId);
          if (await ofTenant.chooseFactors(user.userId, user.factors?.chosen, { otp, pin }, session)) return;
          throw passing("STATE_CONFLICT", "the choice was changed at the same moment");
        },
        isDone,
      );
      return view(call);
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
