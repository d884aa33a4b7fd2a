import type { Gender, PartyDocument } from "./party.js";

export const listSources = ["OFAC_SDN", "EU", "UN", "UK", "CUSTOM", "PEP"] as const;
export type ListSource = (typeof listSources)[number];

/** One person, company, ship or other thing that a list names. */
export interface ListEntry {
  /** Of the source, the same from version to version. */
  entryId: string;
  kind: "PERSON" | "COMPANY" | "VESSEL" | "OTHER";
  /** The first is the primary name. */
  names: readonly ListedName[];
  datesOfBirth: readonly ListedDate[];
  /** Absent where the list does not say, or says both. */
  gender?: Gender;
  /** Alpha-3: nationalities, citizenships, countries of address and of birth. */
  countries: readonly string[];
  documents: readonly PartyDocument[];
  /** Sanctions programmes or regimes, as the source calls them. */
  programmes: readonly string[];
  remarks: string;
}

export interface ListedName {
  text: string;
  /** As the source says: WEAK for aliases of low quality, which alone rarely identify anybody. */
  quality: "PRIMARY" | "STRONG" | "WEAK";
}

/** A day, a month, a year, or a span of years. */
export interface ListedDate {
  year: number;
  month?: number;
  day?: number;
  /** The last year of a span. */
  untilYear?: number;
  /** "circa", "approximately". */
  isAbout?: true;
}
