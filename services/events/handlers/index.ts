import type { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import { NotificationServiceDefinition } from "../../../proto/gen/events/v1/notifications.js";
import { WebhookServiceDefinition } from "../../../proto/gen/events/v1/webhooks.js";
import { PluginOwnerServiceDefinition } from "../../../proto/gen/plugins/v1/owner.js";
import { alsoServe, type Handlers } from "../../kernel/grpc/server.js";
import { notificationAccess, pluginOwnerAccess, webhookAccess } from "../access.js";
import { deliveryHandlers } from "./deliveries.js";
import type { EventsDeps } from "./deps.js";
import { endpointHandlers } from "./endpoints.js";
import { eventHandlers } from "./events.js";
import { pluginOwnerHandlers } from "./plugin-owner.js";
import { scheduleHandlers } from "./schedule.js";
import { templateHandlers } from "./templates.js";

/** Events are told to these, and read from them. */
export const eventsHandlers = (deps: EventsDeps): Handlers<EventsServiceDefinition> => ({ ...eventHandlers(deps) });

/** Receivers of events, and what became of each delivery. */
export const serveWebhooks = (deps: EventsDeps) =>
  alsoServe<WebhookServiceDefinition>({
    definition: WebhookServiceDefinition,
    access: webhookAccess,
    handlers: { ...endpointHandlers(deps), ...deliveryHandlers(deps), ...scheduleHandlers(deps) },
  });

/** The words of messages. */
export const serveTemplates = (deps: Parameters<typeof templateHandlers>[0]) =>
  alsoServe<NotificationServiceDefinition>({
    definition: NotificationServiceDefinition,
    access: notificationAccess,
    handlers: { ...templateHandlers(deps) },
  });

/** What has to be done where tenants' own mail servers and text message services are called. */
export const servePluginOwner = (deps: Parameters<typeof pluginOwnerHandlers>[0]) =>
  alsoServe<PluginOwnerServiceDefinition>({
    definition: PluginOwnerServiceDefinition,
    access: pluginOwnerAccess,
    handlers: { ...pluginOwnerHandlers(deps) },
  });
