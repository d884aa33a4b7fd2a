import { wire } from "./generated/wire.js";
import { readJson } from "./json.js";
import type { Request, Transport } from "./transport.js";

const pauseMs = 1000;
// The server says something every eight seconds; the call's deadline is for connecting alone.
const openMs = 2 ** 31 - 1;

/**
 * Server-sent events, connected anew after a break from the last id that came. Ends with the
 * signal, or where the query says for how long.
 */
export async function* eventsOf(transport: Transport, request: Request, isBounded: boolean): AsyncGenerator<unknown> {
  let lastEventId = request.options.lastEventId;
  for (;;) {
    const options = { ...request.options, timeoutMs: openMs, ...(lastEventId !== undefined && { lastEventId }) };
    const body = await transport.open({ ...request, options }, (response) => Promise.resolve(response.body));
    try {
      for await (const block of blocksOf(body)) {
        lastEventId = block["id"] ?? lastEventId;
        if (block["data"] !== undefined) yield readJson(block["data"], wire);
      }
    } catch (error) {
      if (request.options.signal?.aborted) throw request.options.signal.reason;
      // A break: what was cut off comes again.
      if (!(error instanceof TypeError)) throw error;
    }
    if (isBounded) return;
    await new Promise((resolve) => void setTimeout(resolve, pauseMs));
  }
}

async function* blocksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Record<string, string>> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield Object.fromEntries(block.split("\n").map(fieldOf));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, Math.max(colon, 0)), line.slice(colon + 1).replace(/^ /, "")];
}
