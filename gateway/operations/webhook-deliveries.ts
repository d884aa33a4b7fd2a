import { z } from "zod";
import { operation } from "../operation.js";
import type { Route } from "../route.js";
import { instantIn } from "../schema.js";
import { cursorQuery, idIn } from "./cursor-pages.js";
import {
  Delivery,
  deliveryPath,
  deliveryStates,
  Endpoint,
  endpointPath,
  mayInclude,
  webhookKeys,
  webhooksBase,
} from "./webhook-shapes.js";

/** Ours */
const sendTest = operation({
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
  rpc: "webhooks.sendTest",
  gives: "delivery",
});

/** Ours */
const listDeliveries = operation({
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
  rpc: "webhooks.listDeliveries",
  adds: mayInclude,
});

/** Ours */
const readDelivery = operation({
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
  rpc: "webhooks.getDelivery",
  adds: mayInclude,
  gives: "delivery",
});

/** Ours */
const resendDelivery = operation({
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
  rpc: "webhooks.resendDelivery",
  adds: mayInclude,
  gives: "delivery",
});

/** Ours */
const recoverDeliveries = operation({
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
  rpc: "webhooks.recoverDeliveries",
  fields: { from: "since" },
  adds: mayInclude,
  gives: "endpoint",
});

export const webhookDeliveryRoutes: readonly Route[] = [
  sendTest,
  listDeliveries,
  readDelivery,
  resendDelivery,
  recoverDeliveries,
];
