import type { EventsServiceDefinition } from "../../proto/gen/events/v1/events.js";
import type { WebhookServiceDefinition } from "../../proto/gen/events/v1/webhooks.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
const at = new Date("2026-11-21T10:15:00.000Z");

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

/** What the played events answer. */
export const eventsSamples = {
  readEvents: async ({ after }) => ({ events: after === "" ? [event] : [], place: "7" }),
} satisfies Partial<Handlers<EventsServiceDefinition>>;

/** What the played webhooks answer. */
export const webhookSamples = {} satisfies Partial<Handlers<WebhookServiceDefinition>>;
