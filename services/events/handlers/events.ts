import type { EventsServiceDefinition } from "../../../proto/gen/events/v1/events.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { idFromWire } from "../../kernel/text/wire-text.js";
import {
  eventToWire,
  newEventFromWire,
  pageSizeFromWire,
  placeFromWire,
  placeToWire,
  queryFromWire,
} from "../wire/events.js";
import type { EventsDeps } from "./deps.js";
import { noEvent } from "./not-found.js";

const maxEvents = 100;
const maxWaitMs = 8_000;

/** Events are told to these, and read from them. */
export function eventHandlers({ store, publishing, arrivals }: EventsDeps) {
  return {
    async publishEvents({ events }, { tenantId }) {
      if (events.length > maxEvents) throw invalidInput("events", `must be at most ${maxEvents}`);
      const published = events.map((event, index) => newEventFromWire(event, `events[${index}]`));
      if (published.length === 0) return { events: [] };
      const sequences = await publishing.publish(tenantId, published);
      return {
        events: published.map(({ eventId }) => ({ eventId, sequence: BigInt(sequences.get(eventId) ?? 0) })),
      };
    },

    async listEvents(request, { tenantId }) {
      const query = queryFromWire(request);
      const own = store.events.forTenant(tenantId);
      // Read before the list: nothing is kept at or before it later.
      const until = await own.lastPlace();
      const found = await own.list(query);
      const last = found.length === query.limit ? found.at(-1) : undefined;
      const end = last?.place ?? Math.max(until, found.at(-1)?.place ?? 0, query.after ?? 0);
      return {
        events: found.map(eventToWire),
        nextCursor: last === undefined ? "" : placeToWire(last.place),
        cursor: placeToWire(end),
      };
    },

    async getEvent({ eventId, includeConfidential }, { tenantId }) {
      const found = await store.events.forTenant(tenantId).find(idFromWire(eventId, "eventId"));
      if (found === undefined || (found.isConfidential && !includeConfidential)) throw noEvent();
      return { event: eventToWire(found) };
    },

    async readEvents({ after, waitMs, limit, includeConfidential }, { tenantId, signal }) {
      if (waitMs < 0 || waitMs > maxWaitMs) throw invalidInput("waitMs", `must be 0 to ${maxWaitMs}`);
      const events = store.events.forTenant(tenantId);
      const from = after === "" ? await events.lastPlace() : placeFromWire(after, "after");
      const size = pageSizeFromWire(limit, maxEvents);
      // Nothing is kept at or before a place that is told, so who goes on behind it misses nothing.
      const until = await arrivals.after(tenantId, from, waitMs, signal);
      if (until <= from) return { events: [], place: placeToWire(from) };
      const query = { after: from, until, isConfidentialShown: includeConfidential, limit: size };
      const found = await events.list(query);
      const last = found.length === size ? found.at(-1) : undefined;
      return { events: found.map(eventToWire), place: placeToWire(last?.place ?? until) };
    },
  } satisfies Partial<Handlers<EventsServiceDefinition>>;
}
