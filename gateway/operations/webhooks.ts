import { z } from "zod";
import { documentedTypes } from "../../services/platform/events/declare.js";
import { eventTypes, testEventType } from "../../services/platform/events/types.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, type Route } from "../route.js";
import { maybe, text, wholeNumberIn } from "../schema.js";
import { keyOf, replaying } from "./keyed-call.js";
import { webhookDeliveryRoutes } from "./webhook-deliveries.js";
import { webhookScheduleRoutes } from "./webhook-schedule.js";
import {
  assertMayInclude,
  Endpoint,
  endpointPath,
  EndpointWithSecret,
  eventTypesIn,
  mayInclude,
  seesConfidential,
  urlIn,
  webhookKeys,
  webhooksBase,
} from "./webhook-shapes.js";

const endpointFromWire = readerOf(Endpoint);
const maxRate = 10_000;
const maxOverlapHours = 168;
const rateIn = wholeNumberIn(0, maxRate);
const orderedIn = z.boolean().meta({ description: "Each subject's events in sequence, one after the other." });
const confidentialIn = z.boolean().meta({
  description: "Also events that would tip off whom they are about; needs the permission to read compliance.",
});
const descriptionIn = text(500, 0);

/** Ours */
const listEventTypes = route({
  method: "get",
  path: `${webhooksBase}/event-types`,
  operationId: "listWebhookEventTypes",
  tag: "Webhooks",
  summary: "List the types of events",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  answer: z.object({
    eventTypes: z.array(
      z
        .object({
          type: z.enum(eventTypes),
          summary: z.string(),
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

/** Ours */
const createEndpoint = route({
  method: "post",
  path: `${webhooksBase}/endpoints`,
  operationId: "createWebhookEndpoint",
  tag: "Webhooks",
  summary: "Have events sent to a URL; at most 50 an organisation",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
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
  run: async ({ body, headers, call, clients }) => {
    const { url, description = "", ordered = false, rateLimitPerSecond = 0, includesConfidential = false } = body;
    assertMayInclude(call, includesConfidential);
    const settings = {
      url,
      description,
      eventTypes: body.eventTypes,
      ordered,
      rateLimitPerSecond,
      includesConfidential,
    };
    const answer = await clients.webhooks.createEndpoint({ ...settings, ...keyOf(headers) }, replaying(call));
    return { endpoint: endpointFromWire(answer.endpoint), secret: answer.secret };
  },
});

/** Ours */
const listEndpoints = operation({
  method: "get",
  path: `${webhooksBase}/endpoints`,
  operationId: "listWebhookEndpoints",
  tag: "Webhooks",
  summary: "List the webhook endpoints",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  answer: z.object({ endpoints: z.array(Endpoint) }),
  message: "Webhook endpoints",
  example: { as: "manager@demo.example" },
  rpc: "webhooks.listEndpoints",
});

/** Ours */
const readEndpoint = operation({
  method: "get",
  path: `${webhooksBase}/endpoints/:endpointId`,
  operationId: "readWebhookEndpoint",
  tag: "Webhooks",
  summary: "Read a webhook endpoint",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.getEndpoint",
  gives: "endpoint",
});

/** Ours */
const changeEndpoint = route({
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/change`,
  operationId: "changeWebhookEndpoint",
  tag: "Webhooks",
  summary: "Change what is named of a webhook endpoint",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
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
  run: async ({ params, body, headers, call, clients }) => {
    const { eventTypes: types, ...rest } = body;
    assertMayInclude(call, rest.includesConfidential);
    const requested = { ...params, ...rest, ...keyOf(headers), ...(types && { eventTypes: { eventTypes: types } }) };
    const request = { ...requested, mayIncludeConfidential: seesConfidential(call) };
    const answer = await clients.webhooks.changeEndpoint(request, replaying(call));
    return endpointFromWire(answer.endpoint);
  },
});

/** Ours */
const pauseEndpoint = operation({
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/pause`,
  operationId: "pauseWebhookEndpoint",
  tag: "Webhooks",
  summary: "Hold the deliveries of an endpoint back until it is resumed",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint paused",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.pauseEndpoint",
  gives: "endpoint",
});

/** Ours */
const resumeEndpoint = operation({
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/resume`,
  operationId: "resumeWebhookEndpoint",
  tag: "Webhooks",
  summary: "Send what was held back; also from an endpoint that was disabled",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  params: endpointPath,
  answer: Endpoint,
  message: "Webhook endpoint resumed",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.resumeEndpoint",
  gives: "endpoint",
});

/** Ours */
const removeEndpoint = operation({
  method: "delete",
  path: `${webhooksBase}/endpoints/:endpointId`,
  operationId: "removeWebhookEndpoint",
  tag: "Webhooks",
  summary: "Remove a webhook endpoint: nothing more is sent to it",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  params: endpointPath,
  answer: z.object({}),
  message: "Webhook endpoint removed",
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.removeEndpoint",
});

/** Ours */
const rotateSecret = operation({
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/rotate-secret`,
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  summary: "Make a new secret; the one before signs too until the overlap ends",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
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
  ...webhookScheduleRoutes,
];
