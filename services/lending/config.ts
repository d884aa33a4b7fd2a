import { z } from "zod";
import { addressEnv, serviceEnv } from "../shared/config.js";

export const lendingEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  ...addressEnv("WALLET_ADDRESS"),
  /** Base URL of the bank's and card acquirer's API, and the key that it knows us by. */
  PARTNER_URL: z.url({ protocol: /^https?$/ }),
  PARTNER_API_KEY: z.string().min(16),
  /** The same for sandboxes, which never reach the live bank. Absent in production means that they have none. */
  SANDBOX_PARTNER_URL: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_PARTNER_API_KEY: z.string().min(16).optional(),
  /** How long an answer of the bank is waited for, ms; afterwards the outcome is unknown and asked for again. */
  PARTNER_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(3_000),
  /** How often the bank is asked for what has arrived, seconds. */
  BANK_CREDITS_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(5),
  /** How often is looked whether a tenant's day has changed, seconds. */
  ACCRUAL_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(10),
  /** How long a payoff quote is good, seconds. */
  PAYOFF_QUOTE_S: z.coerce.number().int().min(60).max(604_800).default(86_400),
  /** Where repayments are to be sent: the account that the bank keeps for loans. */
  COLLECTION_BANK_NAME: z.string().default("Manilla Collections"),
  COLLECTION_BANK_CODE: z.string().default("044"),
  COLLECTION_ACCOUNT_NUMBER: z.string().default("0690000031"),
});

export type LendingConfig = z.infer<typeof lendingEnv>;

/** The bank as a tenant reaches it, by whether it is a sandbox (its id says so); undefined where sandboxes have none. */
export function bankAccessOf(config: LendingConfig): (tenantId: string) => { url: string; apiKey: string } | undefined {
  const { PARTNER_URL, PARTNER_API_KEY, SANDBOX_PARTNER_URL, SANDBOX_PARTNER_API_KEY, NODE_ENV } = config;
  const live = { url: PARTNER_URL, apiKey: PARTNER_API_KEY };
  const ofSandboxes =
    SANDBOX_PARTNER_URL === undefined || SANDBOX_PARTNER_API_KEY === undefined
      ? undefined
      : { url: SANDBOX_PARTNER_URL, apiKey: SANDBOX_PARTNER_API_KEY };
  const sandbox = ofSandboxes ?? (NODE_ENV === "production" ? undefined : live);
  return (tenantId) => (isSandbox(tenantId) ? sandbox : live);
}

export function isSandbox(tenantId: string): boolean {
  return tenantId.endsWith("--sandbox");
}
