import { Secret, TOTP } from "otpauth";

// RFC 6238 with the parameters that every authenticator knows.
const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const;
// One step of drift either way (RFC 6238, 5.2).
const drift = 1;

/** The time step of RFC 6238 that a moment lies in. */
export function totpStep(now: Date): number {
  return TOTP.counter({ period: parameters.period, timestamp: now.getTime() });
}

/**
 * The step whose code this is, within the drift; undefined for a wrong code. The caller keeps it: a
 * step that was used, and those before it, are worth nothing any more. Constant time in the code.
 */
export function matchTotp(secretBase32: string, code: string, now: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const secret = Secret.fromBase32(secretBase32);
  const delta = TOTP.validate({ ...parameters, secret, token: code, timestamp: now.getTime(), window: drift });
  return delta === null ? undefined : totpStep(now) + delta;
}

/**
 * A new secret, 160 random bits as base32 without padding (RFC 4648), as authenticators take it.
 */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}
