import { z } from "zod";
import { Refusal } from "../../services/kernel/refusal.js";
import { documentedTypes } from "../../services/platform/events/declare.js";
import { eventTypes, testEventType } from "../../services/platform/events/types.js";
import { operation } from "../operation.js";
import { route, type EdgeCall } from "../route.js";
import { maybe, text, wholeNumberIn } from "../schema.js";
import { Endpoint, EndpointWithSecret } from "../shapes/events.js";
import { seesConfidential } from "./events.js";
import { endpointPath, managed, mayInclude, webhookDeliveryRoutes, webhooksBase } from "./webhook-deliveries.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const maxRate = 10_000;
const maxOverlapHours = 168;
const rateIn = wholeNumberIn(0, maxRate);
const orderedIn = z.boolean().meta({ description: "Each subject's events in sequence, one after the other." });
const confidentialIn = z.boolean().meta({
  description: "Also events that would tip off whom they are about; needs the permission to read compliance.",
});
const descriptionIn = text(500, 0);

/** The service says what is wrong with it, each fault in its own words. */
const urlIn = text(8_000).meta({
  description: "https://…, at most 2000 characters, leading to a public address; no user, password or fragment in it.",
  examples: ["https://bank.example/events"],
});
const eventTypesIn = z
  .array(text(64))
  .min(1)
  .max(100)
  .meta({ description: "Exact types, or such as transaction.*: all of a subject." });

/** Refuses FORBIDDEN where events that would tip off are asked for without the permission. */
function assertMayInclude(call: Pick<EdgeCall, "user">, includesConfidential: boolean | undefined): void {
  if (includesConfidential !== true || seesConfidential(call)) return;
  throw new Refusal("FORBIDDEN", "includesConfidential needs the scope compliance:read");
}

const listWebhookEventTypes = route({
  ...managed,
  method: "get",
  path: `${webhooksBase}/event-types`,
  summary: "List the types of events",
  answer: z.object({
    eventTypes: z.array(
      z
        .object({
          type: z.enum(eventTypes),
          summary: leaf.description,
          version: z.number().int(),
          isConfidential: z.boolean().meta({ description: "For endpoints with includesConfidential alone." }),
        })
        .meta({ id: "WebhookEventType" }),
    ),
  }),
  message: "Types of events",
  example: { as: "manager@demo.example" },
  run: async () => ({ eventTypes: documentedTypes().filter(({ type }) => type !== testEventType) }),
});

const createWebhookEndpoint = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints`,
  summary: "Have events sent to a URL; at most 50 an organisation",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      url: urlIn,
      description: maybe(descriptionIn),
      eventTypes: eventTypesIn,
      ordered: maybe(orderedIn),
      rateLimitPerSecond: maybe(rateIn),
      includesConfidential: maybe(confidentialIn),
    })
    .meta({ id: "CreateWebhookEndpointRequest" }),
  answer: EndpointWithSecret,
  message: "Webhook endpoint created",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "webhook-2026-0042" },
    body: { url: "http://localhost:3000/events", eventTypes: ["transaction.*"], ordered: true },
  },
  rpc: "webhooks.createEndpoint",
  asks: ({ body, call }) => {
    assertMayInclude(call, body.includesConfidential);
    return body;
  },
});

const listWebhookEndpoints = operation({
  ...managed,
  method: "get",
  path: `${webhooksBase}/endpoints`,
  summary: "List the webhook endpoints",
  answer: z.object({ endpoints: z.array(Endpoint) }),
  message: "Webhook endpoints",
  example: { as: "manager@demo.example" },
  rpc: "webhooks.listEndpoints",
});

const readWebhookEndpoint = operation({
  ...managed,
  method: "get",
  path: `${webhooksBase}/endpoints/:endpointId`,
  summary: "Read a webhook endpoint",
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.getEndpoint",
});

const changeWebhookEndpoint = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/change`,
  summary: "Change what is named of a webhook endpoint",
  headers: { idempotencyKey: "required" },
  params: endpointPath,
  body: z
    .object({
      url: maybe(urlIn),
      description: maybe(descriptionIn),
      eventTypes: maybe(eventTypesIn),
      ordered: maybe(orderedIn),
      rateLimitPerSecond: maybe(rateIn),
      includesConfidential: maybe(confidentialIn),
    })
    .meta({ id: "ChangeWebhookEndpointRequest" }),
  answer: Endpoint,
  message: "Webhook endpoint changed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "webhook-change-2026-0042" },
    params: { endpointId: "the-endpoint" },
    body: { rateLimitPerSecond: 20 },
    answers: 404,
  },
  rpc: "webhooks.changeEndpoint",
  asks: ({ params, body: { eventTypes: types, ...rest }, call }) => {
    assertMayInclude(call, rest.includesConfidential);
    return { ...params, ...rest, eventTypes: types && { eventTypes: types }, ...mayInclude(call) };
  },
});

const pauseWebhookEndpoint = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/pause`,
  summary: "Hold the deliveries of an endpoint back until it is resumed",
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint paused",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.pauseEndpoint",
});

const resumeWebhookEndpoint = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/resume`,
  summary: "Send what was held back; also from an endpoint that was disabled",
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint resumed",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.resumeEndpoint",
});

const removeWebhookEndpoint = operation({
  ...managed,
  method: "delete",
  path: `${webhooksBase}/endpoints/:endpointId`,
  summary: "Remove a webhook endpoint: nothing more is sent to it",
  params: endpointPath,
  answer: z.object({}),
  message: "Webhook endpoint removed",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.removeEndpoint",
});

const rotateWebhookSecret = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/rotate-secret`,
  summary: "Make a new secret; the one before signs too until the overlap ends",
  headers: { idempotencyKey: "required" },
  params: endpointPath,
  body: z
    .object({
      overlapHours: wholeNumberIn(0, maxOverlapHours).meta({
        description: "How long both sign; 0 ends the one before at once, as after a leak.",
      }),
    })
    .meta({ id: "RotateWebhookSecretRequest" }),
  answer: EndpointWithSecret,
  message: "Secret rotated",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "webhook-rotate-2026-0042" },
    params: { endpointId: "the-endpoint" },
    body: { overlapHours: 24 },
    answers: 404,
  },
  rpc: "webhooks.rotateSecret",
  adds: mayInclude,
});

export const webhookRoutes = {
  listWebhookEventTypes,
  createWebhookEndpoint,
  listWebhookEndpoints,
  readWebhookEndpoint,
  changeWebhookEndpoint,
  pauseWebhookEndpoint,
  resumeWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  ...webhookDeliveryRoutes,
};
