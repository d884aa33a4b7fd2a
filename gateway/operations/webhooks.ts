import { z } from "zod";
import { Refusal } from "../../services/kernel/refusal.js";
import { documentedTypes } from "../../services/platform/events/declare.js";
import { eventTypes, testEventType } from "../../services/platform/events/types.js";
import { operation } from "../operation.js";
import { route, type EdgeCall, type Route } from "../route.js";
import { maybe, text, wholeNumberIn } from "../schema.js";
import { Endpoint, EndpointWithSecret } from "../shapes/events.js";
import { seesConfidential } from "./events.js";
import {
  endpointPath,
  managed,
  mayInclude,
  webhookDeliveryRoutes,
  webhookKeys,
  webhooksBase,
} from "./webhook-deliveries.js";
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

const listEventTypes = route({
  ...managed,
  method: "get",
  path: `${webhooksBase}/event-types`,
  operationId: "listWebhookEventTypes",
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

const createEndpoint = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints`,
  operationId: "createWebhookEndpoint",
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
  renames: webhookKeys,
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

const listEndpoints = operation({
  ...managed,
  method: "get",
  path: `${webhooksBase}/endpoints`,
  operationId: "listWebhookEndpoints",
  summary: "List the webhook endpoints",
  answer: z.object({ endpoints: z.array(Endpoint) }),
  message: "Webhook endpoints",
  example: { as: "manager@demo.example" },
  rpc: "webhooks.listEndpoints",
});

const readEndpoint = operation({
  ...managed,
  method: "get",
  path: `${webhooksBase}/endpoints/:endpointId`,
  operationId: "readWebhookEndpoint",
  summary: "Read a webhook endpoint",
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.getEndpoint",
  gives: "endpoint",
});

const changeEndpoint = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/change`,
  operationId: "changeWebhookEndpoint",
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
  renames: webhookKeys,
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
  gives: "endpoint",
});

const pauseEndpoint = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/pause`,
  operationId: "pauseWebhookEndpoint",
  summary: "Hold the deliveries of an endpoint back until it is resumed",
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint paused",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.pauseEndpoint",
  gives: "endpoint",
});

const resumeEndpoint = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/resume`,
  operationId: "resumeWebhookEndpoint",
  summary: "Send what was held back; also from an endpoint that was disabled",
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint resumed",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.resumeEndpoint",
  gives: "endpoint",
});

const removeEndpoint = operation({
  ...managed,
  method: "delete",
  path: `${webhooksBase}/endpoints/:endpointId`,
  operationId: "removeWebhookEndpoint",
  summary: "Remove a webhook endpoint: nothing more is sent to it",
  params: endpointPath,
  answer: z.object({}),
  message: "Webhook endpoint removed",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.removeEndpoint",
});

const rotateSecret = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/rotate-secret`,
  operationId: "rotateWebhookSecret",
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
  renames: webhookKeys,
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

export const webhookRoutes: readonly Route[] = [
  listEventTypes,
  createEndpoint,
  listEndpoints,
  readEndpoint,
  changeEndpoint,
  pauseEndpoint,
  resumeEndpoint,
  removeEndpoint,
  rotateSecret,
  ...webhookDeliveryRoutes,
];
