import type { MatchPart } from "../../../screening/domain/hit.js";
import type { ListedDate, ListEntry } from "../list-entry.js";
import type { PartyDocument, ScreenedParty } from "../party.js";

/**
 * What a date of birth, a gender, a country and a document add or
 * take, per mille of the whole score.
 */
export const attributeEffects = {
  sameDay: 25,
  sameYear: 15,
  otherYear: -150,
  /**
   * Less than what a near-perfect name has above the threshold; the same one, as
   * half of all have, adds nothing.
   */
  otherGender: -50,
  sameCountry: 5,
  otherCountry: -30,
  /** A document of the same number lifts the score to this, whatever the name. */
  sameDocument: 950,
};

/** Beside a part that would lower the score of somebody else. */
export const claimedReason = "not counted, as the payer says it";

export interface DateOptions {
  otherYearOfBirth: "IGNORE" | "LOWER" | "EXCLUDE";
  /** Years. */
  yearTolerance: number;
}

/**
 * Compares the date of birth with all that the entry gives; "EXCLUDED" where
 * another year rules the entry out.
 */
export function birthPart(
  party: ScreenedParty,
  entry: ListEntry,
  options: DateOptions,
): MatchPart | "EXCLUDED" | undefined {
  const born = dateOf(party.dateOfBirth);
  if (born === undefined || entry.datesOfBirth.length === 0) return undefined;
  const years = (date: ListedDate) => yearsApart(born.year, date, options.yearTolerance);
  const nearest = entry.datesOfBirth.toSorted(
    (a, b) => likeness(born, b) - likeness(born, a) || years(a) - years(b),
  )[0]!;
  const found = { part: "DATE_OF_BIRTH", ours: party.dateOfBirth!, theirs: writtenDate(nearest) } as const;
  if (likeness(born, nearest) === 2) return { ...found, score: 1000, effect: attributeEffects.sameDay };
  if (years(nearest) === 0) return { ...found, score: 800, effect: attributeEffects.sameYear };
  if (party.isClaimed === true && options.otherYearOfBirth !== "IGNORE") {
    return { ...found, score: 0, effect: 0, note: claimedReason };
  }
  if (options.otherYearOfBirth === "EXCLUDE") return "EXCLUDED";
  const effect = options.otherYearOfBirth === "LOWER" ? attributeEffects.otherYear : 0;
  return { ...found, score: 0, effect };
}

/** The same gender or another one, where both are stated. */
export function genderPart(party: ScreenedParty, entry: ListEntry): MatchPart | undefined {
  if (party.gender === undefined || entry.gender === undefined) return undefined;
  const found = { part: "GENDER", ours: party.gender, theirs: entry.gender } as const;
  if (party.gender === entry.gender) return { ...found, score: 1000, effect: 0 };
  if (party.isClaimed === true) return { ...found, score: 0, effect: 0, note: claimedReason };
  return { ...found, score: 0, effect: attributeEffects.otherGender };
}

/** A country in common, or none. */
export function countryPart(party: ScreenedParty, entry: ListEntry): MatchPart | undefined {
  if (party.countries.length === 0 || entry.countries.length === 0) return undefined;
  const common = party.countries.find((country) => entry.countries.includes(country));
  const [ours, theirs] = [party.countries.slice(0, 4).join(", "), entry.countries.slice(0, 4).join(", ")];
  if (common !== undefined)
    return { part: "COUNTRY", ours: common, theirs: common, score: 1000, effect: attributeEffects.sameCountry };
  const found = { part: "COUNTRY", ours, theirs, score: 0 } as const;
  if (party.isClaimed === true) return { ...found, effect: 0, note: claimedReason };
  return { ...found, effect: attributeEffects.otherCountry };
}

/** The document that both have, if any. */
export function sameDocument(party: ScreenedParty, entry: ListEntry): [PartyDocument, PartyDocument] | undefined {
  for (const ours of party.documents) {
    const key = documentKey(ours);
    const theirs =
      key === undefined
        ? undefined
        : entry.documents.find((document) => documentKey(document) === key && agree(ours, document));
    if (theirs !== undefined) return [ours, theirs];
  }
  return undefined;
}

const shortestNumber = 5;

/** A document's number as it is compared; none for numbers that are too short to tell anybody. */
export function documentKey({ number }: PartyDocument): string | undefined {
  const key = number
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .slice(0, 64);
  return key.length < shortestNumber || /^(.)\1*$/.test(key) ? undefined : key;
}

function agree(ours: PartyDocument, theirs: PartyDocument): boolean {
  return ours.country === "" || theirs.country === "" || ours.country === theirs.country;
}

function dateOf(text: string | undefined): ListedDate | undefined {
  const found = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/.exec(text ?? "");
  if (found === null) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2] ?? 0), Number(found[3] ?? 0)];
  return { year, ...(month > 0 && { month }), ...(day > 0 && { day }) };
}

// 2 for the same day, 1 for the same year, 0 for others.
function likeness(born: ListedDate, date: ListedDate): number {
  if (date.untilYear !== undefined || born.year !== date.year) return 0;
  return born.day !== undefined && born.month === date.month && born.day === date.day ? 2 : 1;
}

function yearsApart(year: number, date: ListedDate, tolerance: number): number {
  const slack = tolerance + (date.isAbout ? 1 : 0);
  const [from, until] = [date.year - slack, (date.untilYear ?? date.year) + slack];
  return year < from ? from - year : Math.max(0, year - until);
}

function writtenDate({ year, month, day, untilYear, isAbout }: ListedDate): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const date = `${year}${month === undefined ? "" : `-${two(month)}`}${day === undefined ? "" : `-${two(day)}`}`;
  return `${isAbout ? "about " : ""}${date}${untilYear === undefined ? "" : `/${untilYear}`}`;
}
