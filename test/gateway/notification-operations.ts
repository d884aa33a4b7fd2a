import type { NotificationServiceDefinition } from "../../proto/gen/events/v1/notifications.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
const at = new Date("2026-11-21T10:15:00.000Z");
const words = { subject: "{{amount}} sent", text: "{{recipient}} has {{received}}.", html: "<p>{{recipient}}</p>" };

const kept = { kind: "transaction.completed", channel: "EMAIL", language: "en", ...words, revision: 2 };
const withTemplate = async () => ({ template: { ...kept, changedBy: "MA1", changedAt: at } });

/** What the played service answers. */
export const notificationSamples = {
  listTemplates: async () => ({ templates: [kept, { ...kept, channel: "SMS", subject: "", html: "", revision: 0 }] }),
  getTemplate: withTemplate,
  saveTemplate: withTemplate,
  removeTemplate: async () => ({}),
  previewTemplate: async () => words,
  sendTemplateTest: async () => ({}),
} satisfies Partial<Handlers<NotificationServiceDefinition>>;
