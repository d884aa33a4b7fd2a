import type { Clock } from "../../kernel/time/clock.js";
import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { bindingDigest, type Binding } from "../domain/code-bindings.js";
import { accountRule } from "../domain/throttle-rules.js";
import type { Keyring } from "../credentials/keyring.js";
import type { PasswordHasher } from "../credentials/passwords.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { IdentityStore } from "../store/index.js";
import type { Throttle } from "../credentials/throttle.js";
import type { UserRecord } from "../domain/people.js";
import { maxPinMisses } from "../domain/factors.js";

import { isSentCode, sentCodeOf } from "./code-digits.js";
import { matchTotp } from "./totp.js";

export type SecondFactors = ReturnType<typeof createSecondFactors>;

export const totpContext = (tenantId: string, userId: string) => `${tenantId}/${userId}/totp`;

/** PINs, authenticators and codes that were sent. A code works once, here and in every replica. */
export function createSecondFactors(deps: {
  store: IdentityStore;
  cipher: FieldCipher;
  keyring: Keyring;
  hasher: PasswordHasher;
  throttle: Throttle;
  clock: Clock;
}) {
  const { store, cipher, keyring, hasher, throttle, clock } = deps;

  /**
   * True where the code is the authenticator's and nobody used it, or a later one, before. Confirms
   * a new authenticator.
   */
  async function useTotp(tenantId: string, user: UserRecord, otp: string): Promise<boolean> {
    const totp = user.factors?.totp;
    if (totp === undefined) return false;
    const secret = cipher.open(totp.secret, totpContext(tenantId, user.userId));
    const now = clock.now();
    const step = matchTotp(secret, otp, now);
    if (step === undefined) return false;
    return store.forTenant(tenantId).useTotpStep(user.userId, totp.secret.sealed, step, now);
  }

  /** True where the code was sent to the user for exactly this and is open. */
  async function useSentCode(tenantId: string, user: UserRecord, otp: string, digest: string): Promise<boolean> {
    const ofTenant = store.forTenant(tenantId);
    const code = await ofTenant.findSentCode(user.userId, digest, clock.now());
    if (code === undefined || !(await ofTenant.beginCodeTry(code.codeId))) return false;
    if (!isSentCode(sentCodeOf(keyring, "payment code", tenantId, code.codeId), otp)) return false;
    return ofTenant.useSentCode(code.codeId, clock.now());
  }

  const isConfirmed = (user: UserRecord) => user.factors?.totp?.confirmedAt !== undefined;

  /** Refuses OTP_WRONG, and RATE_LIMITED after repeated failures. */
  const assertOtp = (tenantId: string, user: UserRecord, otp: string, binding?: Binding): Promise<void> =>
    attemptOtp(tenantId, user, async () => {
      // A payment takes a confirmed authenticator only; a log-in's first code confirms it.
      if ((isConfirmed(user) || binding === undefined) && (await useTotp(tenantId, user, otp))) return true;
      return binding !== undefined && useSentCode(tenantId, user, otp, bindingDigest(binding));
    });

  /** One of the codes that a change accepts. Refuses as assertOtp. */
  const assertChangeOtp = (
    tenantId: string,
    user: UserRecord,
    otp: string,
    { totp, sent }: { totp: boolean; sent: readonly string[] },
  ): Promise<void> =>
    attemptOtp(tenantId, user, async () => {
      if (totp && isConfirmed(user) && (await useTotp(tenantId, user, otp))) return true;
      for (const digest of sent) if (await useSentCode(tenantId, user, otp, digest)) return true;
      return false;
    });

  async function attemptOtp(tenantId: string, user: UserRecord, isRight: () => Promise<boolean>): Promise<void> {
    const attempt = await throttle.begin({ name: `otp/${tenantId}/${user.userId}`, rule: accountRule });
    let ok: boolean;
    try {
      ok = await isRight();
    } catch (error) {
      await attempt.withdrawn();
      throw error;
    }
    if (ok) return attempt.passed();
    await attempt.failed();
    throw new Refusal("OTP_WRONG", "the one-time code is wrong, or was used before");
  }

  /** Refuses PIN_LOCKED after five misses, PIN_WRONG, PIN_REQUIRED where none was set. */
  async function assertPin(user: UserRecord, pin: string, call: Pick<Call, "tenantId" | "signal">): Promise<void> {
    const set = user.factors?.pin;
    if (set === undefined) throw new Refusal("PIN_REQUIRED", "set a PIN first");
    const ofTenant = store.forTenant(call.tenantId);
    // A try counts before the PIN is looked at, and is forgiven where it is right.
    if (!(await ofTenant.beginPinTry(user.userId))) {
      throw new Refusal(
        "PIN_LOCKED",
        `the PIN was wrong ${maxPinMisses} times; set it anew by a code, or have it reset`,
      );
    }
    const { ok } = await hasher.verify(set.hash, pin, call.signal);
    if (!ok) throw new Refusal("PIN_WRONG", "the PIN is wrong");
    await ofTenant.forgivePin(user.userId, set.hash);
  }

  return { assertOtp, assertChangeOtp, assertPin };
}
