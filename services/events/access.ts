import type { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import type { NotificationServiceDefinition } from "../../proto/gen/events/v1/notifications.js";
import type { WebhookServiceDefinition } from "../../proto/gen/events/v1/webhooks.js";
import type { PluginOwnerServiceDefinition } from "../../proto/gen/plugins/v1/owner.js";
import type { Access, RpcAccess } from "../kernel/grpc/server.js";

const managers: RpcAccess = { callers: ["gateway"], user: "required", roles: ["MANAGER"] };

/** Who may call what. */
export const access: Access<EventsServiceDefinition> = {
  publishEvents: { callers: ["identity", "compliance", "ledger", "remittance", "wallet", "lending", "investment"] },
  listEvents: managers,
  getEvent: managers,
  readEvents: managers,
};

/** Words are managers' to choose; identity and compliance ask for those of what they send. */
export const notificationAccess: Access<NotificationServiceDefinition> = {
  listTemplates: managers,
  getTemplate: managers,
  saveTemplate: managers,
  removeTemplate: managers,
  previewTemplate: managers,
  sendTemplateTest: managers,
  findOwnTemplates: { callers: ["identity", "compliance"] },
};

/** Where events are sent is for managers: what they hold is of every customer. */
export const webhookAccess: Access<WebhookServiceDefinition> = {
  createEndpoint: managers,
  getEndpoint: managers,
  listEndpoints: managers,
  changeEndpoint: managers,
  pauseEndpoint: managers,
  resumeEndpoint: managers,
  removeEndpoint: managers,
  rotateSecret: managers,
  sendTest: managers,
  listDeliveries: managers,
  getDelivery: managers,
  resendDelivery: managers,
  recoverDeliveries: managers,
  setSchedule: managers,
  getSchedule: managers,
};

/** Tests are managers' to run; callbacks come without anybody. */
export const pluginOwnerAccess: Access<PluginOwnerServiceDefinition> = {
  testPlugin: managers,
  receiveCallback: { callers: ["gateway"] },
  listUnservedCorridors: managers,
};
