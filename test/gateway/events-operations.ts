import type { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import type { WebhookServiceDefinition } from "../../proto/gen/events/v1/webhooks.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import type { Sent } from "./edge.js";

const admin = "/api/v6/services/admin";
const events = `${admin}/events`;
const hooks = `${admin}/webhook-management`;
const at = new Date("2026-11-21T10:15:00.000Z");

const row = (name: string, path: string, request: Partial<Sent> & { method: string }, file?: string) => ({
  name,
  path,
  roles: ["MANAGER"] as const,
  request: { path: path.replaceAll(/\{(\w+)\}/g, "$1-1"), ...request },
  ...(file !== undefined && { file }),
});
const key = { "x-idempotency-key": "key-1" };
const keyed = (body: object) => ({ method: "POST", headers: key, body });
const settings = {
  url: "https://bank.example/events",
  description: "core",
  eventTypes: ["transaction.*"],
  ordered: true,
  rateLimitPerSecond: 20,
  includesConfidential: true,
};

/** A right request for every operation of events and webhooks. */
export const eventsOperations = [
  row("events", events, { method: "GET", path: `${events}?subject=transaction:T1&type=transaction.paid&size=5` }),
  row("event stream", `${events}/stream`, { method: "GET", path: `${events}/stream?seconds=1` }, "text/event-stream"),
  row("event", `${events}/{eventId}`, { method: "GET" }),
  row("event types", `${hooks}/event-types`, { method: "GET" }),
  row("create webhook endpoint", `${hooks}/endpoints`, keyed(settings)),
  row("webhook endpoints", `${hooks}/endpoints`, { method: "GET" }),
  row("webhook endpoint", `${hooks}/endpoints/{endpointId}`, { method: "GET" }),
  row("change webhook endpoint", `${hooks}/endpoints/{endpointId}/change`, keyed({ ...settings, ordered: false })),
  row("pause webhook endpoint", `${hooks}/endpoints/{endpointId}/pause`, { method: "POST" }),
  row("resume webhook endpoint", `${hooks}/endpoints/{endpointId}/resume`, { method: "POST" }),
  row("remove webhook endpoint", `${hooks}/endpoints/{endpointId}`, { method: "DELETE" }),
  row("rotate webhook secret", `${hooks}/endpoints/{endpointId}/rotate-secret`, keyed({ overlapHours: 24 })),
  row("send webhook test", `${hooks}/endpoints/{endpointId}/send-test`, { method: "POST", headers: key }),
  row("webhook deliveries", `${hooks}/endpoints/{endpointId}/deliveries`, {
    method: "GET",
    path: `${hooks}/endpoints/endpointId-1/deliveries?status=GIVEN_UP&size=5`,
  }),
  row("webhook delivery", `${hooks}/deliveries/{deliveryId}`, { method: "GET" }),
  row("resend webhook delivery", `${hooks}/deliveries/{deliveryId}/resend`, { method: "POST", headers: key }),
  row("recover webhook deliveries", `${hooks}/endpoints/{endpointId}/recover`, keyed({ from: "2026-11-20T00:00:00Z" })),
  row("webhook schedule", `${hooks}/schedule`, { method: "GET" }),
];

const subject = { type: "transaction", id: "T1" };
const body = {
  id: "event-1",
  type: "transaction.paid",
  version: 1,
  timestamp: at.toISOString(),
  subject,
  sequence: 2,
  interactionId: "i-1",
  data: { id: "T1", sendAmount: "25.50" },
};
const event = {
  eventId: "event-1",
  type: "transaction.paid",
  occurredAt: at,
  subjectType: "transaction",
  subjectId: "T1",
  sequence: 2n,
  interactionId: "i-1",
  body: JSON.stringify(body),
  place: "7",
};
const endpoint = {
  ...settings,
  endpointId: "endpoint-1",
  status: "ACTIVE",
  statusReason: "",
  secrets: [{ secretId: "secret-1", createdAt: at, expiresAt: at }],
  createdAt: at,
  changedAt: at,
  failingSince: at,
};
const delivery = {
  deliveryId: "delivery-1",
  endpointId: "endpoint-1",
  eventId: "event-1",
  eventType: "transaction.paid",
  subjectType: "transaction",
  subjectId: "T1",
  sequence: 2n,
  status: "PENDING",
  attempts: [{ at, status: 500, durationMs: 12, answer: "no", error: "" }],
  attemptCount: 1,
  createdAt: at,
  nextAttemptAt: at,
};
const withEndpoint = async () => ({ endpoint });
const withSecret = async () => ({ endpoint, secret: "whsec_bWFuaWxsYQ==" });
const withDelivery = async () => ({ delivery });

/** What the played events answer. */
export const eventsSamples = {
  listEvents: async () => ({ events: [event, { ...event, body: "" }], nextCursor: "7", cursor: "7" }),
  getEvent: async () => ({ event }),
  readEvents: async ({ after }) => ({ events: after === "" ? [event] : [], place: "7" }),
} satisfies Partial<Handlers<EventsServiceDefinition>>;

/** What the played webhooks answer. */
export const webhookSamples = {
  createEndpoint: withSecret,
  getEndpoint: withEndpoint,
  listEndpoints: async () => ({ endpoints: [endpoint] }),
  changeEndpoint: withEndpoint,
  pauseEndpoint: withEndpoint,
  resumeEndpoint: withEndpoint,
  removeEndpoint: async () => ({}),
  rotateSecret: withSecret,
  sendTest: withDelivery,
  listDeliveries: async () => ({ deliveries: [delivery], nextCursor: "7" }),
  getDelivery: withDelivery,
  resendDelivery: withDelivery,
  recoverDeliveries: withEndpoint,
  getSchedule: async () => ({ waitsS: [5, 300] }),
  setSchedule: async ({ waitsS }) => ({ waitsS }),
} satisfies Partial<Handlers<WebhookServiceDefinition>>;
