import { createTurns } from "../../../kernel/time/turns.js";

const defaultSliceBytes = 32 * 1024;

/** The same bytes in small slices, with a turn of the event loop between them: calls go on. */
export async function* inSlices(
  stream: AsyncIterable<Uint8Array>,
  sliceBytes = defaultSliceBytes,
): AsyncGenerator<Uint8Array> {
  const turns = createTurns("list slices", sliceBytes);
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length; at += sliceBytes) {
      const slice = chunk.subarray(at, at + sliceBytes);
      yield slice;
      await turns.spent(slice.length);
    }
  }
  turns.end();
}

/** The first bytes, and the stream as if nothing had been read of it. */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
  bytes: number,
): Promise<[Buffer, AsyncIterable<Uint8Array>]> {
  const reader = stream[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < bytes) {
    const { done, value } = await reader.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  async function* whole() {
    try {
      if (head.length > 0) yield head;
      for (;;) {
        const { done, value } = await reader.next();
        if (done === true) return;
        yield value;
      }
    } finally {
      await reader.return?.();
    }
  }
  return [head.subarray(0, bytes), whole()];
}
