import { z } from "zod";
import { addressEnv, serviceEnv } from "../kernel/process/config.js";
import { checkMasterKey, masterKeyEnv } from "../kernel/keys/config.js";
import type { NotificationEndpoints } from "../platform/messages/notifications.js";
import { isOriginList, originListExpected } from "../platform/partners/address.js";

// OWASP's equivalents for argon2id (47104/1, 19456/2, 12288/3, 9216/4, 7168/5) all reach this
// product of KiB and passes.
const weakestKibPasses = 35_840;
const weakestMemoryKib = 7_168;

/**
 * The environment of identity. ARGON2_* too weak for production are a fault at boot where NODE_ENV
 * is production.
 */
export const identityEnv = serviceEnv
  .extend({
    /** Wraps the keys in the database. */
    ...masterKeyEnv,
    ARGON2_MEMORY_KIB: z.coerce.number().int().min(8).max(4_194_304).default(19_456),
    ARGON2_PASSES: z.coerce.number().int().min(1).max(100).default(2),
    /** Hashes at the same time; defaultHashesAtOnce where it is absent. */
    ARGON2_AT_ONCE: z.coerce.number().int().min(1).max(4).optional(),
    /**
     * From the approval of a reset of second factors to its effect, in which their owner may stop
     * it; 24 where absent.
     */
    FACTOR_RESET_WAIT_HOURS: z.coerce.number().int().min(1).max(720).optional(),
    /**
     * Origins that plugins of sandboxes may name although they are http or not public, separated by
     * commas; `*` as a port is any. Live tenants never reach them.
     */
    PLUGIN_SANDBOX_ORIGINS: z.string().refine(isOriginList, originListExpected).optional(),
    /** Services that ask for approvals and hear of their outcome. */
    COMPLIANCE_ADDRESS: addressEnv("COMPLIANCE_ADDRESS").COMPLIANCE_ADDRESS.optional(),
    REMITTANCE_ADDRESS: addressEnv("REMITTANCE_ADDRESS").REMITTANCE_ADDRESS.optional(),
    WALLET_ADDRESS: addressEnv("WALLET_ADDRESS").WALLET_ADDRESS.optional(),
    LENDING_ADDRESS: addressEnv("LENDING_ADDRESS").LENDING_ADDRESS.optional(),
    INVESTMENT_ADDRESS: addressEnv("INVESTMENT_ADDRESS").INVESTMENT_ADDRESS.optional(),
    LEDGER_ADDRESS: addressEnv("LEDGER_ADDRESS").LEDGER_ADDRESS.optional(),
    /** Is told events, and erases what they say of a person. */
    EVENTS_ADDRESS: addressEnv("EVENTS_ADDRESS").EVENTS_ADDRESS.optional(),
    /**
     * Who sends mails and text messages of live tenants, and of sandboxes: a sandbox never reaches
     * a live one.
     */
    NOTIFICATION_URL: z.url().optional(),
    NOTIFICATION_API_KEY: z.string().min(16).optional(),
    SANDBOX_NOTIFICATION_URL: z.url().optional(),
    SANDBOX_NOTIFICATION_API_KEY: z.string().min(16).optional(),
    /**
     * The sandbox partner stands in for a connector that is not set up; for a live one outside
     * production only.
     */
    PARTNER_URL: z.url().optional(),
    PARTNER_API_KEY: z.string().min(16).optional(),
  })
  .superRefine((env, context) => {
    checkMasterKey(env, context, true);
    if (env.NODE_ENV !== "production") return;
    const weak =
      env.ARGON2_MEMORY_KIB < weakestMemoryKib || env.ARGON2_MEMORY_KIB * env.ARGON2_PASSES < weakestKibPasses;
    if (!weak) return;
    const message = `is too weak for production: at least ${weakestMemoryKib} KiB, and KiB times passes at least ${weakestKibPasses}`;
    context.addIssue({ code: "custom", path: ["ARGON2_MEMORY_KIB"], message });
  });

export type IdentityConfig = z.infer<typeof identityEnv>;

const endpoint = (url: string | undefined, apiKey: string | undefined) =>
  url === undefined || apiKey === undefined ? undefined : { url, apiKey };

/** Who sends a sandbox's messages. */
export function sandboxEndpoint(config: IdentityConfig) {
  const { SANDBOX_NOTIFICATION_URL: url, SANDBOX_NOTIFICATION_API_KEY: apiKey } = config;
  return endpoint(url, apiKey) ?? endpoint(config.PARTNER_URL, config.PARTNER_API_KEY);
}

/** Who sends messages where a tenant has installed nobody. */
export function notificationsOf(config: IdentityConfig): NotificationEndpoints {
  const partner = endpoint(config.PARTNER_URL, config.PARTNER_API_KEY);
  const inProduction = config.NODE_ENV === "production";
  return {
    live: endpoint(config.NOTIFICATION_URL, config.NOTIFICATION_API_KEY) ?? (inProduction ? undefined : partner),
    sandbox: sandboxEndpoint(config),
  };
}
