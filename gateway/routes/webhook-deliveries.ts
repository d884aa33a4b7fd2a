import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route, type Route } from "../route.js";
import { instantIn } from "../schema.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "./cursor-pages.js";
import { keyOf, replaying } from "./keyed-call.js";
import {
  Delivery,
  deliveryFromWire,
  deliveryPath,
  deliveryStates,
  Endpoint,
  endpointFromWire,
  endpointPath,
  seesConfidential,
  webhookKeys,
  webhooksBase,
} from "./webhook-shapes.js";

/** Ours */
const sendTest = route({
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/send-test`,
  operationId: "sendWebhookTest",
  tag: "Webhooks",
  summary: "Send an event of type webhook_endpoint.test to one endpoint",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  headers: { idempotencyKey: "required" },
  params: endpointPath,
  answer: Delivery,
  message: "Test event on its way",
  renames: webhookKeys,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "webhook-test-2026-0042" },
    params: { endpointId: "the-endpoint" },
    answers: 404,
  },
  run: async ({ params, headers, call, clients }) => {
    const answer = await clients.webhooks.sendTest({ ...params, ...keyOf(headers) }, replaying(call));
    return deliveryFromWire(answer.delivery);
  },
});

/** Ours */
const listDeliveries = route({
  method: "get",
  path: `${webhooksBase}/endpoints/:endpointId/deliveries`,
  operationId: "listWebhookDeliveries",
  tag: "Webhooks",
  summary: "List the deliveries of an endpoint, newest first",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  params: endpointPath,
  query: cursorQuery.extend({ status: z.enum(deliveryStates).optional(), eventId: idIn.optional() }),
  answer: z.object({ deliveries: z.array(Delivery), nextCursor: z.string().optional() }),
  message: "Deliveries",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  run: async ({ params, query, call, clients }) => {
    const { status = "", eventId = "" } = query;
    const mayIncludeConfidential = seesConfidential(call);
    const request = { ...params, ...pageOf(query), status, eventId, mayIncludeConfidential };
    const answer = await clients.webhooks.listDeliveries(request, outgoing(call));
    return { deliveries: answer.deliveries.map(deliveryFromWire), ...nextCursorOf(answer) };
  },
});

/** Ours */
const readDelivery = route({
  method: "get",
  path: `${webhooksBase}/deliveries/:deliveryId`,
  operationId: "readWebhookDelivery",
  tag: "Webhooks",
  summary: "Read a delivery and its last 20 attempts",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  params: deliveryPath,
  answer: Delivery,
  message: "Delivery",
  example: { as: "manager@demo.example", params: { deliveryId: "the-delivery" }, answers: 404 },
  run: async ({ params, call, clients }) => {
    const request = { ...params, mayIncludeConfidential: seesConfidential(call) };
    return deliveryFromWire((await clients.webhooks.getDelivery(request, outgoing(call))).delivery);
  },
});

/** Ours */
const resendDelivery = route({
  method: "post",
  path: `${webhooksBase}/deliveries/:deliveryId/resend`,
  operationId: "resendWebhookDelivery",
  tag: "Webhooks",
  summary: "Send a delivery that ended once more: the same id and the same bytes",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  headers: { idempotencyKey: "required" },
  params: deliveryPath,
  answer: Delivery,
  message: "Delivery on its way",
  renames: webhookKeys,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "webhook-resend-2026-0042" },
    params: { deliveryId: "the-delivery" },
    answers: 404,
  },
  run: async ({ params, headers, call, clients }) => {
    const request = { ...params, ...keyOf(headers), mayIncludeConfidential: seesConfidential(call) };
    const answer = await clients.webhooks.resendDelivery(request, replaying(call));
    return deliveryFromWire(answer.delivery);
  },
});

/** Ours */
const recoverDeliveries = route({
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/recover`,
  operationId: "recoverWebhookDeliveries",
  tag: "Webhooks",
  summary: "Send all again that an endpoint did not get since a time",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  headers: { idempotencyKey: "required" },
  params: endpointPath,
  body: z
    .object({ from: instantIn.meta({ description: "Within the last 30 days." }) })
    .meta({ id: "RecoverWebhookDeliveriesRequest" }),
  answer: Endpoint,
  message: "Deliveries are being recovered",
  renames: { ...webhookKeys, since: "from" },
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "webhook-recover-2026-0042" },
    params: { endpointId: "the-endpoint" },
    body: { from: "2026-11-21T10:15:00Z" },
    answers: 404,
  },
  run: async ({ params, body, headers, call, clients }) => {
    const asked = { ...params, ...keyOf(headers), since: new Date(body.from) };
    const request = { ...asked, mayIncludeConfidential: seesConfidential(call) };
    const answer = await clients.webhooks.recoverDeliveries(request, replaying(call));
    return endpointFromWire(answer.endpoint);
  },
});

export const webhookDeliveryRoutes: readonly Route[] = [
  sendTest,
  listDeliveries,
  readDelivery,
  resendDelivery,
  recoverDeliveries,
];
