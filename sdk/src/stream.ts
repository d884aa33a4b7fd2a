import { ApiError, ConnectionError } from "./errors.js";
import { readJson } from "./json.js";
import type { Sent } from "./operation.js";
import { within, type Request, type Transport } from "./transport.js";

// The server says something every ten seconds at most: after three
// times that the connection is dead.
const usual = { firstPauseMs: 1000, longestPauseMs: 30_000, silenceMs: 30_000 };

/**
 * Server-sent events, connected anew after a break or a silence from the last id that came, with
 * longer pauses while nothing comes. Ends with the signal, or where the query says for how long: a
 * break of such a one is thrown as a ConnectionError, since nobody could tell its part from the
 * whole. The deadline is for connecting alone; what the first connection is refused with is thrown.
 */
export async function* eventsOf(
  transport: Transport,
  request: Request,
  isBounded: boolean,
  patience = usual,
): AsyncGenerator<unknown> {
  const options = { ...request.options };
  const signal = options.signal ?? new AbortController().signal;
  for (let breaks = 0, isFirst = true; ; isFirst = false) {
    let waitS: number | undefined;
    let sent: Sent | undefined;
    try {
      const { content, meta } = await transport.send({ ...request, options });
      sent = { ...meta, operation: request.name };
      for await (const block of blocksOf(content as Response["body"], signal, patience.silenceMs)) {
        breaks = 0;
        if (block["id"] !== undefined) options.lastEventId = block["id"];
        if (block["data"] !== undefined) yield readJson(block["data"]);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (isBounded && sent && error instanceof Break) throw new ConnectionError("the stream was cut off", sent);
      if (!mayPass(error, isFirst)) throw error;
      if (error instanceof ApiError) waitS = error.retryAfterS;
    }
    if (isBounded) return;
    const pauseMs = Math.max(pauseAfter(breaks, patience), pauseAsked(waitS));
    breaks += 1;
    await pause(signal, pauseMs);
  }
}

/** As the server asks by Retry-After, 300 s at most. */
export function pauseAsked(retryAfterS = 0): number {
  return Math.min(retryAfterS, 300) * 1000;
}

/** Leaves no timer behind where the signal ends it. */
export async function pause(signal: AbortSignal, pauseMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await within(signal, new Promise<void>((resolve) => (timer = setTimeout(resolve, pauseMs))));
  } finally {
    clearTimeout(timer);
  }
}

/** In part by chance, so that those who were cut off together do not come back together. */
export function pauseAfter(breaks: number, { firstPauseMs, longestPauseMs } = usual): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** breaks) * (0.5 + Math.random() / 2);
}

/** A break in the middle passes; so does what a later connection meets, unless it is refused. */
function mayPass(error: unknown, isFirst: boolean): boolean {
  if (error instanceof Break) return true;
  if (isFirst) return false;
  return (
    error instanceof ConnectionError || (error instanceof ApiError && (error.status >= 500 || error.status === 429))
  );
}

/** The connection ended, or nothing came by it for too long. */
class Break extends Error {}

async function* blocksOf(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
  silenceMs: number,
): AsyncGenerator<Record<string, string>> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await beforeSilence(within(signal, reader.read()), silenceMs);
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield Object.fromEntries(block.split("\n").map(fieldOf));
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

/**
 * What is read, unless nothing comes for too long: a connection that
 * died quietly would wait for ever.
 */
async function beforeSilence<T>(read: Promise<T>, silenceMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Break("nothing came")), silenceMs);
  });
  try {
    return await Promise.race([read, silence]);
  } catch (cause) {
    throw new Break("the stream broke", { cause });
  } finally {
    clearTimeout(timer);
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, Math.max(colon, 0)), line.slice(colon + 1).replace(/^ /, "")];
}
