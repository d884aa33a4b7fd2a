import type { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import type { WebhookServiceDefinition } from "../../proto/gen/events/v1/webhooks.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
const at = new Date("2026-11-21T10:15:00.000Z");
const settings = {
  url: "https://bank.example/events",
  description: "core",
  eventTypes: ["transaction.*"],
  ordered: true,
  rateLimitPerSecond: 20,
  includesConfidential: true,
};

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
