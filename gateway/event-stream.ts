import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Event, ReadEventsRequest, ReadEventsResponse } from "../proto/gen/events/v1/events.js";
import { outgoing, type CallOptions } from "../services/kernel/grpc/client.js";
import type { WirePartial } from "../services/kernel/grpc/definition.js";
import { isAwayOrLate, Refusal } from "../services/kernel/refusal.js";
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
/** Of one organisation and of one caller, so that nobody takes all of them. */
const maxOfTenant = 50;
const maxOfCaller = 10;

interface OpenStream {
  tenantId: string;
  caller: string;
  ending: AbortController;
}

const open = new Set<OpenStream>();

/** Ends all streams: their clients connect again, elsewhere, with the last id that they saw. */
export function endEventStreams(): void {
  for (const { ending } of open) ending.abort();
}

/**
 * Events of a tenant as server-sent events. Refuses what the first read refuses, RATE_LIMITED where
 * the caller or the tenant has too many open here, and OVERLOADED where all have; later on it ends
 * with the user's token, and waits while the service is away.
 */
export async function openEventStream(options: EventStreamOptions): Promise<Readable> {
  const { call, includeConfidential, forMs } = options;
  const ending = new AbortController();
  const own: OpenStream = { tenantId: call.tenantId, caller: call.user?.userId ?? "", ending };
  assertRoom(own);
  // From here on it counts: others must not open at the same time what is there once.
  open.add(own);
  const signals = [call.signal, ending.signal, ...(forMs === undefined ? [] : [AbortSignal.timeout(forMs)])];
  const signal = AbortSignal.any(signals);
  const { tenantId, interactionId, userToken } = call;
  const requested = { tenantId, interactionId, signal, ...(userToken !== undefined && { userToken }) };
  const read = (after: string, wait: number) =>
    options.read({ after, waitMs: wait, includeConfidential }, outgoing(requested, { timeoutMs: readMs }));
  const first = await read(options.after, 0).catch((error: unknown) => {
    open.delete(own);
    throw error;
  });

  async function* blocks(): AsyncGenerator<string> {
    try {
      // Said at once, so that whoever is cut off now goes on from here: what the first
      // read has found is still to come.
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

  // Closed, too, where its client has gone before it began.
  return Readable.from(blocks()).once("close", () => open.delete(own));
}

function assertRoom({ tenantId, caller }: OpenStream): void {
  const ofTenant = [...open].filter((one) => one.tenantId === tenantId);
  const ofCaller = ofTenant.filter((one) => one.caller === caller);
  const retry = { retryAfterS: 5 };
  if (ofCaller.length >= maxOfCaller) {
    throw new Refusal("RATE_LIMITED", `you have ${maxOfCaller} streams of events open here: close one of them`, retry);
  }
  if (ofTenant.length >= maxOfTenant) {
    const words = `your organisation has ${maxOfTenant} streams of events open here: close one of them`;
    throw new Refusal("RATE_LIMITED", words, retry);
  }
  if (open.size >= maxStreams) throw new Refusal("OVERLOADED", "too many streams are open", retry);
}

const idLine = (place: string): string => `id: ${place}\n`;

/** What was erased of a person comes as an event without data. */
function blockOf({ body, place, eventId, type, sequence, subjectType, subjectId }: Event): string {
  const subject = { type: subjectType, id: subjectId };
  const data = body === "" ? JSON.stringify({ id: eventId, type, subject, sequence: Number(sequence) }) : body;
  return `${idLine(place)}data: ${data.replaceAll(/\r\n|\r|\n/g, " ")}\n\n`;
}
