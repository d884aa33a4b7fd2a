import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route, type Route } from "../route.js";
import { wholeNumberIn } from "../schema.js";
import { webhooksBase } from "./webhook-shapes.js";

const maxWaits = 9;
const dayS = 86_400;

const Schedule = z
  .object({
    waitsS: z
      .array(z.number().int())
      .meta({ description: "Seconds after the first attempt, the second and so on; afterwards it is given up." }),
  })
  .meta({ id: "WebhookSchedule" });

/** Ours */
const readSchedule = route({
  method: "get",
  path: `${webhooksBase}/schedule`,
  operationId: "readWebhookSchedule",
  tag: "Webhooks",
  summary: "Read how long after each attempt the next one comes",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  answer: Schedule,
  message: "Schedule",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const { waitsS } = await clients.webhooks.getSchedule({}, outgoing(call));
    return { waitsS };
  },
});

/** Ours */
const setSchedule = route({
  method: "put",
  path: `${webhooksBase}/schedule`,
  operationId: "setWebhookSchedule",
  tag: "Webhooks",
  summary: "Shorten the schedule of a sandbox; none takes the usual one back",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  sandboxOnly: true,
  body: z.object({ waitsS: z.array(wholeNumberIn(1, dayS)).max(maxWaits) }).meta({ id: "SetWebhookScheduleRequest" }),
  answer: Schedule,
  message: "Schedule set",
  example: { sandbox: true, as: "manager@demo.example", body: { waitsS: [1, 2, 5] } },
  run: async ({ body, call, clients }) => {
    const { waitsS } = await clients.webhooks.setSchedule(body, outgoing(call));
    return { waitsS };
  },
});

export const webhookScheduleRoutes: readonly Route[] = [readSchedule, setSchedule];
