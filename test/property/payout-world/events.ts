import type { NewEvent } from "../../../proto/gen/events/v1/events.js";
import type { PublisherDeps } from "../../../services/platform/events/publisher.js";
import type { Network } from "./partner.js";
import type { Process } from "./schedule.js";

/** The service of events as far as a payout tells it. */
export function createEvents(network: Network) {
  /** What it was told, in order, each event once. */
  const published: Pick<NewEvent, "eventId" | "type" | "dataJson">[] = [];
  return {
    told: published,
    clientOf: (process: Process): NonNullable<PublisherDeps["events"]> => ({
      publishEvents: ({ events = [] }) =>
        network.ask(process, () => {
          for (const event of events as NewEvent[]) {
            if (!published.some(({ eventId }) => eventId === event.eventId)) published.push(event);
          }
          return { events: [] };
        }),
    }),
  };
}
