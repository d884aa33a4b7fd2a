import type { z } from "zod";
import { addressEnv, serviceEnv } from "../shared/config.js";

export const remittanceEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
});

export type RemittanceConfig = z.infer<typeof remittanceEnv>;
