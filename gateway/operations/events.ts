import { z } from "zod";
import { openEventStream } from "../event-stream.js";
import { LiveAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { route, type EdgeCall, v6 } from "../route.js";
import { instantIn, text, cursorQuery, idIn, pageOf } from "../schema.js";
import { Event } from "../shapes/events.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const eventsBase = `${v6}/admin/events`;

/**
 * Whether the caller has the compliance permission: a manager, and a
 * token of theirs with its scope.
 */
export function seesConfidential({ user }: Pick<EdgeCall, "user">): boolean {
  return user?.role === "MANAGER" && (user.scopes === undefined || user.scopes.includes("compliance:read"));
}

const listEvents = operation({
  method: "get",
  path: eventsBase,
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
    nextCursor: leaf.nextCursor.optional().meta({ description: "Absent on the last page." }),
    cursor: leaf.nextCursor.meta({
      description:
        "Where this page ends, on the last one too: asked with it later, the list goes on with what has come.",
    }),
  }),
  message: "Events",
  renames: { cursor: "query.cursor", pageSize: "query.size", subject: "query.subject", type: "query.type" },
  example: { as: "manager@demo.example", query: { type: "transaction.*", size: "10" } },
  rpc: "events.listEvents",
  asks: ({ query: { subject = "", type, from, ...page }, call }) => {
    const [subjectType = "", ...rest] = subject.split(":");
    return {
      ...pageOf(page),
      subjectType,
      subjectId: rest.join(":"),
      type,
      ...(from !== undefined && { from: new Date(from) }),
      includeConfidential: seesConfidential(call),
    };
  },
});

const streamEvents = route({
  method: "get",
  path: `${eventsBase}/stream`,
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

const readEvent = operation({
  method: "get",
  path: `${eventsBase}/:eventId`,
  tag: "Events",
  summary: "Read an event",
  access: ["MANAGER"],
  scopes: ["webhooks:manage"],
  params: z.object({ eventId: idIn }),
  answer: Event,
  message: "Event",
  example: { as: "manager@demo.example", params: { eventId: "the-event" }, answers: 404 },
  rpc: "events.getEvent",
  adds: (call) => ({ includeConfidential: seesConfidential(call) }),
});

// The path of the stream comes before that of one event, which would take it for an id.
export const eventRoutes = { listEvents, streamEvents, readEvent };
