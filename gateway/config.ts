import { z } from "zod";
import { addressEnv, readConfig, serviceEnv } from "../services/kernel/process/config.js";

const perMinute = z.coerce.number().int().min(1).max(100_000_000).optional();

const gatewayEnv = serviceEnv.omit({ MONGODB_URI: true, MONGODB_DATABASE: true }).extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  ...addressEnv("COMPLIANCE_ADDRESS"),
  ...addressEnv("REMITTANCE_ADDRESS"),
  ...addressEnv("WALLET_ADDRESS"),
  /** Absent where the system runs without it: its paths are then 404 SERVICE_NOT_INSTALLED. */
  INVESTMENT_ADDRESS: addressEnv("INVESTMENT_ADDRESS").INVESTMENT_ADDRESS.optional(),
  ...addressEnv("LENDING_ADDRESS"),
  ...addressEnv("LEDGER_ADDRESS"),
  ...addressEnv("EVENTS_ADDRESS"),
  /**
   * How long it serves on after SIGTERM, asking clients to connect elsewhere, before it closes; 0
   * when absent.
   */
  DRAIN_LINGER_MS: z.coerce.number().int().min(0).max(60_000).optional(),
  /** Requests per minute; absent means what `limitsOf` says. */
  RATE_LIMIT_PER_ADDRESS: perMinute,
  RATE_LIMIT_PER_USER: perMinute,
  RATE_LIMIT_PER_TENANT: perMinute,
  /**
   * Proxies of ours in front: so many entries at the end of X-Forwarded-For are theirs and are
   * believed.
   */
  TRUSTED_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
});

/** PORT is the HTTP port of the API; ADMIN_PORT serves /healthz, /readyz and /metrics. */
export type GatewayConfig = z.infer<typeof gatewayEnv>;

/** Reads the environment once; throws one error that names every faulty variable. */
export function readGatewayConfig(env?: NodeJS.ProcessEnv): GatewayConfig {
  return readConfig(gatewayEnv, env);
}

export interface RateLimits {
  /** Requests per minute. */
  perAddress: number;
  perUser: number;
  perTenant: number;
}

/**
 * The configured limits. Outside production the defaults are high: one address there stands for all
 * clients.
 */
export function limitsOf(config: Pick<GatewayConfig, "NODE_ENV"> & Partial<GatewayConfig>): RateLimits {
  const scale = config.NODE_ENV === "production" ? 1 : 100;
  return {
    perAddress: config.RATE_LIMIT_PER_ADDRESS ?? 3_000 * scale,
    perUser: config.RATE_LIMIT_PER_USER ?? 1_200 * scale,
    perTenant: config.RATE_LIMIT_PER_TENANT ?? 60_000 * scale,
  };
}
