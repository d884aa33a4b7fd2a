import { WorkQueueServiceDefinition } from "../../../proto/gen/operations/v1/work_queues.js";
import type { Call } from "../../kernel/grpc/context.js";
import { alsoServe, type AnyServedService } from "../../kernel/grpc/server.js";
import type { Filter, SortBy } from "../../kernel/mongo/collection.js";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { workQueues, type QueueingService, type QueueName } from "./work-queue-names.js";
import type { Outbox } from "../../kernel/outbox/index.js";

/** Beyond this nobody counts one by one: "1,000 and more" says as much. */
export const countedAtMost = 1_000;

/** How much work of one kind waits. */
export interface WorkQueue {
  queue: QueueName;
  count: number;
  /** There is more than was counted. */
  isAtLeast: boolean;
  /** Since when the oldest of it waits; absent where nothing does, or age says nothing. */
  oldestAt?: Date | undefined;
}

export interface CountedWork<T, D = T> {
  filter: Filter<D>;
  /** The order of an index, the oldest first; absent where age says nothing. */
  oldest?: { sort: SortBy; at: (first: T) => Date | undefined };
  /** The index to go along, where MongoDB might take another one as long as a queue is short. */
  index?: string;
}

/**
 * Reads the oldest document, and counts up to 1,000 where there is one, each by an index: most
 * queues are empty most of the time.
 */
export async function countWork<T, D = T>(
  collection: Pick<RecordCollection<T, never, D>, "find" | "count">,
  queue: QueueName,
  { filter, oldest, index }: CountedWork<T, D>,
): Promise<WorkQueue> {
  const along = index === undefined ? {} : { hint: index };
  const [first] = oldest ? await collection.find(filter, { sort: oldest.sort, limit: 1, ...along }) : [];
  if (oldest !== undefined && first === undefined) return counted(queue, 0);
  const found = await collection.count(filter, { limit: countedAtMost + 1, ...along });
  return counted(queue, found, first && oldest?.at(first));
}

/** Of a count that goes one beyond what is counted. */
export function counted(queue: QueueName, found: number, oldestAt?: Date): WorkQueue {
  return { queue, count: Math.min(found, countedAtMost), isAtLeast: found > countedAtMost, oldestAt };
}

/**
 * A service's queues, to be served beside it: its own, and the rows of its outbox that are parked.
 */
export function serveWorkQueues(
  service: QueueingService,
  outbox: Pick<Outbox, "countParked">,
  count: (call: Call) => Promise<readonly Promise<WorkQueue>[]> = async () => [],
): AnyServedService {
  const parkedQueue = workQueues[service].at(-1)!;
  return alsoServe<WorkQueueServiceDefinition>({
    definition: WorkQueueServiceDefinition,
    access: { countWork: { callers: ["gateway"], user: "required", roles: ["MANAGER"] } },
    handlers: {
      async countWork(_request, call) {
        const parked = outbox.countParked(call.tenantId, countedAtMost + 1);
        const own = count(call).then((work) => Promise.all(work));
        const [queues, { count: rows, oldestAt }] = await Promise.all([own, parked]);
        return { queues: [...queues, counted(parkedQueue, rows, oldestAt)] };
      },
    },
  });
}
