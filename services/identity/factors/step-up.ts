import type { Call } from "../../kernel/grpc/context.js";
import { Refusal, type RefusalCode } from "../../kernel/refusal.js";
import { factorsRequiredOf } from "../domain/factors.js";
import { proofsFor, type Enrolled, type GuardedChange, type Proof } from "../domain/step-up.js";
import type { Preference } from "../domain/tenants.js";
import type { PasswordChecks } from "../credentials/password-checks.js";
import { changeDigest } from "../domain/code-bindings.js";
import type { SecondFactors } from "./second-factors.js";
import type { UserRecord } from "../domain/people.js";

/** What was presented beside the password. */
export interface Presented {
  otp: string;
  pin: string;
}

export type StepUp = ReturnType<typeof createStepUp>;

/**
 * What stands between a password and the user's factors. Staff are not asked for codes at payments.
 */
export function enrolledOf(user: UserRecord, preference: Pick<Preference, "secondFactors">): Enrolled {
  const requested = factorsRequiredOf(preference.secondFactors, user.factors?.chosen);
  const isCustomer = user.customer !== undefined;
  return {
    totp: user.factors?.totp?.confirmedAt !== undefined,
    pin: user.factors?.pin !== undefined,
    phone: (user.customer?.phoneNumber ?? "") !== "",
    otpRequired: isCustomer && requested.otp,
    pinRequired: isCustomer && requested.pin,
  };
}

/**
 * Checks the password and one of what is enrolled before a PIN, a factor, a contact or an API token
 * changes.
 */
export function createStepUp({ checks, factors }: { checks: PasswordChecks; factors: SecondFactors }) {
  /**
   * What shows it, ready to be checked. Refuses OTP_REQUIRED and PIN_REQUIRED at once where it is
   * missing.
   */
  function proofOf(
    user: UserRecord,
    change: GuardedChange,
    { otp, pin }: Presented,
    accepted: readonly Proof[],
    call: Call,
  ): () => Promise<void> {
    const byPin = pin !== "" && accepted.includes("PIN");
    const besideMail = pin !== "" && accepted.includes("EMAIL_AND_PIN");
    const channels = (["SMS", "EMAIL"] as const).filter(
      (one) => accepted.includes(one) || (one === "EMAIL" && besideMail),
    );
    const byCode = otp !== "" && (accepted.includes("TOTP") || channels.length > 0);
    if (accepted.length > 0 && !byPin && !byCode) throw missing(accepted, otp);
    return async () => {
      if (byPin) return factors.assertPin(user, pin, call);
      if (!byCode) return;
      // The PIN comes before the code, since a code works only once.
      if (besideMail) await factors.assertPin(user, pin, call);
      const sent = channels.map((one) => changeDigest(change, one));
      await factors.assertChangeOtp(call.tenantId, user, otp, { totp: accepted.includes("TOTP"), sent });
    };
  }

  return {
    /** Where the password is checked apart. Refuses as assertOwner. */
    assertProof: async (
      user: UserRecord,
      change: GuardedChange,
      given: { proof: Presented; accepted: readonly Proof[] },
      call: Call,
    ): Promise<void> => proofOf(user, change, given.proof, given.accepted, call)(),

    /**
     * Refuses as assertPassword, OTP_REQUIRED or PIN_REQUIRED where what is needed is missing, and
     * as the factor's own check.
     */
    async assertOwner(
      user: UserRecord,
      change: GuardedChange,
      given: { password: string; proof: Presented | undefined; accepted: readonly Proof[] },
      call: Call,
    ): Promise<void> {
      const { password, accepted, proof = { otp: "", pin: "" } } = given;
      if (password === "") throw new Refusal("PASSWORD_REQUIRED", "the password is required");
      // A missing proof is refused before any other is used up.
      const assertIt = proofOf(user, change, proof, accepted, call);
      await checks.assertPassword(user, password, call);
      await assertIt();
    },
  };
}

/** What is enrolled of the user, for a change. */
export function acceptedFor(change: GuardedChange, user: UserRecord, preference: Pick<Preference, "secondFactors">) {
  return proofsFor(change, enrolledOf(user, preference));
}

const proofTexts: Record<Proof, string> = {
  PIN: "the PIN as it is",
  TOTP: "a code of the authenticator",
  SMS: "a code sent to the phone number on file",
  EMAIL: "a code sent to the e-mail address on file",
  EMAIL_AND_PIN: "a code sent to the e-mail address on file together with the PIN",
};

function missing(accepted: readonly Proof[], otp: string): Refusal {
  const isPinMissing = accepted.includes("PIN") || (otp !== "" && accepted.includes("EMAIL_AND_PIN"));
  const code: RefusalCode = isPinMissing ? "PIN_REQUIRED" : "OTP_REQUIRED";
  return new Refusal(code, `this takes ${accepted.map((one) => proofTexts[one]).join(" or ")}`);
}
