import { createReadStream } from "node:fs";
import { findRealLists, unList, type RealList } from "../../../../test/support/real-lists.js";
import type { ListEntry } from "../domain/list-entry.js";
import { lossesOf } from "../domain/list-losses.js";
import { parseList } from "./parse-list.js";

jest.setTimeout(600_000);

/** Entries of each list, which are its file's different ids, and their different names. */
const counts: Readonly<Record<string, readonly [entries: number, names: number]>> = {
  "OFAC_SDN 2025": [16_989, 40_576],
  "OFAC_SDN 2021": [8_976, 23_321],
  "OFAC_SDN 2019": [7_379, 19_091],
  "EU 2024": [4_589, 23_160],
  "EU 2022": [3_569, 16_071],
  "UK 2024": [4_254, 14_653],
  "UK 2022": [3_656, 12_838],
  "UK ODS": [3_728, 13_164],
  "UN 2026": [1_003, 4_192],
};

/**
 * What each has lost against the one of the years before it: entries; names and details of entries
 * that stay. The limits of `judgeList` are of these: at most 5 in a hundred entries a year are
 * removed, 3 lose a name, and fewer than one a detail.
 */
const losses: Readonly<Record<string, readonly [removed: number, losingNames: number, losingDetails: number]>> = {
  "OFAC_SDN 2021": [261, 21, 3],
  "OFAC_SDN 2025": [947, 86, 13],
  "EU 2024": [31, 135, 4],
  "UK 2024": [217, 13, 1],
};

const isQuick = (process.env["TEST_DEPTH"] ?? "quick") === "quick";
// The two smallest: all of them take a minute.
const quickly = ["OFAC_SDN 2019", "UN 2026"];

/** Fetched by Go. A quick run without them says so; at depth ci one fails. */
async function listsHere(): Promise<RealList[]> {
  try {
    const lists = await findRealLists();
    return isQuick ? lists.filter((list) => quickly.includes(nameOf(list))) : lists;
  } catch (error) {
    if (!isQuick) throw error;
    process.stderr.write(`${(error as Error).message}\n`);
    const un = unList();
    return un === undefined ? [] : [{ source: "UN", what: "2026", files: [{ part: "", path: un }] }];
  }
}

async function* entriesOf({ source, files }: RealList): AsyncGenerator<ListEntry> {
  yield* parseList(
    source,
    files.map(({ part, path }) => ({ part, stream: createReadStream(path) })),
  ).entries;
}

/** Its entries by id, and how many names they have. */
async function read(list: RealList): Promise<{ entries: Map<string, ListEntry>; names: number }> {
  const entries = new Map<string, ListEntry>();
  let names = 0;
  for await (const entry of entriesOf(list)) {
    const { entryId, names: of } = entry;
    if (entryId === "" || of[0]?.quality !== "PRIMARY") throw new Error(`${list.source} ${entryId}`);
    if (entries.has(entryId)) throw new Error(`${list.source} ${entryId} comes twice`);
    entries.set(entryId, entry);
    names += of.length;
  }
  return { entries, names };
}

function lost(before: ReadonlyMap<string, ListEntry>, after: ReadonlyMap<string, ListEntry>): [number, number, number] {
  const lost: [number, number, number] = [0, 0, 0];
  for (const [id, old] of before) {
    const now = after.get(id);
    const { losesName = false, losesDetails = false } = now === undefined ? {} : lossesOf(old, now);
    [now === undefined, losesName, losesDetails].forEach((isLost, at) => (lost[at]! += Number(isLost)));
  }
  return lost;
}

test("lists that were really published are read whole, and lose as little from one to the next as is known", async () => {
  const found: Record<string, readonly [number, number]> = {};
  const foundLosses: Record<string, readonly [number, number, number]> = {};
  let before: { source: string; entries: Map<string, ListEntry> } | undefined;
  const lists = (await listsHere()).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  for (const list of lists) {
    const { entries, names } = await read(list);
    found[nameOf(list)] = [entries.size, names];
    // The UK's other form is of the year before the newest one.
    if (!/^\d+$/.test(list.what)) continue;
    if (before?.source === list.source) foundLosses[nameOf(list)] = lost(before.entries, entries);
    before = { source: list.source, entries };
  }
  const of = <T>(known: Readonly<Record<string, T>>, names: object) =>
    Object.fromEntries(Object.keys(names).map((name) => [name, known[name]]));
  expect(found).toEqual(of(counts, found));
  expect(foundLosses).toEqual(of(losses, foundLosses));
  if (!isQuick) expect(Object.keys(foundLosses)).toHaveLength(Object.keys(losses).length);
});

function nameOf({ source, what }: RealList): string {
  return `${source} ${what}`;
}
