import { z } from "zod";
import * as wireEvents from "../../proto/gen/events/v1/events.js";
import * as wire from "../../proto/gen/events/v1/webhooks.js";
import { parseJson, type JsonNumber } from "../../services/kernel/json.js";
import { eventTypes } from "../../services/platform/events/types.js";
import { shape } from "../codec.js";
import { instant, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const subject = { group: { type: "subjectType", id: "subjectId" } } as const;

interface Parts {
  version?: JsonNumber;
  data?: Record<string, unknown>;
}

/** Of the body that webhooks send; nothing where the person was erased. */
function partsOf(body: string): Parts {
  return body === "" ? {} : (parseJson(body) as Parts);
}

function bodyOf(_member: unknown, { version, data }: Readonly<Record<string, unknown>>) {
  return { body: JSON.stringify({ version, data }) };
}

export const Event = shape(
  wireEvents.Event,
  z
    .object({
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00000403827a"),
      type: z.enum(eventTypes),
      version: z.number().int().optional().meta({ description: "Of the shape of data." }),
      timestamp: instant.meta({ description: "When it happened." }),
      subject: z.object({ type: z.string(), id: shown(z.string(), "0199d0c2-0000-7000-8000-001890aa552c") }),
      sequence: z.number().int().meta({ description: "1, 2, 3… of the subject, without gaps." }),
      interactionId: leaf.interactionId,
      data: z
        .record(z.string(), z.unknown())
        .optional()
        .meta({ description: "As `webhooks` of this document says, by type; absent where the person was erased." }),
    })
    .meta({ id: "Event" }),
  {
    id: "eventId",
    timestamp: "occurredAt",
    subject,
    version: {
      from: ({ body }) => {
        const version = partsOf(body).version;
        return version && Number(version.text);
      },
      to: bodyOf,
    },
    data: { from: ({ body }) => partsOf(body).data, to: bodyOf },
  },
);

const statuses = ["ACTIVE", "PAUSED", "DISABLED"] as const;
export const deliveryStates = ["PENDING", "DELIVERED", "GIVEN_UP"] as const;

export const Endpoint = shape(
  wire.Endpoint,
  z
    .object({
      endpointId: z.string(),
      url: z.string(),
      description: leaf.description,
      eventTypes: z.array(z.string()),
      status: z.enum(statuses),
      statusReason: leaf.reason.optional().meta({ description: "Why it is DISABLED." }),
      ordered: z.boolean().meta({ description: "Each subject's events come in sequence, one after the other." }),
      rateLimitPerSecond: z.number().int().meta({ description: "0: no limit." }),
      includesConfidential: z.boolean(),
      secrets: z.array(
        z.object({
          secretId: z.string(),
          createdAt: instant,
          expiresAt: instant.optional().meta({ description: "When it signs no more; absent for the newest." }),
        }),
      ),
      createdAt: instant,
      changedAt: instant,
      failingSince: instant.optional().meta({ description: "Since when every attempt has failed." }),
    })
    .meta({ id: "WebhookEndpoint" }),
);

export const EndpointWithSecret = z
  .object({
    endpoint: Endpoint,
    secret: leaf.secret.meta({ description: "Shown in this answer alone.", examples: ["whsec_bWFuaWxsYQ=="] }),
  })
  .meta({ id: "WebhookEndpointWithSecret" });

const Attempt = shape(
  wire.DeliveryAttempt,
  z.object({
    at: instant,
    status: z.number().int().optional().meta({ description: "HTTP status; absent where there was no answer." }),
    durationMs: z.number().int(),
    answer: z.string().optional().meta({ description: "The first kilobyte; in the answer for one delivery." }),
    error: z.string().optional(),
  }),
);

export const Delivery = shape(
  wire.Delivery,
  z
    .object({
      deliveryId: z.string(),
      endpointId: z.string(),
      eventId: z.string(),
      eventType: z.enum(eventTypes),
      subject: z.object({ type: z.string(), id: shown(z.string(), "0199d0c2-0000-7000-8000-001890aa552c") }),
      sequence: z.number().int(),
      status: z.enum(deliveryStates),
      attemptCount: z.number().int().meta({ description: "Since it was made, or sent again." }),
      attempts: z.array(Attempt),
      nextAttemptAt: instant.optional(),
      createdAt: instant,
    })
    .meta({ id: "WebhookDelivery" }),
  { subject },
);
