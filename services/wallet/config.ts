import { z } from "zod";
import { addressEnv, serviceEnv } from "../kernel/process/config.js";
import { isOriginList, originListExpected } from "../platform/partners/address.js";
import { bankEnv } from "../platform/partners/config.js";

export const walletEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("REMITTANCE_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  /** Where events are told; they wait where it is absent. */
  EVENTS_ADDRESS: addressEnv("EVENTS_ADDRESS").EVENTS_ADDRESS.optional(),
  ...bankEnv,
  /**
   * Origins that sandboxes' own banks and acquirers may have although they are http or private,
   * such as `http://localhost:*`, with commas between.
   */
  PLUGIN_SANDBOX_ORIGINS: z.string().refine(isOriginList, originListExpected).optional(),
  /** How often it is asked what has arrived at a tenant's bank, seconds. */
  BANK_CREDITS_EVERY_S: z.coerce.number().int().min(1).max(86_400).default(30),
});

export type WalletConfig = z.infer<typeof walletEnv>;
