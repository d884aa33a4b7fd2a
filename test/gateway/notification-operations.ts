import type { NotificationServiceDefinition } from "../../proto/gen/events/v1/notifications.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import type { Sent } from "./edge.js";

const base = "/api/v6/services/admin/notification-management";
const template = `${base}/templates/{kind}/{channel}/{language}`;
const at = new Date("2026-11-21T10:15:00.000Z");
const words = { subject: "{{amount}} sent", text: "{{recipient}} has {{received}}.", html: "<p>{{recipient}}</p>" };

const row = (name: string, path: string, request: Partial<Sent> & { method: string }) => ({
  name,
  path,
  roles: ["MANAGER"] as const,
  request: {
    path: path.replace("{kind}", "transaction.completed").replace("{channel}", "EMAIL").replace("{language}", "en"),
    ...request,
  },
});

/** A right request for every operation of what people are told. */
export const notificationOperations = [
  row("notification kinds", `${base}/kinds`, { method: "GET" }),
  row("notification templates", `${base}/templates`, {
    method: "GET",
    path: `${base}/templates?kind=transaction.completed&language=en`,
  }),
  row("notification template", template, { method: "GET" }),
  row("save notification template", template, { method: "PUT", body: { revision: 1, ...words } }),
  row("remove notification template", template, { method: "DELETE" }),
  row("preview notification template", `${template}/preview`, { method: "POST", body: { draft: words } }),
  row("send notification test", `${template}/send-test`, {
    method: "POST",
    headers: { "x-idempotency-key": "key-1" },
  }),
];

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
