import type { ListEntry } from "../list-entry.js";

const chunkBytes = 1 << 20;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Entries as bytes outside of the heap, read again one by one. */
export interface EntryStore {
  entryOf(ordinal: number): ListEntry;
  readonly size: number;
  readonly bytes: number;
}

/** Collects entries; they keep the order in which they were added. */
export function createEntryStore() {
  const chunks: Uint8Array[] = [];
  const places: number[] = [];
  let used = chunkBytes;
  const add = (entry: ListEntry) => {
    const text = encoder.encode(JSON.stringify(entry));
    if (used + text.length > (chunks.at(-1)?.length ?? 0)) {
      chunks.push(new Uint8Array(Math.max(chunkBytes, text.length)));
      used = 0;
    }
    chunks.at(-1)!.set(text, used);
    places.push(chunks.length - 1, used, text.length);
    used += text.length;
  };
  const finish = (): EntryStore => {
    const kept = Uint32Array.from(places);
    const entryOf = (ordinal: number) => {
      const [chunk, from, length] = kept.subarray(3 * ordinal, 3 * ordinal + 3);
      if (chunk === undefined) throw new RangeError(`no entry ${ordinal}`);
      return JSON.parse(decoder.decode(chunks[chunk]!.subarray(from, from! + length!))) as ListEntry;
    };
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, kept.byteLength);
    return { entryOf, size: kept.length / 3, bytes };
  };
  return { add, finish };
}
