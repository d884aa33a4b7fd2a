import type { ListedDate, ListEntry } from "../list-entry.js";
import type { ScreenedParty } from "../party.js";
import { attributeEffects, birthPart, countryPart, documentKey, genderPart, sameDocument } from "./attributes.js";

const party = (of: Partial<ScreenedParty> = {}): ScreenedParty => ({
  kind: "PERSON",
  names: ["Ana Berg"],
  countries: [],
  documents: [],
  ...of,
});
const entry = (of: Partial<ListEntry> = {}): ListEntry => ({
  entryId: "1",
  kind: "PERSON",
  names: [{ text: "BERG, Ana", quality: "PRIMARY" }],
  datesOfBirth: [],
  countries: [],
  documents: [],
  programmes: [],
  remarks: "",
  ...of,
});
const lower = { otherYearOfBirth: "LOWER", yearTolerance: 1 } as const;
const born = (dateOfBirth: string, datesOfBirth: ListedDate[], options = lower as never) =>
  birthPart(party({ dateOfBirth }), entry({ datesOfBirth }), options);

it.each<[string, ListedDate[], number, string]>([
  ["1970-03-04", [{ year: 1970, month: 3, day: 4 }], attributeEffects.sameDay, "1970-03-04"],
  ["1970-03-05", [{ year: 1970, month: 3, day: 4 }], attributeEffects.sameYear, "1970-03-04"],
  ["1970", [{ year: 1970, month: 3 }], attributeEffects.sameYear, "1970-03"],
  ["1971-01-01", [{ year: 1970 }], attributeEffects.sameYear, "1970"],
  ["1972-01-01", [{ year: 1970 }], attributeEffects.otherYear, "1970"],
  ["1972-01-01", [{ year: 1970, isAbout: true }], attributeEffects.sameYear, "about 1970"],
  ["1968-01-01", [{ year: 1960, untilYear: 1967 }], attributeEffects.sameYear, "1960/1967"],
  ["1970-03-04", [{ year: 1950 }, { year: 1970, month: 3, day: 4 }], attributeEffects.sameDay, "1970-03-04"],
])("born %s, and the list says %j: %i", (ours, theirs, effect, written) => {
  expect(born(ours, theirs)).toMatchObject({ part: "DATE_OF_BIRTH", ours, theirs: written, effect });
});

it("another year is ignored, or rules the entry out, where a tenant says so", () => {
  const dates = [{ year: 1950 }];
  expect(born("1970", dates, { otherYearOfBirth: "IGNORE", yearTolerance: 1 } as never)).toMatchObject({ effect: 0 });
  expect(born("1970", dates, { otherYearOfBirth: "EXCLUDE", yearTolerance: 1 } as never)).toBe("EXCLUDED");
  expect(born("1970", dates, { otherYearOfBirth: "EXCLUDE", yearTolerance: 20 } as never)).toMatchObject({
    score: 800,
  });
});

it("a date that one side does not know says nothing", () => {
  expect(born("1970", [])).toBeUndefined();
  expect(born("soon", [{ year: 1970 }])).toBeUndefined();
  expect(birthPart(party(), entry({ datesOfBirth: [{ year: 1970 }] }), lower)).toBeUndefined();
});

it("what a payer says of somebody speaks for a match and never against one", () => {
  const claimed = (of: Partial<ScreenedParty>) => party({ ...of, isClaimed: true });
  const note = "not counted, as the payer says it";
  const listed = entry({ datesOfBirth: [{ year: 1950, month: 2, day: 3 }], countries: ["ITA"] });
  for (const otherYearOfBirth of ["LOWER", "EXCLUDE"] as const) {
    const options = { otherYearOfBirth, yearTolerance: 1 };
    const found = birthPart(claimed({ dateOfBirth: "1970-01-01" }), listed, options);
    expect(found).toMatchObject({ ours: "1970-01-01", theirs: "1950-02-03", score: 0, effect: 0, note });
    expect(birthPart(claimed({ dateOfBirth: "1950-02-03" }), listed, options)).toEqual({
      part: "DATE_OF_BIRTH",
      ours: "1950-02-03",
      theirs: "1950-02-03",
      score: 1000,
      effect: attributeEffects.sameDay,
    });
  }
  expect(countryPart(claimed({ countries: ["DEU"] }), listed)).toMatchObject({ effect: 0, note });
  expect(countryPart(claimed({ countries: ["DEU", "ITA"] }), listed)).toMatchObject({
    effect: attributeEffects.sameCountry,
  });
});

it("a gender that both state says little, and nothing where one does not or where a payer says it", () => {
  const listed = entry({ gender: "MALE" });
  expect(genderPart(party({ gender: "MALE" }), listed)).toEqual({
    part: "GENDER",
    ours: "MALE",
    theirs: "MALE",
    score: 1000,
    effect: 0,
  });
  const other = genderPart(party({ gender: "FEMALE" }), listed);
  expect(other).toMatchObject({ score: 0, effect: attributeEffects.otherGender });
  expect(genderPart(party({ gender: "FEMALE", isClaimed: true }), listed)).toMatchObject({
    effect: 0,
    note: "not counted, as the payer says it",
  });
  expect(genderPart(party(), listed)).toBeUndefined();
  expect(genderPart(party({ gender: "MALE" }), entry())).toBeUndefined();
});

it("countries are compared where both sides have some", () => {
  expect(countryPart(party({ countries: ["DEU"] }), entry())).toBeUndefined();
  const common = countryPart(party({ countries: ["DEU", "FRA"] }), entry({ countries: ["FRA"] }));
  expect(common).toMatchObject({ ours: "FRA", theirs: "FRA", effect: attributeEffects.sameCountry });
  const none = countryPart(party({ countries: ["DEU"] }), entry({ countries: ["FRA", "ITA"] }));
  expect(none).toMatchObject({ ours: "DEU", theirs: "FRA, ITA", effect: attributeEffects.otherCountry });
});

it("a document is the same whatever stands between its letters, and where its countries agree", () => {
  const document = (number: string, country = "") => ({ type: "PASSPORT", number, country });
  const found = (ours: ReturnType<typeof document>, theirs: ReturnType<typeof document>) =>
    sameDocument(party({ documents: [ours] }), entry({ documents: [theirs] }));
  expect(found(document("ab 123-456"), document("AB123456"))).toBeDefined();
  expect(found(document("ab123456", "DEU"), document("AB123456", "FRA"))).toBeUndefined();
  expect(documentKey(document("1234"))).toBeUndefined();
  expect(documentKey(document("000000"))).toBeUndefined();
});
