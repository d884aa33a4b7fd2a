import type { AccessRow } from "./access-row.js";

const managers: AccessRow = { roles: ["MANAGER"], scopes: ["webhooks:manage"] };
const words: AccessRow = { roles: ["MANAGER"], scopes: ["settings:write"] };

export const eventsAccess = {
  listEvents: managers,
  streamEvents: managers,
  readEvent: managers,
  listWebhookEventTypes: managers,
  createWebhookEndpoint: managers,
  listWebhookEndpoints: managers,
  readWebhookEndpoint: managers,
  changeWebhookEndpoint: managers,
  pauseWebhookEndpoint: managers,
  resumeWebhookEndpoint: managers,
  removeWebhookEndpoint: managers,
  rotateWebhookSecret: managers,
  sendWebhookTest: managers,
  listWebhookDeliveries: managers,
  readWebhookDelivery: managers,
  resendWebhookDelivery: managers,
  recoverWebhookDeliveries: managers,
  readWebhookSchedule: managers,
  setWebhookSchedule: managers,
  listNotificationKinds: words,
  listNotificationTemplates: words,
  readNotificationTemplate: words,
  saveNotificationTemplate: { roles: ["MANAGER"] },
  removeNotificationTemplate: { roles: ["MANAGER"] },
  previewNotificationTemplate: words,
  sendNotificationTest: words,
} satisfies Record<string, AccessRow>;
