import { invalidInput } from "../../kernel/refusal.js";
import type { Role } from "./roles.js";
import type { SealedField } from "./sealed-field.js";

export const maxPinMisses = 5;
/** Of a code that was sent, before it is worth nothing. */
export const maxCodeTries = 5;

/** What a user has beside their password. */
export interface UserFactorsRecord {
  totp?: {
    /** Base32, sealed. */
    secret: SealedField;
    confirmedAt?: Date;
    /** The time step of the last code that was used: it and those before are worth nothing. */
    lastStep: number;
  };
  pin?: { hash: string; misses: number };
  /** The user's own choice, beyond the tenant's. */
  chosen?: { otp: boolean; pin: boolean };
}

/** A code that was sent; it is computed from its id, never stored. */
export interface SentCodeRecord {
  codeId: string;
  userId: string;
  /** Digest of amount, currency and payee. */
  binding: string;
  tries: number;
  createdAt: Date;
  expiresAt: Date;
  usedAt?: Date;
}

export interface FactorSwitches {
  otp: boolean;
  pin: boolean;
}

/** What is asked for at a payment: what the tenant wants, and what the user wants beyond it. */
export function factorsRequiredOf(tenant: FactorSwitches, user: FactorSwitches | undefined): FactorSwitches {
  return { otp: tenant.otp || (user?.otp ?? false), pin: tenant.pin || (user?.pin ?? false) };
}

/**
 * Whether a log-in needs an authenticator's code: staff who have one, and all staff where the
 * tenant says so.
 */
export function isTotpRequiredAtLogin(role: Role, hasTotp: boolean, staffTotpRequired: boolean): boolean {
  return role !== "CUSTOMER" && (hasTotp || staffTotpRequired);
}

/** A PIN of 4 to 8 digits that is neither one digit repeated nor a run. Refuses INVALID_INPUT. */
export function parsePin(text: string, path = "pin"): string {
  if (!/^\d{4,8}$/.test(text)) throw invalidInput(path, "must have 4 to 8 digits");
  const steps = new Set([...text].slice(1).map((digit, index) => Number(digit) - Number(text[index])));
  const [step] = steps;
  if (steps.size === 1 && Math.abs(step!) <= 1) throw invalidInput(path, "is too easy to guess");
  return text;
}

/** Where a code went, with most of it hidden: a***@x.example, +234******678. */
export function maskAddress(address: string): string {
  const at = address.indexOf("@");
  if (at > 0) return `${address.slice(0, 1)}***${address.slice(at)}`;
  return address.slice(0, 4) + "*".repeat(Math.max(0, address.length - 7)) + address.slice(-3);
}
