import { z } from "zod";
import { isSandbox } from "../sandbox/sandbox.js";
import type { AllowedOrigins } from "./address.js";

const url = z.url({ protocol: /^https?$/ }).optional();
const apiKey = z.string().min(16).optional();

/** Environment of a service that has a bank: its API, and the key that it knows us by. */
export const bankEnv = {
  /** Absent means that what live tenants want of the bank waits. */
  BANK_URL: url,
  BANK_API_KEY: apiKey,
  /** The same for sandboxes, which never reach the live one. */
  SANDBOX_BANK_URL: url,
  SANDBOX_BANK_API_KEY: apiKey,
  /** The sandbox partner, which stands in for all of them outside production. */
  PARTNER_URL: url,
  PARTNER_API_KEY: apiKey,
  /**
   * How long an answer is waited for, ms; afterwards the outcome is unknown and asked for again.
   */
  BANK_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(3_000),
};

export interface BankConfig {
  BANK_TIMEOUT_MS: number;
  NODE_ENV?: string | undefined;
  BANK_URL?: string | undefined;
  BANK_API_KEY?: string | undefined;
  SANDBOX_BANK_URL?: string | undefined;
  SANDBOX_BANK_API_KEY?: string | undefined;
  PARTNER_URL?: string | undefined;
  PARTNER_API_KEY?: string | undefined;
}

export interface BankAccess {
  url: string;
  apiKey: string;
}

/** The operator's bank and acquirer, and how long an answer of it is waited for. */
export function bankOf(config: BankConfig) {
  return { accessOf: bankAccessOf(config), timeoutMs: config.BANK_TIMEOUT_MS };
}

/** Of a tenant, by whether it is a sandbox (its id says so); undefined where it has no bank. */
export function bankAccessOf(
  config: Omit<BankConfig, "BANK_TIMEOUT_MS">,
): (tenantId: string) => BankAccess | undefined {
  const standIn = config.NODE_ENV === "production" ? undefined : accessOf(config.PARTNER_URL, config.PARTNER_API_KEY);
  const live = accessOf(config.BANK_URL, config.BANK_API_KEY) ?? standIn;
  const sandbox = accessOf(config.SANDBOX_BANK_URL, config.SANDBOX_BANK_API_KEY) ?? standIn;
  return (tenantId) => (isSandbox(tenantId) ? sandbox : live);
}

function accessOf(at: string | undefined, key: string | undefined): BankAccess | undefined {
  return at === undefined || key === undefined ? undefined : { url: at, apiKey: key };
}

/** Of PLUGIN_SANDBOX_ORIGINS: live tenants' partners are never there. */
export function sandboxOrigins(text: string | undefined): (tenantId: string) => AllowedOrigins {
  const origins = text?.split(",") ?? [];
  return (tenantId) => (isSandbox(tenantId) ? origins : []);
}
