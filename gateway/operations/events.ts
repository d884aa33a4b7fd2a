import { z } from "zod";
import type { Event as WireEvent } from "../../proto/gen/events/v1/events.js";
import { eventTypes } from "../../services/platform/events/types.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { JsonNumber, parseJson } from "../../services/kernel/json.js";
import { openEventStream } from "../event-stream.js";
import { LiveAnswer } from "../file-answer.js";
import { route, type Route } from "../route.js";
import { instant, instantIn, text } from "../schema.js";
import { filled, timeText } from "../wire.js";
import { v6 } from "./base.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "./cursor-pages.js";
import { seesConfidential } from "./webhook-shapes.js";

const eventsBase = `${v6}/admin/events`;

const Event = z
  .object({
    id: z.string(),
    type: z.enum(eventTypes),
    version: z.number().int().optional().meta({ description: "Of the shape of data." }),
    timestamp: instant.meta({ description: "When it happened." }),
    subject: z.object({ type: z.string(), id: z.string() }),
    sequence: z.number().int().meta({ description: "1, 2, 3… of the subject, without gaps." }),
    interactionId: z.string(),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: "As `webhooks` of this document says, by type; absent where the person was erased." }),
  })
  .meta({ id: "Event" });

/** Ours */
const listEvents = route({
  method: "get",
  path: eventsBase,
  operationId: "listEvents",
  tag: "Events",
  summary: "List events of the last 30 days, oldest first",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  query: cursorQuery.extend({
    subject: z
      .string()
      .regex(/^[a-z_]{1,32}:[\w.:-]{1,128}$/, "must be such as transaction:ID")
      .optional(),
    type: text(64).optional().meta({ description: "Exact, or such as transaction.*" }),
    from: instantIn.optional().meta({ description: "Kept since then." }),
  }),
  answer: z.object({
    events: z.array(Event),
    nextCursor: z.string().optional().meta({ description: "Absent on the last page." }),
    cursor: z.string().meta({
      description:
        "Where this page ends, on the last one too: asked with it later, the list goes on with what has come.",
    }),
  }),
  message: "Events",
  renames: { cursor: "query.cursor", pageSize: "query.size", subject: "query.subject", type: "query.type" },
  example: { as: "manager@demo.example", query: { type: "transaction.*", size: "10" } },
  run: async ({ query, call, clients }) => {
    const { subject = "", type = "", from } = query;
    const [subjectType = "", ...rest] = subject.split(":");
    const requested = {
      subjectType,
      subjectId: rest.join(":"),
      type,
      ...(from !== undefined && { from: new Date(from) }),
    };
    const request = { ...pageOf(query), ...requested, includeConfidential: seesConfidential(call) };
    const answer = await clients.events.listEvents(request, outgoing(call));
    return { events: answer.events.map(eventFromWire), ...nextCursorOf(answer), cursor: answer.cursor };
  },
});

/** Ours */
const streamEvents = route({
  method: "get",
  path: `${eventsBase}/stream`,
  operationId: "streamEvents",
  tag: "Events",
  summary: "Receive events as they come, as server-sent events",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  headers: { lastEventId: "optional" },
  query: z.object({
    seconds: z
      .string()
      .regex(/^[1-9]\d{0,3}$/, "must be 1 to 9999")
      .optional()
      .meta({
        description: "Ends the stream after so long; without it the end of the token does. Connect again and go on.",
        override: { type: "integer", minimum: 1, maximum: 9_999 },
      }),
  }),
  answer: z.string(),
  file: "text/event-stream",
  message: "A stream of events: id is the cursor, data an event. Comments keep the connection alive.",
  renames: { after: "headers.last-event-id" },
  example: { as: "manager@demo.example", query: { seconds: "1" } },
  run: async ({ query, headers, call, clients }) => {
    const stream = await openEventStream({
      read: (request, own) => clients.events.readEvents(request, own),
      call,
      after: headers["last-event-id"] ?? "",
      includeConfidential: seesConfidential(call),
      ...(query.seconds !== undefined && { forMs: Number(query.seconds) * 1_000 }),
    });
    return new LiveAnswer(stream, "text/event-stream");
  },
});

/** Ours */
const readEvent = route({
  method: "get",
  path: `${eventsBase}/:eventId`,
  operationId: "readEvent",
  tag: "Events",
  summary: "Read an event",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  params: z.object({ eventId: idIn }),
  answer: Event,
  message: "Event",
  example: { as: "manager@demo.example", params: { eventId: "the-event" }, answers: 404 },
  run: async ({ params, call, clients }) => {
    const request = { ...params, includeConfidential: seesConfidential(call) };
    return eventFromWire(filled((await clients.events.getEvent(request, outgoing(call))).event, "event"));
  },
});

/** The members of the body that webhooks send; without data where the person was erased. */
function eventFromWire(wire: WireEvent): z.output<typeof Event> {
  const { version, data } =
    wire.body === "" ? {} : (parseJson(wire.body) as { version?: JsonNumber; data?: Record<string, unknown> });
  return {
    id: wire.eventId,
    type: wire.type as (typeof eventTypes)[number],
    version: version && Number(version.text),
    timestamp: timeText(wire.occurredAt, "event.occurred_at"),
    subject: { type: wire.subjectType, id: wire.subjectId },
    sequence: Number(wire.sequence),
    interactionId: wire.interactionId,
    data,
  };
}

// The path of the stream comes before that of one event, which would take it for an id.
export const eventRoutes: readonly Route[] = [listEvents, streamEvents, readEvent];
