import { readJson } from "./json.js";
import type { Request, Transport } from "./transport.js";

const pauseMs = 1000;

/**
 * Server-sent events, connected anew after a break from the last id that came. Ends with the
 * signal, or where the query says for how long. The deadline is for connecting alone.
 */
export async function* eventsOf(transport: Transport, request: Request, isBounded: boolean): AsyncGenerator<unknown> {
  const options = { ...request.options };
  for (;;) {
    const { content } = await transport.send({ ...request, options });
    try {
      for await (const block of blocksOf(content as Response["body"])) {
        if (block["id"] !== undefined) options.lastEventId = block["id"];
        if (block["data"] !== undefined) yield readJson(block["data"]);
      }
    } catch (error) {
      options.signal?.throwIfAborted();
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
