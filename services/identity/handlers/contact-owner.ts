import type { Clock } from "../../kernel/time/clock.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { UserRecord } from "../domain/people.js";
import { resetGraceMs } from "../domain/step-up.js";
import { acceptedFor, enrolledOf, type Presented, type StepUp } from "../factors/step-up.js";
import type { IdentityStore } from "../store/index.js";
import { tenantOf } from "./tenant-of.js";

/**
 * Checks the password and something enrolled before a contact changes; after a reset the password
 * alone, where staff began the change. Refuses as stepUp.assertOwner.
 */
export function createAssertContactOwner({
  store,
  stepUp,
  clock,
}: {
  store: IdentityStore;
  stepUp: StepUp;
  clock: Clock;
}) {
  return async (
    user: UserRecord,
    given: { password: string; proof?: Presented | undefined },
    call: Call,
    isBegunByStaff = false,
  ): Promise<void> => {
    const { preference } = await tenantOf(store, call.tenantId);
    const isReset = (user.factorsResetAt?.getTime() ?? 0) > clock.now().getTime() - resetGraceMs;
    const { totp, pin } = enrolledOf(user, preference);
    const accepted = isBegunByStaff && isReset && !totp && !pin ? [] : acceptedFor("CONTACT", user, preference);
    const { password, proof } = given;
    await stepUp.assertOwner(user, "CONTACT", { password, proof, accepted }, call);
  };
}
