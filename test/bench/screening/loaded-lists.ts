import type { ListEntry, ListSource } from "../../../services/compliance/lists/domain/list-entry.js";
import {
  createIndexBuilder,
  searchIndex,
  shippedThreshold,
  type ListIndex,
} from "../../../services/compliance/lists/domain/matcher/index.js";
import type { Match } from "../../../services/compliance/screening/domain/hit.js";
import type { ScreenedParty } from "../../../services/compliance/lists/domain/party.js";
import type { ListFile } from "../../../services/compliance/lists/loading/list-file.js";
import { parseList } from "../../../services/compliance/lists/loading/parse-list.js";

export interface LoadedList {
  source: ListSource;
  index: ListIndex;
  /** Processor time in seconds: reading the file, and making the index of its entries. */
  readSeconds: number;
  indexSeconds: number;
}

export async function loadLists(files: Record<string, ListFile[]>): Promise<LoadedList[]> {
  const lists: LoadedList[] = [];
  for (const [name, parts] of Object.entries(files)) {
    const source = name as ListSource;
    const began = processorSeconds();
    const entries: ListEntry[] = [];
    for await (const entry of parseList(source, parts).entries) entries.push(entry);
    const read = processorSeconds();
    const builder = createIndexBuilder();
    for (const entry of entries) builder.add(entry);
    const index = builder.finish();
    lists.push({ source, index, readSeconds: read - began, indexSeconds: processorSeconds() - read });
  }
  return lists;
}

const asShipped = { threshold: shippedThreshold, otherYearOfBirth: "LOWER", yearTolerance: 1 } as const;

/** As a tenant without a policy of its own searches. */
export function searchAll(lists: readonly LoadedList[], party: ScreenedParty): Match[] {
  return lists.flatMap(({ source, index }) => searchIndex(index, source, party, asShipped));
}

export function processorSeconds(): number {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1e6;
}
