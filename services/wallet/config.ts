import type { z } from "zod";
import { addressEnv, serviceEnv } from "../shared/config.js";
import { bankEnv } from "../shared/partner/config.js";

export const walletEnv = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("REMITTANCE_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  ...bankEnv,
});

export type WalletConfig = z.infer<typeof walletEnv>;
