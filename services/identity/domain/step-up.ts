/**
 * What a person changes about how they are known. PIN also where it is switched off; OTP is asking
 * for one-time codes, or its end.
 */
export type ChangeByCode = "PIN" | "OTP" | "CONTACT";
/** Also making an API token or giving it another secret, for which no code is sent. */
export type GuardedChange = ChangeByCode | "API_TOKEN";

/** What can show that it is the owner who changes it. */
export type Proof = "PIN" | "TOTP" | "SMS" | "EMAIL" | "EMAIL_AND_PIN";

export interface Enrolled {
  totp: boolean;
  pin: boolean;
  /** A phone number that counts. */
  phone: boolean;
  /** Whether payments ask for a one-time code, and for the PIN. */
  otpRequired: boolean;
  pinRequired: boolean;
}

/**
 * Any one of these lets a change pass beside the password; the password alone does where there is
 * none. A mail resets the password, so a code sent by mail proves nothing where an authenticator is
 * enrolled, and takes the PIN beside it where one is set: a contact or an authenticator that it
 * alone would change could then change the PIN. A PIN proves nothing about one-time codes: whoever
 * has seen it typed would take both.
 */
export function proofsFor(change: GuardedChange, enrolled: Enrolled): Proof[] {
  const { totp, pin, phone, otpRequired, pinRequired } = enrolled;
  // An API token acts for its owner for a year, so it takes what they enrolled, whatever payments
  // ask.
  if (change === "API_TOKEN") return totp ? ["TOTP"] : pin ? ["PIN"] : [];
  const isAnythingRequired = totp || pin || otpRequired || pinRequired;
  if (!isAnythingRequired && change !== "CONTACT") return [];
  const ofOwn: Proof[] = [...(totp ? (["TOTP"] as const) : []), ...(phone ? (["SMS"] as const) : [])];
  const guardsCodes = change !== "PIN" && (otpRequired || totp);
  if (pin && !guardsCodes) return ["PIN", ...ofOwn];
  if (totp) return ofOwn;
  return [...ofOwn, pin ? "EMAIL_AND_PIN" : "EMAIL"];
}

/** Whether a code that is sent this way is, or is part of, what shows it. */
export function takesCodeBy(channel: "EMAIL" | "SMS", accepted: readonly Proof[]): boolean {
  return accepted.includes(channel) || (channel === "EMAIL" && accepted.includes("EMAIL_AND_PIN"));
}

/**
 * How long after a reset took effect a contact that staff changed needs nothing but its code and
 * the password.
 */
export const resetGraceMs = 7 * 86_400_000;
