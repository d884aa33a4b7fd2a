import { z } from "zod";
import { addressEnv, serviceEnv } from "../shared/config.js";

export const remittanceEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  /** How long a transaction waits for its payment, seconds. */
  PAYMENT_WINDOW_S: z.coerce.number().int().min(1).max(604_800).default(1_800),
});

export type RemittanceConfig = z.infer<typeof remittanceEnv>;
