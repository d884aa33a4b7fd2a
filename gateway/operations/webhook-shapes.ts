import { z } from "zod";
import * as wire from "../../proto/gen/events/v1/webhooks.js";
import { eventTypes } from "../../services/platform/events/types.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { shape } from "../codec.js";
import type { EdgeCall } from "../route.js";
import { instant, text } from "../schema.js";
import { v6 } from "./base.js";
import { idIn } from "./cursor-pages.js";

export const webhooksBase = `${v6}/admin/webhook-management`;
export const endpointPath = z.object({ endpointId: idIn });
export const deliveryPath = z.object({ deliveryId: idIn });
export const webhookKeys = { idempotencyKey: "headers.x-idempotency-key" };

const statuses = ["ACTIVE", "PAUSED", "DISABLED"] as const;
export const deliveryStates = ["PENDING", "DELIVERED", "GIVEN_UP"] as const;

/** The service says what is wrong with it, each fault in its own words. */
export const urlIn = text(8_000).meta({
  description: "https://…, at most 2000 characters, leading to a public address; no user, password or fragment in it.",
  examples: ["https://bank.example/events"],
});
export const eventTypesIn = z
  .array(text(64))
  .min(1)
  .max(100)
  .meta({ description: "Exact types, or such as transaction.*: all of a subject." });

export const Endpoint = shape(
  wire.Endpoint,
  z
    .object({
      endpointId: z.string(),
      url: z.string(),
      description: z.string(),
      eventTypes: z.array(z.string()),
      status: z.enum(statuses),
      statusReason: z.string().optional().meta({ description: "Why it is DISABLED." }),
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
    secret: z.string().meta({ description: "Shown in this answer alone.", examples: ["whsec_bWFuaWxsYQ=="] }),
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
      subject: z.object({ type: z.string(), id: z.string() }),
      sequence: z.number().int(),
      status: z.enum(deliveryStates),
      attemptCount: z.number().int().meta({ description: "Since it was made, or sent again." }),
      attempts: z.array(Attempt),
      nextAttemptAt: instant.optional(),
      createdAt: instant,
    })
    .meta({ id: "WebhookDelivery" }),
  {
    subject: {
      from: ({ subjectType: type, subjectId: id }) => ({ type, id }),
      to: ({ type, id }) => ({ subjectType: type, subjectId: id }),
    },
  },
);

/** What the edge says of who asks. */
export const mayInclude = (call: Pick<EdgeCall, "user">) => ({ mayIncludeConfidential: seesConfidential(call) });

/**
 * Whether the caller has the compliance permission: a manager, and a
 * token of theirs with its scope.
 */
export function seesConfidential({ user }: Pick<EdgeCall, "user">): boolean {
  return user?.role === "MANAGER" && (user.scopes === undefined || user.scopes.includes("compliance:read"));
}

/** Refuses FORBIDDEN where events that would tip off are asked for without the permission. */
export function assertMayInclude(call: Pick<EdgeCall, "user">, includesConfidential: boolean | undefined): void {
  if (includesConfidential !== true || seesConfidential(call)) return;
  throw new Refusal("FORBIDDEN", "includesConfidential needs the scope compliance:read");
}
