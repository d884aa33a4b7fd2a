import { setImmediate as nextTurn } from "node:timers/promises";
import type { ListEntry, ListSource } from "../../domain/screening/list-entry.js";
import { createIndexBuilder, type ListIndex } from "../../domain/screening/matcher/index.js";

const entriesAtOnce = 50;

/** What a list is searched by, built with turns of the event loop in between: calls go on. */
export async function buildListIndex(_source: ListSource, entries: AsyncIterable<ListEntry>): Promise<ListIndex> {
  const builder = createIndexBuilder();
  let count = 0;
  for await (const entry of entries) {
    builder.add(entry);
    count += 1;
    if (count % entriesAtOnce === 0) await nextTurn();
  }
  return builder.finish();
}
