import { z } from "zod";
import { addressEnv, serviceEnv } from "../kernel/process/config.js";
import { isOriginList, originListExpected } from "../platform/partners/address.js";
import { bankEnv } from "../platform/partners/config.js";

export const lendingEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  ...addressEnv("WALLET_ADDRESS"),
  /** Where events are told; they wait where it is absent. */
  EVENTS_ADDRESS: addressEnv("EVENTS_ADDRESS").EVENTS_ADDRESS.optional(),
  // The bank and its card acquirer.
  ...bankEnv,
  /**
   * Origins that sandboxes' own banks and acquirers may have although they are http or private,
   * such as `http://localhost:*`, with commas between.
   */
  PLUGIN_SANDBOX_ORIGINS: z.string().refine(isOriginList, originListExpected).optional(),
  /** How often the bank is asked for what has arrived, seconds. */
  BANK_CREDITS_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(5),
  /** How often is looked whether a tenant's day has changed, seconds. */
  ACCRUAL_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(10),
  /**
   * How many batches of the daily work all replicas together have under way: more where MongoDB has
   * cores to spare.
   */
  ACCRUAL_AT_ONCE: z.coerce.number().int().min(1).max(64).default(1),
  /** How often is looked for applications about which compliance is to be asked again, seconds. */
  REVIEWS_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(10),
  /** How long a payoff quote is good, seconds. */
  PAYOFF_QUOTE_S: z.coerce.number().int().min(60).max(604_800).default(86_400),
  /** Where repayments are to be sent: the account that the bank keeps for loans. */
  COLLECTION_BANK_NAME: z.string().default("Manilla Collections"),
  COLLECTION_BANK_CODE: z.string().default("044"),
  COLLECTION_ACCOUNT_NUMBER: z.string().default("0690000031"),
});

export type LendingConfig = z.infer<typeof lendingEnv>;
