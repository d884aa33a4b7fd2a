import { z } from "zod";
import { operation } from "../operation.js";
import { type EdgeCall, v6 } from "../route.js";
import { instantIn, wholeNumberIn, cursorQuery, idIn } from "../schema.js";
import { Delivery, deliveryStates, Endpoint } from "../shapes/events.js";
import { seesConfidential } from "./events.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const managed = { tag: "Webhooks", access: ["MANAGER"], scopes: ["webhooks:manage"] } as const;

export const webhooksBase = `${v6}/admin/webhook-management`;
export const endpointPath = z.object({ endpointId: idIn });
const deliveryPath = z.object({ deliveryId: idIn });
const maxWaits = 9;
const dayS = 86_400;

/** What the edge says of who asks. */
export const mayInclude = (call: Pick<EdgeCall, "user">) => ({ mayIncludeConfidential: seesConfidential(call) });

const sendWebhookTest = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/send-test`,
  summary: "Send an event of type webhook_endpoint.test to one endpoint",
  headers: { idempotencyKey: "required" },
  params: endpointPath,
  answer: Delivery,
  message: "Test event on its way",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "webhook-test-2026-0042" },
    params: { endpointId: "the-endpoint" },
    answers: 404,
  },
  rpc: "webhooks.sendTest",
});

const listWebhookDeliveries = operation({
  ...managed,
  method: "get",
  path: `${webhooksBase}/endpoints/:endpointId/deliveries`,
  summary: "List the deliveries of an endpoint, newest first",
  params: endpointPath,
  query: cursorQuery.extend({ status: z.enum(deliveryStates).optional(), eventId: idIn.optional() }),
  answer: z.object({ deliveries: z.array(Delivery), nextCursor: leaf.nextCursor.optional() }),
  message: "Deliveries",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", params: { endpointId: "the-endpoint" }, answers: 404 },
  rpc: "webhooks.listDeliveries",
  adds: mayInclude,
});

const readWebhookDelivery = operation({
  ...managed,
  method: "get",
  path: `${webhooksBase}/deliveries/:deliveryId`,
  summary: "Read a delivery and its last 20 attempts",
  params: deliveryPath,
  answer: Delivery,
  message: "Delivery",
  example: { as: "manager@demo.example", params: { deliveryId: "the-delivery" }, answers: 404 },
  rpc: "webhooks.getDelivery",
  adds: mayInclude,
});

const resendWebhookDelivery = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/deliveries/:deliveryId/resend`,
  summary: "Send a delivery that ended once more: the same id and the same bytes",
  headers: { idempotencyKey: "required" },
  params: deliveryPath,
  answer: Delivery,
  message: "Delivery on its way",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "webhook-resend-2026-0042" },
    params: { deliveryId: "the-delivery" },
    answers: 404,
  },
  rpc: "webhooks.resendDelivery",
  adds: mayInclude,
});

const recoverWebhookDeliveries = operation({
  ...managed,
  method: "post",
  path: `${webhooksBase}/endpoints/:endpointId/recover`,
  summary: "Send all again that an endpoint did not get since a time",
  headers: { idempotencyKey: "required" },
  params: endpointPath,
  body: z
    .object({ from: instantIn.meta({ description: "Within the last 30 days." }) })
    .meta({ id: "RecoverWebhookDeliveriesRequest" }),
  answer: Endpoint,
  message: "Deliveries are being recovered",
  renames: { since: "from" },
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
});

const Schedule = z
  .object({
    waitsS: z
      .array(z.number().int())
      .meta({ description: "Seconds after the first attempt, the second and so on; afterwards it is given up." }),
  })
  .meta({ id: "WebhookSchedule" });

const readWebhookSchedule = operation({
  ...managed,
  method: "get",
  path: `${webhooksBase}/schedule`,
  summary: "Read how long after each attempt the next one comes",
  answer: Schedule,
  message: "Schedule",
  example: { as: "manager@demo.example" },
  rpc: "webhooks.getSchedule",
});

const setWebhookSchedule = operation({
  ...managed,
  method: "put",
  path: `${webhooksBase}/schedule`,
  summary: "Shorten the schedule of a sandbox; none takes the usual one back",
  sandboxOnly: true,
  body: z.object({ waitsS: z.array(wholeNumberIn(1, dayS)).max(maxWaits) }).meta({ id: "SetWebhookScheduleRequest" }),
  answer: Schedule,
  message: "Schedule set",
  example: { sandbox: true, as: "manager@demo.example", body: { waitsS: [1, 2, 5] } },
  rpc: "webhooks.setSchedule",
});

export const webhookDeliveryRoutes = {
  sendWebhookTest,
  listWebhookDeliveries,
  readWebhookDelivery,
  resendWebhookDelivery,
  recoverWebhookDeliveries,
  readWebhookSchedule,
  setWebhookSchedule,
};
