import type { z } from "zod";
import { addressEnv, serviceEnv } from "../shared/config.js";

export const complianceEnv = serviceEnv.extend({ ...addressEnv("IDENTITY_ADDRESS") });

export type ComplianceConfig = z.infer<typeof complianceEnv>;
