import { z } from "zod";
import * as wire from "../../proto/gen/operations/v1/work_queues.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import {
  workQueues,
  type QueueingService,
  type QueueName,
} from "../../services/platform/work-queues/work-queue-names.js";
import type { Clients } from "../clients.js";
import { readerOf, shape } from "../codec.js";
import { route, type EdgeCall, v6 } from "../route.js";
import { instant } from "../schema.js";

/** Who waits for the rest sees what there is after this long. */
const answerWithinMs = 3_000;

const queueName = z.enum(Object.values(workQueues).flat() as [QueueName, ...QueueName[]]);

const WorkQueue = shape(
  wire.WorkQueue,
  z
    .object({
      queue: queueName,
      count: z.number().int().meta({ description: "Up to 1,000." }),
      atLeast: z.boolean().optional().meta({ description: "There is more than was counted." }),
      oldestAt: instant.optional().meta({
        description:
          "Since when the oldest waits. Of SCREENING_LISTS_IN_USE, when the list that was confirmed current longest ago was.",
      }),
    })
    .meta({ id: "WorkQueue" }),
  { atLeast: "isAtLeast" },
);

const queuesFromWire = readerOf(z.array(WorkQueue));

/** An API token without this scope learns nothing of compliance, whether it is there or not. */
const mayCount = (service: QueueingService, { user }: EdgeCall): boolean =>
  service !== "compliance" || user?.scopes === undefined || user.scopes.includes("compliance:read");

/** A service's queues; undefined where it is away. */
async function queuesOf(service: QueueingService, call: EdgeCall, clients: Clients) {
  const client = clients.workQueues[service];
  if (client === undefined || !mayCount(service, call)) return [];
  const known: readonly string[] = workQueues[service];
  try {
    const { queues } = await client.countWork({}, outgoing(call, { timeoutMs: answerWithinMs }));
    // A service that was upgraded before the edge may count more.
    return queues.filter(({ queue }) => known.includes(queue));
  } catch (err) {
    call.log.warn({ err, service }, "a service's work was not counted");
    return undefined;
  }
}

export const listWorkQueues = route({
  method: "get",
  path: `${v6}/admin/work-queues`,
  tag: "Work queues",
  summary: "Count what waits for people, by queue, with the age of the oldest",
  access: ["MANAGER"],
  scopes: ["reports:read"],
  answer: z
    .object({
      queues: z.array(WorkQueue),
      unavailable: z.array(queueName).meta({ description: "Queues of services that gave no answer in time." }),
    })
    .meta({ id: "WorkQueues" }),
  message: "Work queues",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const services = Object.keys(workQueues) as QueueingService[];
    const answers = await Promise.all(services.map((service) => queuesOf(service, call, clients)));
    return {
      queues: queuesFromWire(answers.flatMap((found = []) => found)),
      unavailable: services.flatMap((service, index) => (answers[index] === undefined ? workQueues[service] : [])),
    };
  },
});
