import type { ListEntry } from "../list-entry.js";

const chunkBytes = 1 << 20;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Entries as bytes outside of the heap, read again one by one. */
export interface EntryStore {
  entryOf(ordinal: number): ListEntry;
  kindOf(ordinal: number): ListEntry["kind"];
  /** The place of its id among the ids of all, in the order of strings. */
  rankOf(ordinal: number): number;
  readonly size: number;
  readonly bytes: number;
}

const kinds: readonly ListEntry["kind"][] = ["PERSON", "COMPANY", "VESSEL", "OTHER"];

/** Collects entries; they keep the order in which they were added. */
export function createEntryStore() {
  const chunks: Uint8Array[] = [];
  const places: number[] = [];
  const kindNumbers: number[] = [];
  let ids: string[] = [];
  let used = chunkBytes;
  const add = (entry: ListEntry) => {
    const text = encoder.encode(JSON.stringify(entry));
    if (used + text.length > (chunks.at(-1)?.length ?? 0)) {
      chunks.push(new Uint8Array(Math.max(chunkBytes, text.length)));
      used = 0;
    }
    chunks.at(-1)!.set(text, used);
    places.push(chunks.length - 1, used, text.length);
    kindNumbers.push(kinds.indexOf(entry.kind));
    ids.push(entry.entryId);
    used += text.length;
  };
  const finish = (): EntryStore => {
    const storedPlaces = Uint32Array.from(places);
    const storedKinds = Uint8Array.from(kindNumbers);
    const ranks = ranksOf(ids);
    ids = [];
    const entryOf = (ordinal: number) => {
      const [chunk, from, length] = storedPlaces.subarray(3 * ordinal, 3 * ordinal + 3);
      if (chunk === undefined) throw new RangeError(`no entry ${ordinal}`);
      return JSON.parse(decoder.decode(chunks[chunk]!.subarray(from, from! + length!))) as ListEntry;
    };
    const numbers = storedPlaces.byteLength + storedKinds.byteLength + ranks.byteLength;
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, numbers);
    const kindOf = (ordinal: number) => kinds[storedKinds[ordinal]!]!;
    return { entryOf, kindOf, rankOf: (ordinal) => ranks[ordinal]!, size: storedPlaces.length / 3, bytes };
  };
  return { add, finish };
}

function ranksOf(ids: readonly string[]): Uint32Array {
  const ranks = new Uint32Array(ids.length);
  const sorted = [...ids.keys()].sort((a, b) => (ids[a]! < ids[b]! ? -1 : ids[a] === ids[b] ? a - b : 1));
  sorted.forEach((ordinal, rank) => (ranks[ordinal] = rank));
  return ranks;
}
