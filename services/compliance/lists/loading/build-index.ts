import { createTurns } from "../../../kernel/time/turns.js";
import type { ListEntry, ListSource } from "../domain/list-entry.js";
import { createIndexBuilder, type ListIndex } from "../domain/matcher/index.js";

const entriesPerTurn = 50;

/** What a list is searched by, built with turns of the event loop in between: calls go on. */
export async function buildListIndex(_source: ListSource, entries: AsyncIterable<ListEntry>): Promise<ListIndex> {
  const builder = createIndexBuilder();
  const turns = createTurns("list index", entriesPerTurn);
  for await (const entry of entries) {
    builder.add(entry);
    await turns.spent();
  }
  turns.end();
  return builder.finish();
}
