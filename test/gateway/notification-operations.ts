import type { NotificationServiceDefinition } from "../../proto/gen/events/v1/notifications.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";

/** What the played service answers. */
export const notificationSamples = {} satisfies Partial<Handlers<NotificationServiceDefinition>>;
