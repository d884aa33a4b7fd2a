import type { Call } from "../shared/grpc/context.js";
import { Refusal } from "../shared/refusal.js";
import { accountRule } from "./domain/throttle.js";
import type { PasswordHasher } from "./passwords.js";
import type { UserDocument } from "./store/documents.js";
import type { Throttle } from "./throttle.js";

export type PasswordChecks = ReturnType<typeof createPasswordChecks>;

/** Checks the password of somebody who is known, with growing waits for who guesses. */
export function createPasswordChecks({ hasher, throttle }: { hasher: PasswordHasher; throttle: Throttle }) {
  return {
    /** Refuses PASSWORD_REQUIRED, PASSWORD_WRONG, and RATE_LIMITED after repeated failures. */
    async assertPassword(user: UserDocument, password: string, call: Pick<Call, "signal">): Promise<void> {
      if (password === "") throw new Refusal("PASSWORD_REQUIRED", "the password is required");
      const attempt = await throttle.begin({ name: `password/${user.tenantId}/${user._id}`, rule: accountRule });
      let ok: boolean;
      try {
        ({ ok } = await hasher.verify(user.passwordHash || undefined, password, call.signal));
      } catch (error) {
        await attempt.withdrawn();
        throw error;
      }
      if (ok && user.disabled === undefined) return attempt.passed();
      await attempt.failed();
      throw new Refusal("PASSWORD_WRONG", "the password is wrong");
    },
  };
}
