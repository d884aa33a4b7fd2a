import { z } from "zod";
import { addressEnv, readConfig, serviceEnv } from "../services/shared/config.js";

const gatewayEnv = serviceEnv.omit({ MONGODB_URI: true, MONGODB_DATABASE: true }).extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("REMITTANCE_ADDRESS"),
  ...addressEnv("WALLET_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  /** How long it serves on after SIGTERM, asking clients to connect elsewhere, before it closes. */
  DRAIN_LINGER_MS: z.coerce.number().int().min(0).max(60_000).default(0),
});

/** PORT is the HTTP port of the API; ADMIN_PORT serves /healthz and /readyz. */
export type GatewayConfig = z.infer<typeof gatewayEnv>;

/** Reads the environment once; throws one error that names every faulty variable. */
export function readGatewayConfig(env?: NodeJS.ProcessEnv): GatewayConfig {
  return readConfig(gatewayEnv, env);
}
