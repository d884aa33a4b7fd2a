import { z } from "zod";
import { addressEnv, serviceEnv } from "../kernel/process/config.js";
import { checkMasterKey, masterKeyEnv } from "../kernel/keys/config.js";
import { isOriginList, originListExpected } from "../platform/partners/address.js";
import type { Endpoint, Endpoints } from "./common/clients/partner-http.js";

const key = z.string().min(16).optional();

const env = serviceEnv.extend({
  ...addressEnv("IDENTITY_ADDRESS"),
  /** Hears how transactions that waited were decided, and what a confirmed hit stops. */
  REMITTANCE_ADDRESS: addressEnv("REMITTANCE_ADDRESS").REMITTANCE_ADDRESS.optional(),
  /** Freezes the wallets of a customer who is blocked for what was found of them. */
  WALLET_ADDRESS: addressEnv("WALLET_ADDRESS").WALLET_ADDRESS.optional(),
  /** Where events are told; they wait where it is absent. */
  EVENTS_ADDRESS: addressEnv("EVENTS_ADDRESS").EVENTS_ADDRESS.optional(),
  /**
   * Origins that plugins of sandboxes may name although they are http or not public, as identity
   * has it. Live tenants never reach them.
   */
  PLUGIN_SANDBOX_ORIGINS: z.string().refine(isOriginList, originListExpected).optional(),
  /**
   * Who sends links and codes of live tenants, and of sandboxes: a sandbox never reaches a live
   * one.
   */
  NOTIFICATION_URL: z.url().optional(),
  NOTIFICATION_API_KEY: key,
  SANDBOX_NOTIFICATION_URL: z.url().optional(),
  SANDBOX_NOTIFICATION_API_KEY: key,
  /** Who knows whether a contact is somebody's. */
  CONTACT_VERIFICATION_URL: z.url().optional(),
  CONTACT_VERIFICATION_API_KEY: key,
  SANDBOX_CONTACT_VERIFICATION_URL: z.url().optional(),
  SANDBOX_CONTACT_VERIFICATION_API_KEY: key,
  /** Who keeps the published screening lists. */
  SCREENING_LISTS_URL: z.url().optional(),
  SCREENING_LISTS_API_KEY: key,
  SANDBOX_SCREENING_LISTS_URL: z.url().optional(),
  SANDBOX_SCREENING_LISTS_API_KEY: key,
  /** How often it is asked, give or take a tenth; an hour when absent. */
  SCREENING_LISTS_EVERY_S: z.coerce.number().int().min(1).max(86_400).optional(),
  /** Opens the keys that screening seals whom it compared with. Needed in production. */
  ...masterKeyEnv,
  /**
   * The sandbox partner of a development cluster: stands in for whatever of the above is not named.
   * Not in production.
   */
  PARTNER_URL: z.url().optional(),
  PARTNER_API_KEY: key,
});

export const complianceEnv = env.superRefine(checkMasterKey);

export type ComplianceConfig = z.infer<typeof complianceEnv>;

/** Where a kind of partner is found, for live tenants and for sandboxes. */
export function endpointsOf(
  config: ComplianceConfig,
  kind: "NOTIFICATION" | "CONTACT_VERIFICATION" | "SCREENING_LISTS",
): Endpoints {
  const partner = config.NODE_ENV === "production" ? undefined : endpoint(config.PARTNER_URL, config.PARTNER_API_KEY);
  return {
    live: endpoint(config[`${kind}_URL`], config[`${kind}_API_KEY`]) ?? partner,
    sandbox: endpoint(config[`SANDBOX_${kind}_URL`], config[`SANDBOX_${kind}_API_KEY`]) ?? partner,
  };
}

function endpoint(url: string | undefined, apiKey: string | undefined): Endpoint | undefined {
  return url === undefined || apiKey === undefined ? undefined : { url, apiKey };
}
