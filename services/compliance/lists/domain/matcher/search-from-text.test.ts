import { createReadStream } from "node:fs";
import fc from "fast-check";
import { countFrom, madeList } from "../../../../../test/support/made-list.js";
import { unList } from "../../../../../test/support/real-lists.js";
import { parseList } from "../../loading/parse-list.js";
import type { Match } from "../../../screening/domain/hit.js";
import type { ListEntry } from "../list-entry.js";
import type { ScreenedParty } from "../party.js";
import { documentKey } from "./attributes.js";
import { createIndexBuilder, searchIndex, type ListIndex, type SearchOptions } from "./index.js";
import { readParty } from "./read-party.js";
import { scoreEntry } from "./score-entry.js";
import { namedEntries } from "./search.js";

/**
 * The same search without what is kept in memory: every entry that may fit is read, and every name
 * of it that may, as the list writes it.
 */
function fromText(
  entries: readonly ListEntry[],
  list: ListIndex,
  party: ScreenedParty,
  options: SearchOptions,
): Match[] {
  const ours = readParty(party);
  const named = namedEntries(list, ours, options, { names: 0, entries: 0 });
  const keys = new Set(party.documents.flatMap((document) => documentKey(document) ?? []));
  const found: Match[] = [];
  for (const [ordinal, entry] of entries.entries()) {
    const isDocumented = entry.documents.some((document) => keys.has(documentKey(document) ?? ""));
    if (!isDocumented && !named.has(ordinal)) continue;
    const match = scoreEntry("UN", ours, entry, options, isDocumented ? undefined : named.get(ordinal));
    if (match !== undefined && match.score >= options.threshold) found.push(match);
  }
  found.sort((a, b) => b.score - a.score || (a.entry.entryId < b.entry.entryId ? -1 : 1));
  return found.slice(0, options.limit);
}

function indexOf(entries: readonly ListEntry[]): ListIndex {
  const builder = createIndexBuilder();
  entries.forEach(builder.add);
  return builder.finish();
}

const some = (text: string, words: readonly string[], { seed, slip }: { seed: number; slip: number }): string => {
  const count = countFrom(seed);
  const made = [...text.split(" "), ...Array.from({ length: count(2) }, () => words[count(words.length)]!)];
  const retained = made.slice(0, 1 + count(made.length)).join(count(9) === 0 ? "" : " ");
  const at = count(retained.length);
  return slip === 0 ? retained : retained.slice(0, at) + "aeo"[count(3)]! + retained.slice(at + slip - 1);
};

const requested = fc.record({
  entry: fc.nat(),
  seed: fc.nat(),
  slip: fc.nat(2),
  kind: fc.constantFrom("PERSON", "COMPANY", "UNKNOWN"),
  dateOfBirth: fc.option(fc.constantFrom("1970", "1965-03-02", "1980-01-01"), { nil: undefined }),
  countries: fc.constantFrom([], ["IRQ"], ["DEU", "AFG"]),
  isDocumented: fc.boolean(),
  threshold: fc.integer({ min: 500, max: 980 }),
  limit: fc.constantFrom(1, 3, 20, 50, 200),
  otherYearOfBirth: fc.constantFrom("IGNORE", "LOWER", "EXCLUDE"),
});

/** As entries of a real list are: of all kinds, some with weak names and with documents. */
function madeEntries(): ListEntry[] {
  return madeList(400).map((entry, at) => ({
    ...entry,
    kind: (["PERSON", "PERSON", "OTHER", "COMPANY", "VESSEL"] as const)[at % 5]!,
    names: entry.names.map((name, place) => (place > 0 && at % 3 === 0 ? { ...name, quality: "WEAK" as const } : name)),
    datesOfBirth: at % 2 === 0 ? [{ year: 1960 + (at % 30) }] : [],
    countries: at % 4 === 0 ? ["DEU"] : [],
    documents: at % 7 === 0 ? [{ type: "", number: `C${10_000 + at}`, country: "" }] : [],
  }));
}

function expectSame(entries: readonly ListEntry[], numRuns: number): void {
  const list = indexOf(entries);
  const words = entries.flatMap(({ names }) => names[0]?.text.split(" ") ?? []);
  fc.assert(
    fc.property(requested, ({ entry, kind, dateOfBirth, countries, isDocumented, threshold, limit, ...rest }) => {
      const { documents, names } = entries[entry % entries.length]!;
      const name = some(names[rest.seed % names.length]!.text, words, rest);
      const own = isDocumented ? documents : [];
      const party = {
        kind,
        names: [name],
        countries,
        documents: own,
        ...(dateOfBirth !== undefined && { dateOfBirth }),
      };
      const options = { threshold, limit, otherYearOfBirth: rest.otherYearOfBirth, yearTolerance: 1 } as const;
      expect(searchIndex(list, "UN", party, options)).toEqual(fromText(entries, list, party, options));
    }),
    { numRuns },
  );
}

it("finds what reading every entry that may fit finds, part by part and in the same order", () => {
  expectSame(madeEntries(), 300);
});

const published = unList();
(published === undefined ? it.skip : it)("the same of the UN's list", async () => {
  const entries: ListEntry[] = [];
  const files = [{ part: "" as const, stream: createReadStream(published!) }];
  for await (const entry of parseList("UN", files).entries) entries.push(entry);
  expectSame(entries, 200);
});
