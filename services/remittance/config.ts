import { z } from "zod";
import { addressEnv, serviceEnv } from "../shared/config.js";

export const remittanceEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  /** For the news of a refund, which goes by outbox. */
  ...addressEnv("WALLET_ADDRESS"),
  /** How long a transaction waits for its payment, seconds. */
  PAYMENT_WINDOW_S: z.coerce.number().int().min(1).max(604_800).default(1_800),
  /** Base URL of the payout partner's API, and the key that it knows us by. */
  PARTNER_URL: z.url({ protocol: /^https?$/ }),
  PARTNER_API_KEY: z.string().min(16),
  /** Signs the partner's callbacks. */
  PARTNER_CALLBACK_SECRET: z.string().regex(/^whsec_[A-Za-z0-9+/]{20,}={0,2}$/, "must be whsec_ and base64"),
  /** Where the partner reaches the gateway, without a path; empty where it is only asked. */
  PARTNER_CALLBACK_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .or(z.literal(""))
    .default(""),
  /** How long an answer of the partner is waited for, ms; afterwards the outcome is unknown and asked for again. */
  PARTNER_TIMEOUT_MS: z.coerce.number().int().min(100).max(30_000).default(3_000),
  /** AGGREGATION: how long after its first payout a batch goes out, seconds. */
  PAYOUT_BATCH_S: z.coerce.number().int().min(1).max(86_400).default(60),
  /** How often a tenant's statement at the partner is read for payouts that came back, seconds. */
  PARTNER_STATEMENT_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(60),
});

export type RemittanceConfig = z.infer<typeof remittanceEnv>;
