import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { accountRule } from "../domain/throttle-rules.js";
import type { PasswordHasher } from "./passwords.js";
import type { Throttle } from "./throttle.js";
import type { UserRecord } from "../domain/people.js";

type Guesser = Pick<Call, "tenantId" | "signal" | "user" | "caller">;

/**
 * Whose guesses are counted together: those of one session of the person themself, since a session
 * takes the password to open, and all of somebody else. So a stolen session, or a cashier, shuts
 * out nobody but themselves.
 */
function guesserOf(user: UserRecord, { user: asking, caller }: Guesser): string {
  if (asking === undefined) return caller;
  return asking.userId === user.userId ? `session ${asking.sessionId}` : `user ${asking.userId}`;
}

export type PasswordChecks = ReturnType<typeof createPasswordChecks>;

/** Checks the password of somebody who is known, with growing waits for who guesses. */
export function createPasswordChecks({ hasher, throttle }: { hasher: PasswordHasher; throttle: Throttle }) {
  return {
    /**
     * Refuses PASSWORD_REQUIRED, PASSWORD_WRONG, RATE_LIMITED after repeated failures, and
     * PASSWORD_CHANGE_REQUIRED where others chose the password, who know it: it is good to be
     * changed and for nothing else.
     */
    async assertPassword(
      user: UserRecord,
      password: string,
      call: Guesser,
      { toChangeIt = false }: { toChangeIt?: boolean } = {},
    ): Promise<void> {
      if (password === "") throw new Refusal("PASSWORD_REQUIRED", "the password is required");
      const name = `password/${call.tenantId}/${user.userId}/${guesserOf(user, call)}`;
      const attempt = await throttle.begin({ name, rule: accountRule });
      let ok: boolean;
      try {
        ({ ok } = await hasher.verify(user.passwordHash || undefined, password, call.signal));
      } catch (error) {
        await attempt.withdrawn();
        throw error;
      }
      if (ok && user.disabled === undefined) {
        await attempt.passed();
        if (user.passwordForOneSignIn === undefined || toChangeIt) return;
        throw new Refusal("PASSWORD_CHANGE_REQUIRED", "the password was chosen by others and has to be changed first");
      }
      await attempt.failed();
      throw new Refusal("PASSWORD_WRONG", "the password is wrong");
    },
  };
}
