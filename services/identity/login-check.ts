import type { Call } from "../shared/grpc/context.js";
import { Refusal } from "../shared/refusal.js";
import { emailKey } from "./domain/people.js";
import { accountRule, addressRule } from "./domain/throttle.js";
import type { PasswordHasher } from "./passwords.js";
import type { UserDocument } from "./store/documents.js";
import type { IdentityStore } from "./store/store.js";
import type { Throttle } from "./throttle.js";

export type LoginCheck = ReturnType<typeof createLoginCheck>;

/** Who somebody is by e-mail and password. Refuses LOGIN_FAILED, and RATE_LIMITED after repeated failures. */
export function createLoginCheck(deps: { store: IdentityStore; hasher: PasswordHasher; throttle: Throttle }) {
  const { store, hasher, throttle } = deps;

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
  return async (email: string, password: string, ipAddress: string, call: Call): Promise<UserDocument> => {
    const { tenantId } = call;
    const key = emailKey(email);
    const account = { name: `login/${tenantId}/${key}`, rule: accountRule };
    const address = { name: `login address/${ipAddress}`, rule: addressRule };
    const attempt = await throttle.begin(account, ...(ipAddress === "" ? [] : [address]));
    let user: UserDocument | undefined;
    let verdict: { ok: boolean; outdated: boolean };
    try {
      user = (await store.forTenant(tenantId).findUserByEmail(key)) ?? undefined;
      verdict = await hasher.verify(user?.passwordHash || undefined, password, call.signal);
    } catch (error) {
      await attempt.withdrawn();
      throw error;
    }
    if (!verdict.ok || user === undefined || user.disabled !== undefined) {
      await attempt.failed();
      call.log.info({ userId: user?._id, ipAddress }, "login refused");
      throw new Refusal("LOGIN_FAILED", "the e-mail address or the password is wrong");
    }
    await attempt.passed();
    return verdict.outdated ? rehash(user, password, call) : user;
  };
}
