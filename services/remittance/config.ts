import { z } from "zod";
import { addressEnv, serviceEnv } from "../kernel/process/config.js";
import { checkMasterKey, masterKeyEnv } from "../kernel/keys/config.js";
import { isOriginList, originListExpected } from "../platform/partners/address.js";
import type { PayoutContract } from "../platform/plugins/payout-version.js";
import { isSandbox } from "../platform/sandbox/sandbox.js";

/** Version of the contract for payout connectors that a partner speaks. */
const contract = z.coerce
  .number()
  .pipe(z.literal([1, 2]))
  .default(1);
const callbackSecret = z.string().regex(/^whsec_[A-Za-z0-9+/]{20,}={0,2}$/, "must be whsec_ and base64");

const env = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  /** To tell of a refund, by outbox. */
  ...addressEnv("WALLET_ADDRESS"),
  /** Where events are told; they wait where it is absent. */
  EVENTS_ADDRESS: addressEnv("EVENTS_ADDRESS").EVENTS_ADDRESS.optional(),
  /** How long a transaction waits for its payment, seconds. */
  PAYMENT_WINDOW_S: z.coerce.number().int().min(1).max(604_800).default(1_800),
  /** How long a quote holds, seconds. */
  QUOTE_HOLDS_S: z.coerce.number().int().min(1).max(86_400).default(900),
  /** Base URL of the payout partner's API, and the key that it knows us by. */
  PARTNER_URL: z.url({ protocol: /^https?$/ }),
  PARTNER_API_KEY: z.string().min(16),
  /** Signs the partner's callbacks. */
  PARTNER_CALLBACK_SECRET: callbackSecret,
  /** Of 2 an order says who pays, who is paid and why. */
  PARTNER_CONTRACT: contract,
  /**
   * The same for sandboxes, which never reach the live partner. Absent in production means that
   * their payouts wait.
   */
  SANDBOX_PARTNER_URL: z.url({ protocol: /^https?$/ }).optional(),
  SANDBOX_PARTNER_API_KEY: z.string().min(16).optional(),
  SANDBOX_PARTNER_CALLBACK_SECRET: callbackSecret.optional(),
  SANDBOX_PARTNER_CONTRACT: contract,
  /** Where the partner reaches the gateway, without a path; empty where it is only asked. */
  PARTNER_CALLBACK_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .or(z.literal(""))
    .default(""),
  /**
   * Origins that sandboxes' own partners may have although they are http or private, such as
   * `http://localhost:*`, with commas between.
   */
  PLUGIN_SANDBOX_ORIGINS: z.string().refine(isOriginList, originListExpected).optional(),
  /**
   * Directory where banks that take files have a folder an installation. Absent means that payouts
   * to such banks wait.
   */
  PLUGIN_FILES_DIR: z.string().startsWith("/").optional(),
  /** Opens the keys that personal data is sealed with. Needed in production. */
  ...masterKeyEnv,
  /**
   * How long an answer of the partner is waited for, ms; afterwards the outcome is unknown and
   * asked for again.
   */
  PARTNER_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(3_000),
  /** AGGREGATION: how long after its first payout a batch goes out, seconds. */
  PAYOUT_BATCH_S: z.coerce.number().int().min(1).max(86_400).default(60),
  /** How often a tenant's statement at the partner is read for payouts that came back, seconds. */
  PARTNER_STATEMENT_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(60),
});

export const remittanceEnv = env.superRefine(checkMasterKey);

export type RemittanceConfig = z.infer<typeof remittanceEnv>;

/** A payout partner as we reach it and know it. */
export interface PartnerAccess {
  url: string;
  apiKey: string;
  callbackSecret: string;
  contract: PayoutContract;
}

/**
 * Of a tenant, by whether it is a sandbox (its id says so); undefined where sandboxes have none.
 */
export function partnerAccessOf(config: RemittanceConfig): (tenantId: string) => PartnerAccess | undefined {
  const { PARTNER_URL: url, PARTNER_API_KEY: apiKey, PARTNER_CALLBACK_SECRET: callbackSecret } = config;
  const live = { url, apiKey, callbackSecret, contract: config.PARTNER_CONTRACT };
  const sandbox = sandboxAccessOf(config) ?? (config.NODE_ENV === "production" ? undefined : live);
  return (tenantId) => (isSandbox(tenantId) ? sandbox : live);
}

/** The operator's partner, where it calls back, and how long an answer of it is waited for. */
export function partnerOf(config: RemittanceConfig) {
  return {
    accessOf: partnerAccessOf(config),
    callbackBaseUrl: config.PARTNER_CALLBACK_BASE_URL.replace(/\/+$/, ""),
    timeoutMs: config.PARTNER_TIMEOUT_MS,
  };
}

function sandboxAccessOf(config: RemittanceConfig): PartnerAccess | undefined {
  const { SANDBOX_PARTNER_URL: url, SANDBOX_PARTNER_API_KEY: apiKey } = config;
  const { SANDBOX_PARTNER_CALLBACK_SECRET: callbackSecret } = config;
  if (url === undefined || apiKey === undefined || callbackSecret === undefined) return undefined;
  return { url, apiKey, callbackSecret, contract: config.SANDBOX_PARTNER_CONTRACT };
}
