import type { ThrottleRule } from "./throttle-rules.js";

const minuteMs = 60_000;

/** From the beginning of a registration to the last moment of its code. */
export const registrationLifetimeMs = 60 * minuteMs;

/**
 * Registrations from one source: each counts, since each hashes a password and sends a mail. One a minute stays possible, for
 * a source may be a whole mobile network's.
 */
export const registrationSourceRule: ThrottleRule = {
  free: 20,
  together: 20,
  firstWaitMs: 10_000,
  maxWaitMs: minuteMs,
  keepMs: 60 * minuteMs,
  forgives: false,
};

/** Codes tried from one source, whichever registrations they are for: each that is wrong counts. */
export const confirmationSourceRule: ThrottleRule = { ...registrationSourceRule, free: 50, together: 50 };
