import fc from "fast-check";
import type { ListEntry } from "../list-entry.js";
import type { ScreenedParty } from "../party.js";
import { searchBounds } from "./candidates.js";
import { createIndexBuilder, searchIndex, shippedThreshold, type ListIndex, type SearchOptions } from "./index.js";
import { countFrom, madeEntry, madeList } from "../../../../../test/support/made-list.js";
import { readParty } from "./read-party.js";
import { scoreEntry } from "./score-entry.js";

const shipped = { threshold: shippedThreshold, otherYearOfBirth: "LOWER", yearTolerance: 1 } as const;
const entries = madeList(1_200);
const index = indexOf(entries);

function indexOf(list: readonly ListEntry[]): ListIndex {
  const builder = createIndexBuilder();
  list.forEach(builder.add);
  return builder.finish();
}

function party(name: string, of: Partial<ScreenedParty> = {}): ScreenedParty {
  return { kind: "PERSON", names: [name], countries: [], documents: [], ...of };
}

function search(list: ListIndex, requested: ScreenedParty, options: Partial<SearchOptions> = {}) {
  return searchIndex(list, "CUSTOM", requested, { ...shipped, ...options });
}

/** What comparing with every name of every entry finds. */
function scan(requested: ScreenedParty, threshold: number): [string, number][] {
  const ours = readParty(requested);
  const found = entries.map((entry) => scoreEntry("CUSTOM", ours, entry, shipped));
  return found
    .filter((match) => match !== undefined && match.score >= threshold)
    .map((match): [string, number] => [match!.entry.entryId, match!.score])
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

const slips: ((text: string, at: number) => string)[] = [
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text[at] + text.slice(at),
  (text, at) => `${text.slice(0, at)}e${text.slice(at + 1)}`,
  (text, at) => text.slice(0, at) + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2),
  (text) => text.toUpperCase().split(", ").toReversed().join(" "),
  (text) => text.split(" ").slice(0, 2).join(" "),
];

it("says how much it has", () => {
  expect(index).toMatchObject({ entries: 1_200, names: 2_400 });
  expect(index.bytes).toBeGreaterThan(100_000);
});

it("finds every name of the list by itself", () => {
  for (const { entryId, kind, names } of entries.slice(0, 150)) {
    for (const { text } of names) {
      const requested = party(text, { kind: kind === "PERSON" ? "PERSON" : "COMPANY" });
      const found = search(index, requested, { limit: 2_000 }).find((match) => match.entry.entryId === entryId);
      expect(found).toMatchObject({ score: 1_000, matchedName: text, source: "CUSTOM" });
    }
  }
});

it("finds what comparing with all names finds, for names with slips of the pen", () => {
  const count = countFrom(7);
  for (let each = 0; each < 18; each++) {
    const { kind, names } = entries[count(entries.length)]!;
    const text = names[count(names.length)]!.text;
    const written = slips[each % slips.length]!(text, 1 + count(text.length - 2));
    const requested = party(written, { kind: kind === "PERSON" ? "PERSON" : "UNKNOWN" });
    const found = search(index, requested, { limit: 2_000 });
    expect([written, found.map((match) => [match.entry.entryId, match.score])]).toEqual([
      written,
      scan(requested, shippedThreshold),
    ]);
  }
});

it("looks no less far where a payer calls a person a company", () => {
  const requested = party("Elena Ivannchuk", { kind: "COMPANY", isClaimed: true });
  const found = search(index, requested, { limit: 2_000 });
  expect(found.map((match) => [match.entry.entryId, match.score])).toEqual(scan(requested, shippedThreshold));
});

it("the effects of the parts add up to the score, which stays within 0 and 1000", () => {
  const listed = entries
    .slice(0, 200)
    .map((entry) => ({ ...entry, countries: ["DEU"], datesOfBirth: [{ year: 1970 }] }));
  const list = indexOf(listed);
  for (const { names } of listed) {
    const requested = party(names[0]!.text, { dateOfBirth: "1970-05-05", countries: ["DEU"] });
    for (const { parts, score } of search(list, requested, { threshold: 600 })) {
      expect(parts.reduce((sum, { effect }) => sum + effect, 0)).toBe(score);
      expect(score).toBeLessThanOrEqual(1_000);
    }
  }
});

it("a higher threshold takes matches away and changes none", () => {
  const count = countFrom(11);
  for (let each = 0; each < 20; each++) {
    const requested = party(entries[4 * count(300)]!.names[1]!.text.replace("a", "o"));
    const low = search(index, requested, { threshold: 700, limit: 2_000 });
    for (const threshold of [785, 850, 950]) {
      const high = search(index, requested, { threshold, limit: 2_000 });
      expect(high).toEqual(low.filter((match) => match.score >= threshold));
    }
  }
});

it("compares with few names, however many are alike", () => {
  const crowd = indexOf(
    Array.from({ length: 8_000 }, (_, at) => madeEntry({ entryId: `${at}`, names: [`Mohammed Ali Zaqor${at}`] })),
  );
  const bound = searchBounds.names + 1;
  for (const name of ["Mohammed Ali", "Muhamed", "Mohammed Ali Hassan Omar", "Mohammed ".repeat(400)]) {
    const work = { names: 0, entries: 0 };
    searchIndex(crowd, "CUSTOM", party(name), shipped, work);
    expect(work.names).toBeLessThanOrEqual(bound);
  }
  const work = { names: 0, entries: 0 };
  for (const { names } of entries.slice(0, 100)) searchIndex(index, "CUSTOM", party(names[0]!.text), shipped, work);
  expect(work.names / 100).toBeLessThan(index.names / 8);
});

it("names that nobody bears are searched without an error", () => {
  const list = indexOf([...entries.slice(0, 100), madeEntry({ names: ["", "😀", "A", "\u200B"] })]);
  const hostile = [
    "",
    " ",
    "\u200B",
    "😀😀",
    "a",
    "\uD800",
    "x".repeat(10_000),
    "a b ".repeat(5_000),
    "\u202E".repeat(9_000),
  ];
  hostile.push("ﷺ".repeat(600), "Ali/".repeat(2_000), "李".repeat(10_000), "ا".repeat(10_000));
  for (const name of hostile) {
    for (const kind of ["PERSON", "COMPANY", "UNKNOWN"] as const) {
      const work = { names: 0, entries: 0 };
      searchIndex(list, "CUSTOM", party(name, { kind }), shipped, work);
      expect(work.names).toBeLessThan(2_000);
    }
  }
  const anything = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(fc.property(anything, (name) => search(list, party(name, { kind: "UNKNOWN" })).length <= 50));
  expect(search(list, { ...party(""), names: [] })).toEqual([]);
});

it("a weak alias alone is no hit; with the day of birth it may be one", () => {
  const weak = { text: "Abu Sindbad", quality: "WEAK" } as const;
  const list = indexOf([
    madeEntry({
      names: ["Farid Belkacemi", { ...weak }, { ...weak, text: "Red Sindbad Falcon" }],
      datesOfBirth: [{ year: 1970, month: 2, day: 3 }],
    }),
  ]);
  expect(search(list, party("Abu Sindbad"))).toEqual([]);
  expect(search(list, party("Red Sindbad"))).toEqual([]);
  expect(search(list, party("Red Sindbad Falcon"))).toMatchObject([{ score: 880 }]);
  expect(search(list, party("Red Sindbad Falcon", { dateOfBirth: "1970-02-03" }))).toMatchObject([{ score: 905 }]);
});

it("a document is a hit whatever the name, and another year of birth is not heard then", () => {
  const documents = [{ type: "PASSPORT", number: "C-123456", country: "" }];
  const list = indexOf([madeEntry({ names: ["Farid Belkacemi"], documents, datesOfBirth: [{ year: 1950 }] })]);
  const requested = party("Greta Lindqvar", {
    documents: [{ type: "", number: "c123456", country: "DEU" }],
    dateOfBirth: "1990",
  });
  for (const otherYearOfBirth of ["IGNORE", "LOWER", "EXCLUDE"] as const) {
    expect(search(list, requested, { otherYearOfBirth })).toMatchObject([{ score: 950 }]);
  }
});

it("what another year of birth does is the tenant's choice", () => {
  const list = indexOf([madeEntry({ names: ["Farid Belkacemi"], datesOfBirth: [{ year: 1950 }] })]);
  const requested = party("Farid Belkacemi", { dateOfBirth: "1990-01-01" });
  expect(search(list, requested, { otherYearOfBirth: "IGNORE" })).toMatchObject([{ score: 1_000 }]);
  expect(search(list, requested)).toMatchObject([{ score: 850 }]);
  expect(search(list, requested, { otherYearOfBirth: "EXCLUDE" })).toEqual([]);
});

it("nobody gets by with the name of a listed person as that of a company, or the other way round", () => {
  const list = indexOf([
    madeEntry({ names: ["Farid Belkacemi"] }),
    madeEntry({ entryId: "two", kind: "COMPANY", names: ["Drakon Petrochemicals LLC"] }),
    madeEntry({ entryId: "three", kind: "OTHER", names: ["Osiris Falkenrath"] }),
  ]);
  expect(search(list, party("Farid Belkacemi", { kind: "COMPANY" }))).toMatchObject([{ score: 900 }]);
  expect(search(list, party("Drakon Petrochemicals"))).toMatchObject([{ entry: { entryId: "two" }, score: 880 }]);
  for (const kind of ["PERSON", "COMPANY", "UNKNOWN"] as const) {
    expect(search(list, party("Osiris Falkenrath", { kind }))).toMatchObject([{ score: 1_000 }]);
  }
});

it("whoever pays says nothing of a recipient by which the name alone is a hit no more", () => {
  const datesOfBirth = [{ year: 1950, month: 2, day: 3 }];
  const list = indexOf([
    madeEntry({ names: ["Farid Belkacemi"], datesOfBirth, countries: ["DZA"] }),
    madeEntry({ entryId: "two", kind: "COMPANY", names: ["Drakon Petrochemicals LLC"], countries: ["RUS"] }),
  ]);
  for (const name of ["Farid Belkacem", "Drakon Petrochemicals"]) {
    const byName = search(list, party(name, { kind: "UNKNOWN" }));
    expect(byName).toHaveLength(1);
    for (const kind of ["PERSON", "COMPANY", "UNKNOWN"] as const) {
      for (const otherYearOfBirth of ["IGNORE", "LOWER", "EXCLUDE"] as const) {
        const stated = { kind, dateOfBirth: "1991-07-30", countries: ["DEU"], isClaimed: true as const };
        const [match] = search(list, party(name, stated), { otherYearOfBirth });
        expect(match!.score).toBe(byName[0]!.score);
        expect(match!.parts.reduce((sum, { effect }) => sum + effect, 0)).toBe(match!.score);
      }
    }
  }
  const [fitting] = search(list, party("Farid Belkacem", { dateOfBirth: "1950-02-03", isClaimed: true }));
  expect(fitting!.score).toBeGreaterThan(search(list, party("Farid Belkacem"))[0]!.score);
});
