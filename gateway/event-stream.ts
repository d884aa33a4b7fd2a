import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Event, ReadEventsRequest, ReadEventsResponse } from "../proto/gen/events/v1/events.js";
import { outgoing, type CallOptions } from "../services/shared/grpc/client.js";
import type { WirePartial } from "../services/shared/grpc/definition.js";
import { isAwayOrLate, Refusal } from "../services/shared/refusal.js";
import type { EdgeCall } from "./route.js";

export interface EventStreamOptions {
  read(request: WirePartial<ReadEventsRequest>, call: CallOptions): Promise<ReadEventsResponse>;
  call: EdgeCall;
  /** Last-Event-ID; empty for what comes from now on. */
  after: string;
  includeConfidential: boolean;
  forMs?: number;
}

// Shorter than what proxies, and this gateway, keep a silent connection for.
const waitMs = 8_000;
const readMs = 10_000;
const pauseMs = 1_000;
const maxStreams = 500;

const open = new Set<AbortController>();

/** Ends all streams: their clients connect again, elsewhere, with the last id that they saw. */
export function endEventStreams(): void {
  for (const stream of open) stream.abort();
}

/**
 * Events of a tenant as server-sent events. Refuses what the first read refuses, and OVERLOADED
 * where too many are open here; later on it ends with the user's token, and waits while the service
 * is away.
 */
export async function openEventStream(options: EventStreamOptions): Promise<Readable> {
  const { call, includeConfidential, forMs } = options;
  if (open.size >= maxStreams) throw new Refusal("OVERLOADED", "too many streams are open", { retryAfterS: 5 });
  const ending = new AbortController();
  const signals = [call.signal, ending.signal, ...(forMs === undefined ? [] : [AbortSignal.timeout(forMs)])];
  const signal = AbortSignal.any(signals);
  const { tenantId, interactionId, userToken } = call;
  const own = { tenantId, interactionId, signal, ...(userToken !== undefined && { userToken }) };
  const read = (after: string, wait: number) =>
    options.read({ after, waitMs: wait, includeConfidential }, outgoing(own, { timeoutMs: readMs }));
  const first = await read(options.after, 0);

  async function* blocks(): AsyncGenerator<string> {
    open.add(ending);
    try {
      // Said at once, so that whoever is cut off now goes on from here: what the first read has found is still to come.
      yield `retry: ${pauseMs}\n${idLine(options.after === "" ? first.place : options.after)}\n`;
      let answer: ReadEventsResponse | undefined = first;
      let { place } = first;
      while (!signal.aborted) {
        if (answer !== undefined) {
          for (const event of answer.events) yield blockOf(event);
          place = answer.place;
        }
        // A comment keeps the connection, and tells a client that is gone from one that is silent.
        if (answer === undefined || answer.events.length === 0) yield `: ${place}\n\n`;
        answer = await next(place);
      }
    } catch (error) {
      if (!signal.aborted && !(error instanceof Refusal)) call.log.error({ err: error }, "a stream of events broke");
    } finally {
      open.delete(ending);
    }
  }

  /** Undefined while the service is away. */
  async function next(place: string): Promise<ReadEventsResponse | undefined> {
    try {
      return await read(place, waitMs);
    } catch (error) {
      if (signal.aborted || !isAwayOrLate(error)) throw error;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      return undefined;
    }
  }

  return Readable.from(blocks());
}

const idLine = (place: string): string => `id: ${place}\n`;

/** What was erased of a person comes as an event without data. */
function blockOf({ body, place, eventId, type, sequence, subjectType, subjectId }: Event): string {
  const subject = { type: subjectType, id: subjectId };
  const data = body === "" ? JSON.stringify({ id: eventId, type, subject, sequence: Number(sequence) }) : body;
  return `${idLine(place)}data: ${data.replaceAll(/\r\n|\r|\n/g, " ")}\n\n`;
}
