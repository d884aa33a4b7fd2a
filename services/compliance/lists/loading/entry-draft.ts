import type { Gender } from "../domain/party.js";
import type { ListedDate, ListedName, ListEntry } from "../domain/list-entry.js";

type Quality = ListedName["quality"];

const order: Readonly<Record<Quality, number>> = { PRIMARY: 0, STRONG: 1, WEAK: 2 };
const maxRemarks = 4_000;

/** An entry that is put together of several lines; the order of the lines leaves no trace. */
export interface EntryDraft {
  kind: ListEntry["kind"];
  /** Of several primary names the one with the lowest rank is first. */
  addName(text: string, quality: Quality, rank?: number): void;
  addDate(date: ListedDate | undefined): void;
  /** "Male", "F"; what is neither is left out, and both together are none. */
  addGender(text: string): void;
  /** Alpha-3; what is none is left out. */
  addCountries(...alpha3: readonly (string | undefined)[]): void;
  addDocument(type: string, number: string, country?: string): void;
  addProgramme(text: string): void;
  addRemark(text: string): void;
  /** Undefined where it has no name. */
  entry(): ListEntry | undefined;
}

export function createEntryDraft(entryId: string): EntryDraft {
  const names = new Map<string, { quality: Quality; rank: number }>();
  const dates = new Map<string, ListedDate>();
  const genders = new Set<Gender>();
  const countries = new Set<string>();
  const documents = new Map<string, ListEntry["documents"][number]>();
  const programmes = new Set<string>();
  const remarks = new Set<string>();
  return {
    kind: "OTHER",
    addName(text, quality, rank = 0) {
      const name = tidy(text);
      const known = names.get(name);
      const isBetter = known === undefined || order[quality] < order[known.quality];
      if (name !== "" && (isBetter || (quality === known.quality && rank < known.rank)))
        names.set(name, { quality, rank });
    },
    addDate(date) {
      if (date !== undefined) dates.set(dateKey(date), date);
    },
    addGender(text) {
      const gender = genderOf(text);
      if (gender !== undefined) genders.add(gender);
    },
    addCountries(...alpha3) {
      for (const country of alpha3) if (country !== undefined && country !== "") countries.add(country);
    },
    addDocument(type, number, country = "") {
      const document = { type, number: tidy(number), country };
      if (/\d/.test(number)) documents.set(`${type} ${document.number} ${country}`, document);
    },
    addProgramme(text) {
      if (tidy(text) !== "") programmes.add(tidy(text));
    },
    addRemark(text) {
      if (tidy(text) !== "") remarks.add(tidy(text));
    },
    entry() {
      if (names.size === 0) return undefined;
      return {
        entryId,
        kind: this.kind,
        names: [...names]
          .sort(byQuality)
          .map(([text, { quality }], index) => ({ text, quality: index === 0 ? "PRIMARY" : notPrimary(quality) })),
        datesOfBirth: sortedValues(dates),
        ...(genders.size === 1 && this.kind === "PERSON" && { gender: [...genders][0]! }),
        countries: [...countries].sort(),
        documents: sortedValues(documents),
        programmes: [...programmes].sort(),
        remarks: [...remarks].sort().join(" ").slice(0, maxRemarks),
      };
    },
  };
}

type Named = [string, { quality: Quality; rank: number }];

function byQuality([a, one]: Named, [b, other]: Named): number {
  return order[one.quality] - order[other.quality] || one.rank - other.rank || compare(a, b);
}

/** One name is the primary one; others that the source calls so are as good. */
function notPrimary(quality: Quality): Quality {
  return quality === "PRIMARY" ? "STRONG" : quality;
}

function sortedValues<T>(byKey: ReadonlyMap<string, T>): T[] {
  return [...byKey].sort(([a], [b]) => compare(a, b)).map(([, value]) => value);
}

// By code units: an order that no locale changes.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function dateKey({ year, month = 0, day = 0, untilYear = 0, isAbout }: ListedDate): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)}-${untilYear}-${isAbout === true}`;
}

/** "Male", "m"; undefined for anything but the two that are compared. */
export function genderOf(text: string): Gender | undefined {
  const gender = tidy(text).toUpperCase();
  if (gender === "M" || gender === "MALE") return "MALE";
  return gender === "F" || gender === "FEMALE" ? "FEMALE" : undefined;
}

/** Without what only layout needs: line ends, no-break spaces, runs of spaces. */
export function tidy(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
