import type { Clock } from "../../kernel/time/clock.js";
import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { emailKey, type UserRecord } from "../domain/people.js";
import { networkOf } from "../../kernel/text/client-network.js";
import { addressRule, ruleForPlace, strangersRule } from "../domain/throttle-rules.js";
import type { KnownPlaces } from "./known-places.js";
import type { PasswordHasher } from "./passwords.js";
import type { IdentityStore } from "../store/index.js";
import type { Throttle } from "./throttle.js";

export type LoginCheck = ReturnType<typeof createLoginCheck>;

/**
 * Who somebody is by e-mail and password. Refuses LOGIN_FAILED, and RATE_LIMITED after repeated
 * failures: those from one place for one account, those from one place for any, and fewer for one
 * account from strange places while many of these guess (docs/decisions/0003).
 */
export function createLoginCheck(deps: {
  store: IdentityStore;
  hasher: PasswordHasher;
  throttle: Throttle;
  knownPlaces: KnownPlaces;
  clock: Clock;
}) {
  const { store, hasher, throttle, knownPlaces, clock } = deps;

  /** Nobody gets in as who is disabled, nor for long by a password that others chose. */
  function mayLogIn({ disabled, passwordForOneSignIn: given }: UserRecord): boolean {
    return disabled === undefined && (given === undefined || given.until > clock.now());
  }

  /**
   * What is counted for an attempt on an account; `strangers` where the place is not known to it.
   */
  async function subjectsOf(tenantId: string, key: string, ipAddress: string) {
    const place = networkOf(ipAddress);
    const isKnown = await knownPlaces.isKnown(tenantId, key, ipAddress);
    const strangers = { name: `login strangers/${tenantId}/${key}`, rule: strangersRule };
    const rule = ruleForPlace(isKnown, isKnown ? 0 : await throttle.failuresOf(strangers));
    const fromPlace = { name: `login/${tenantId}/${key}/${place}`, rule };
    const address = { name: `login address/${place}`, rule: addressRule };
    return { begun: place === "" ? [fromPlace] : [fromPlace, address], ...(isKnown ? {} : { strangers }) };
  }

  /**
   * Hashes anew with the parameters of today. It spares a later attacker little, so it never fails
   * a login.
   */
  async function rehash(user: UserRecord, password: string, call: Call): Promise<UserRecord> {
    try {
      const fresh = await hasher.hash(password, call.signal);
      const replaced = await store.forTenant(call.tenantId).replacePasswordHash(user.userId, user.passwordHash, fresh);
      return replaced ? { ...user, passwordHash: fresh } : user;
    } catch (error) {
      call.log.warn({ err: error, userId: user.userId }, "a password could not be hashed anew");
      return user;
    }
  }

  /**
   * Somebody unknown or disabled costs the same work, waits the same, and gets the same answer as a
   * wrong password.
   */
  return async (email: string, password: string, ipAddress: string, call: Call): Promise<UserRecord> => {
    const { tenantId } = call;
    const key = emailKey(email);
    const { begun, strangers } = await subjectsOf(tenantId, key, ipAddress);
    const attempt = await throttle.begin(...begun);
    let user: UserRecord | undefined;
    let checked: { ok: boolean; outdated: boolean };
    try {
      user = await store.forTenant(tenantId).findUserByEmail(key);
      checked = await hasher.verify(user?.passwordHash || undefined, password, call.signal);
    } catch (error) {
      await attempt.withdrawn();
      throw error;
    }
    if (!checked.ok || user === undefined || !mayLogIn(user)) {
      await Promise.all([attempt.failed(), strangers && throttle.count(strangers)]);
      call.log.info({ userId: user?.userId, ipAddress }, "login refused");
      throw new Refusal("LOGIN_FAILED", "the e-mail address or the password is wrong");
    }
    await attempt.passed();
    return checked.outdated ? rehash(user, password, call) : user;
  };
}
