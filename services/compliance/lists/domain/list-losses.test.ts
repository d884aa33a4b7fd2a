import type { ListEntry } from "./list-entry.js";
import { lossesOf } from "./list-losses.js";

const entry: ListEntry = {
  entryId: "QDi.900",
  kind: "PERSON",
  names: [
    { text: "VORSKUTIN, Yaromil Ostapovich", quality: "PRIMARY" },
    { text: "Yaromil Vorskutine", quality: "STRONG" },
    { text: "The Ferryman", quality: "WEAK" },
  ],
  datesOfBirth: [{ year: 1961, month: 2, day: 14 }],
  countries: ["RUS"],
  documents: [{ type: "PASSPORT", number: "71 9900017", country: "RUS" }],
  programmes: [],
  remarks: "",
};
const nothing = { losesName: false, losesDetails: false };
const [primary, alias, weak] = entry.names as [ListEntry["names"][0], ListEntry["names"][0], ListEntry["names"][0]];

test.each([
  [
    "another order of the words, and another case",
    { names: [{ ...primary, text: "Yaromil Ostapovich Vorskutin" }, alias, weak] },
  ],
  [
    "an alias more, and a weak one that is strong now",
    { names: [primary, alias, { ...weak, quality: "STRONG" as const }, { ...weak, text: "Y. V." }] },
  ],
  [
    "the primary name as an alias",
    { names: [{ ...alias, quality: "PRIMARY" as const }, { ...primary, quality: "STRONG" as const }, weak] },
  ],
  ["a day that is a year now, and a date more", { datesOfBirth: [{ year: 1961 }, { year: 1959 }] }],
  ["a span of years around the day", { datesOfBirth: [{ year: 1960, untilYear: 1962 }] }],
  ["a document's number without its space", { documents: [{ type: "PASSPORT", number: "719900017", country: "" }] }],
])("%s loses nothing", (_what, change) => {
  expect(lossesOf(entry, { ...entry, ...change })).toEqual(nothing);
});

test.each([
  ["without an alias", [primary, weak]],
  ["with another spelling of an alias in its place", [primary, { ...alias, text: "Jaromil Worskutin" }, weak]],
  ["with a name that is a weak alias now", [primary, { ...alias, quality: "WEAK" as const }, weak]],
  ["without its weak alias", [primary, alias]],
  ["with another name altogether", [{ ...primary, text: "Somebody Else" }]],
])("an entry %s loses a name", (_what, names) => {
  expect(lossesOf(entry, { ...entry, names })).toEqual({ losesName: true, losesDetails: false });
});

test.each([
  ["without dates of birth", { datesOfBirth: [] }],
  ["with dates of birth of other years alone", { datesOfBirth: [{ year: 1981, month: 2, day: 14 }] }],
  ["without documents", { documents: [] }],
  ["with other documents alone", { documents: [{ type: "PASSPORT", number: "72 1111111", country: "RUS" }] }],
])("an entry %s loses what people are told by", (_what, change) => {
  expect(lossesOf(entry, { ...entry, ...change })).toEqual({ losesName: false, losesDetails: true });
});

test("who has no dates and documents has none to lose", () => {
  const bare = { ...entry, datesOfBirth: [], documents: [{ type: "OTHER", number: "7", country: "" }] };
  expect(lossesOf(bare, { ...bare, documents: [] })).toEqual(nothing);
  expect(lossesOf(bare, entry)).toEqual(nothing);
});

test("names in another script, and names without a letter, are compared too", () => {
  const named = (...texts: string[]) => ({
    ...entry,
    names: texts.map((text) => ({ text, quality: "STRONG" as const })),
  });
  expect(lossesOf(named("Яромил", "—"), named("Yaromil", "—"))).toEqual(nothing);
  expect(lossesOf(named("Яромил", "—"), named("Яромил"))).toMatchObject({ losesName: true });
});
