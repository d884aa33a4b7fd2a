import { z } from "zod";
import { addressEnv, serviceEnv } from "../kernel/process/config.js";

export const investmentEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("REMITTANCE_ADDRESS"),
  ...addressEnv("WALLET_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  /** Where events are told; they wait where it is absent. */
  EVENTS_ADDRESS: addressEnv("EVENTS_ADDRESS").EVENTS_ADDRESS.optional(),
  /**
   * How often it is looked whether a tenant's day has begun, seconds; a sandbox's date may be moved
   * at any time.
   */
  INVESTMENT_DAY_EVERY_S: z.coerce.number().int().min(1).max(3_600).default(30),
});

export type InvestmentConfig = z.infer<typeof investmentEnv>;
