import { readFileSync } from "node:fs";
import { join } from "node:path";
import { madeEntry } from "../../../../../test/support/made-list.js";
import type { ListEntry } from "../list-entry.js";
import type { ScreenedParty } from "../party.js";
import { attributeEffects } from "./attributes.js";
import { searchBounds } from "./candidates.js";
import { readLetters, readWords } from "../../../../kernel/names/clean.js";
import { createIndexBuilder, searchIndex, shippedThreshold } from "./index.js";
import { lookAlikeReason, nameDeductions } from "../../../../kernel/names/name-score.js";
import { entryDeductions } from "./score-entry.js";
import { differences } from "../../../../kernel/names/word-cost.js";

// docs/screening-scores.md says what is computed: it is read here, so that it cannot drift.
const page = readFileSync(join(__dirname, "../../../../../docs/screening-scores.md"), "utf8");
const sections = page.split(/^## /m);

const examples: [string, Partial<ScreenedParty>, ListEntry][] = [
  [
    "A person, written otherwise",
    { names: ["Katarina Jelinek"], dateOfBirth: "1968-04-12", countries: ["CZE"] },
    madeEntry({ names: ["Katerina Jelinek"], datesOfBirth: [{ year: 1968, month: 4, day: 12 }], countries: ["CZE"] }),
  ],
  [
    "A person of that name, and another one",
    { names: ["Dmitri Morozkyn"], dateOfBirth: "1991-07-30", countries: ["DEU"] },
    madeEntry({ names: ["MOROZKIN, Dmitriy Pavlovich"], datesOfBirth: [{ year: 1965 }], countries: ["RUS"] }),
  ],
];

it.each(examples)("%s: the page has the parts and the score", (title, requested, entry) => {
  const section = sections.find((each) => each.startsWith(title))!;
  const builder = createIndexBuilder();
  builder.add(entry);
  const party: ScreenedParty = { kind: "PERSON", names: [], countries: [], documents: [], ...requested };
  const options = { threshold: 500, otherYearOfBirth: "LOWER", yearTolerance: 1 } as const;
  const [match] = searchIndex(builder.finish(), "CUSTOM", party, options);
  const rows = section.split("\n").filter((line) => line.startsWith("|"));
  const cells = rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(cells).toEqual(match!.parts.map(({ part, ours, theirs, effect }) => [part, ours, theirs, `${effect}`]));
  expect(section).toContain(`Score: **${match!.score}**, ${match!.score >= shippedThreshold ? "a" : "no"} hit`);
  for (const name of [...party.names, ...entry.names.map(({ text }) => text)]) expect(section).toContain(name);
});

/** The last cell of the first row that begins so. */
function pointsOf(begins: string): string {
  const row = page.split("\n").find((line) => line.startsWith(`| ${begins}`));
  return row?.split("|").at(-2)?.trim().replace("−", "-") ?? "";
}

it.each<[string, string]>([
  ["two words that stand", `-${nameDeductions.differentName}`],
  ["words of a person's name on one side only", `-${nameDeductions.aloneNames} × (words ÷ words alike)²`],
  ["… beside one", `-${nameDeductions.aloneBesideOne} each`],
  ["… a father's name", `-${nameDeductions.title}`],
  [
    "a word of a company",
    `-${nameDeductions.aloneLetters} × letters ÷ letters compared, at least −${nameDeductions.leastAloneWord}`,
  ],
  ["a word such as", `-${nameDeductions.small}`],
  ["the legal form on one side", `-${nameDeductions.formMissing}`],
  ["another legal form", `-${nameDeductions.formDifferent}`],
  ["the list calls", `-${entryDeductions.weakAlias}`],
  ["… for every word fewer", `-${entryDeductions.weakPerWord}`],
  ["a person by the name", `-${entryDeductions.otherKind}`],
  ["born on the same day", `+${attributeEffects.sameDay}`],
  ["born in the same year", `+${attributeEffects.sameYear}`],
  ["born in another year", `${attributeEffects.otherYear}`],
  ["another gender", `${attributeEffects.otherGender}`],
  ["a country in common", `+${attributeEffects.sameCountry}`],
  ["countries on both sides", `${attributeEffects.otherCountry}`],
  ["a document of the same", `up to ${attributeEffects.sameDocument}, whatever the name`],
  ["the words sound alike", `${differences.soundsAlike}`],
  ["letters or digits that look alike", `${differences.looksAlike}`],
  ["a short form", `${differences.shortForm}`],
  ["one is written without", `${differences.vowelsUnwritten}`],
  ["an initial", `${differences.initial}`],
  ["… each further initial", `${differences.furtherInitial}`],
])("%s: %s", (begins, points) => {
  expect(pointsOf(begins)).toBe(points);
});

it("the page names the threshold, the cost of an edit and the bounds", () => {
  const { edit, leastEdit, mostEdit } = nameDeductions;
  expect(page).toContain(`A hit begins at ${shippedThreshold} unless`);
  expect(page).toContain(`An edit costs ${edit} points`);
  expect(page).toContain(`not less than ${leastEdit} and not more than ${mostEdit}`);
  expect(page).toContain(
    `a name ${readLetters} characters and ${readWords} words are read, ${searchBounds.words} words`,
  );
  expect(page).toContain(`first ${searchBounds.names} names found`);
  expect(page).toContain(`the note "${lookAlikeReason}"`);
});
