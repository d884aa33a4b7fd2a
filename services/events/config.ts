import { z } from "zod";
import { addressEnv, serviceEnv } from "../kernel/process/config.js";
import { checkMasterKey, masterKeyEnv } from "../kernel/keys/config.js";
import { isOriginList, originListExpected } from "../platform/partners/address.js";
import type { NotificationEndpoints } from "../platform/messages/notifications.js";

const key = z.string().min(16).optional();

export const eventsEnv = serviceEnv
  .extend({
    ...addressEnv("IDENTITY_ADDRESS"),
    /** Opens the keys that events, secrets and answers are sealed with. Needed in production. */
    ...masterKeyEnv,
    /**
     * Origins that webhook endpoints of sandboxes may have although they are http or not public,
     * separated by commas; `*` as a port is any. Live tenants never reach them.
     */
    WEBHOOK_SANDBOX_ORIGINS: z.string().refine(isOriginList, originListExpected).optional(),
    /**
     * Origins that plugins of sandboxes may name although they are http or not public, as identity
     * has it. Live tenants never reach them.
     */
    PLUGIN_SANDBOX_ORIGINS: z.string().refine(isOriginList, originListExpected).optional(),
    /** Who sends mails of live tenants, and of sandboxes: a sandbox never reaches a live one. */
    NOTIFICATION_URL: z.url().optional(),
    NOTIFICATION_API_KEY: key,
    SANDBOX_NOTIFICATION_URL: z.url().optional(),
    SANDBOX_NOTIFICATION_API_KEY: key,
    /** The sandbox partner of a development cluster stands in for it. Not in production. */
    PARTNER_URL: z.url().optional(),
    PARTNER_API_KEY: key,
  })
  .superRefine(checkMasterKey);

export type EventsConfig = z.infer<typeof eventsEnv>;

/** Where mails go, for live tenants and for sandboxes. */
export function notificationsOf(config: EventsConfig): NotificationEndpoints {
  const { PARTNER_URL: url, PARTNER_API_KEY: apiKey, NODE_ENV } = config;
  const partner = NODE_ENV === "production" ? undefined : endpoint(url, apiKey);
  return {
    live: endpoint(config.NOTIFICATION_URL, config.NOTIFICATION_API_KEY) ?? partner,
    sandbox: endpoint(config.SANDBOX_NOTIFICATION_URL, config.SANDBOX_NOTIFICATION_API_KEY) ?? partner,
  };
}

/** Of WEBHOOK_SANDBOX_ORIGINS. */
export function sandboxOriginsOf({ WEBHOOK_SANDBOX_ORIGINS: text }: EventsConfig): string[] {
  return text === undefined ? [] : text.split(",");
}

function endpoint(url: string | undefined, apiKey: string | undefined) {
  return url === undefined || apiKey === undefined ? undefined : { url, apiKey };
}
