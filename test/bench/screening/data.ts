import { execFileSync } from "node:child_process";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { ListSource } from "../../../services/compliance/lists/domain/list-entry.js";
import type { ScreenedParty } from "../../../services/compliance/lists/domain/party.js";
import { countryOfCode, countryOfName } from "../../../services/compliance/lists/loading/country-names.js";
import type { ListFile, ListPart } from "../../../services/compliance/lists/loading/list-file.js";

export const watchmanModule = "github.com/moov-io/watchman@v0.50.0";

/**
 * The folder of Watchman's sources, which has lists as they were published.
 * Go fetches it once and keeps it.
 */
export function watchmanSources(): string {
  const answer = execFileSync("go", ["mod", "download", "-json", watchmanModule], { cwd: "/", encoding: "utf8" });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

/**
 * OFAC's files in Watchman's sources, by the year in which they were published:
 * 17,000, 21,000 and 36,000 names.
 */
export const ofacFolders = {
  "2019": "test/testdata",
  "2021": "test/testdata/bench",
  "2025": "pkg/ofac/testdata",
} as const;

export type OfacYear = keyof typeof ofacFolders;

/** Watchman's files, OFAC's of a year, and the UN's of the data folder. */
export function listFiles(watchman: string, data: string, year: OfacYear = "2025"): Record<string, ListFile[]> {
  const ofac = join(watchman, ofacFolders[year]);
  const others = join(watchman, "test/testdata");
  const file = (path: string, part: ListPart = ""): ListFile => ({ part, stream: createReadStream(path) });
  return {
    OFAC_SDN: [
      file(join(ofac, "sdn.csv"), "SDN"),
      file(join(ofac, "alt.csv"), "ALT"),
      file(join(ofac, "add.csv"), "ADD"),
      file(join(ofac, "sdn_comments.csv"), "COMMENTS"),
    ],
    EU: [file(join(others, "eu_csl.csv"))],
    UK: [file(join(others, "UK_Sanctions_List.ods"))],
    UN: [file(join(data, "un-consolidated.xml"))],
  } satisfies Partial<Record<ListSource, ListFile[]>>;
}

export interface Person {
  full_name: string;
  date_of_birth: string;
  nationality: string;
}

export interface Pair {
  schema: string;
  name1: string;
  name2: string;
  is_match: string;
  quality: string;
}

export function rowsOf<Row>(data: string, file: string): Row[] {
  return parse(readFileSync(join(data, file)), { columns: true }) as Row[];
}

/** Of somebody of the data, by name alone or with what else is known. */
export function partyOf(person: Person, isWhole: boolean): ScreenedParty {
  const name = { kind: "PERSON", names: [person.full_name], countries: [], documents: [] } as const;
  if (!isWhole) return name;
  const country = countryOfName(person.nationality) ?? countryOfCode(person.nationality.toUpperCase());
  return {
    ...name,
    ...(person.date_of_birth !== "" && { dateOfBirth: person.date_of_birth }),
    countries: country === undefined ? [] : [country],
  };
}
