import type { ListEntry } from "../list-entry.js";
import { documentKey } from "./attributes.js";
import { createEntryStore, type EntryStore } from "./entry-store.js";
import { readName, type NameKind } from "../../../../kernel/names/name.js";
import { createNameIndexBuilder, type NameIndex } from "./name-index.js";
import { kindsOfEntry } from "./read-party.js";

/** A list that can be searched. Numbers lie in arrays outside of the heap, entries as bytes. */
export interface ListIndex {
  readonly entries: number;
  /** Names as the list has them. */
  readonly names: number;
  /** Of memory, about. */
  readonly bytes: number;
  readonly store: EntryStore;
  readonly byKind: Readonly<Record<NameKind, NameIndex>>;
  /** Entries by the numbers of their documents. */
  readonly byDocument: ReadonlyMap<string, readonly number[]>;
}

export interface ListIndexBuilder {
  add(entry: ListEntry): void;
  finish(): ListIndex;
}

/** About what a document takes in memory. */
const bytesPerDocument = 150;

export function createIndexBuilder(): ListIndexBuilder {
  const entries = createEntryStore();
  const byKind = { PERSON: createNameIndexBuilder("PERSON"), COMPANY: createNameIndexBuilder("COMPANY") };
  const byDocument = new Map<string, number[]>();
  let [ordinal, names] = [0, 0];

  function add(entry: ListEntry): void {
    entries.add(entry);
    for (const [listed, { text, quality }] of entry.names.entries()) {
      for (const kind of kindsOfEntry(entry.kind)) {
        for (const name of readName(text, kind)) byKind[kind].add(name, ordinal, listed, quality === "WEAK");
      }
    }
    for (const key of new Set(entry.documents.map(documentKey))) {
      if (key !== undefined) byDocument.set(key, [...(byDocument.get(key) ?? []), ordinal]);
    }
    names += entry.names.length;
    ordinal++;
  }

  function finish(): ListIndex {
    const store = entries.finish();
    const kinds = { PERSON: byKind.PERSON.finish(), COMPANY: byKind.COMPANY.finish() };
    const bytes = store.bytes + kinds.PERSON.bytes + kinds.COMPANY.bytes + bytesPerDocument * byDocument.size;
    return { entries: store.size, names, bytes, store, byKind: kinds, byDocument };
  }

  return { add, finish };
}
