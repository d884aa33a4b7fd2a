import type { ListEntry } from "../../../services/compliance/lists/domain/list-entry.js";
import { createIndexBuilder, shippedThreshold } from "../../../services/compliance/lists/domain/matcher/index.js";
import { parseList } from "../../../services/compliance/lists/loading/parse-list.js";
import type { ListFile } from "../../../services/compliance/lists/loading/list-file.js";
import { searchAll, type LoadedList } from "./loaded-lists.js";

const arabic = /\p{Script=Arabic}/u;
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

type Source = "EU" | "UK" | "UN";

interface Found {
  people: number;
  peopleFound: number;
  companies: number;
  companiesFound: number;
}

/**
 * Rows of a table: names in Arabic letters as a list gives them, asked of the list without such
 * names; found where the entry itself is hit.
 */
export async function arabicRows(files: Record<string, ListFile[]>): Promise<string[]> {
  const rows: string[] = [];
  const all: Found = { people: 0, peopleFound: 0, companies: 0, companiesFound: 0 };
  for (const source of ["EU", "UK", "UN"] as const) {
    const found = await foundIn(source, files[source]!);
    for (const key of Object.keys(all) as (keyof Found)[]) all[key] += found[key];
    rows.push(rowOf(source, found));
  }
  return [...rows, rowOf("all", all)];
}

function rowOf(source: string, { people, peopleFound, companies, companiesFound }: Found): string {
  const [names, namesFound] = [people + companies, peopleFound + companiesFound];
  return `| ${source} | ${peopleFound} of ${people} (${percent(peopleFound, people)}) | ${namesFound} of ${names} (${percent(namesFound, names)}) |`;
}

async function foundIn(source: Source, parts: readonly ListFile[]): Promise<Found> {
  const builder = createIndexBuilder();
  const requested: { entry: ListEntry; name: string }[] = [];
  for await (const entry of parseList(source, parts).entries) {
    const written = entry.names.filter(({ text }) => arabic.test(text));
    const latin = entry.names.filter(({ text }) => !arabic.test(text));
    if (latin.length === 0) continue;
    builder.add({ ...entry, names: latin });
    requested.push(...written.map(({ text }) => ({ entry, name: text })));
  }
  const list: LoadedList = { source, index: builder.finish(), readSeconds: 0, indexSeconds: 0 };
  const found: Found = { people: 0, peopleFound: 0, companies: 0, companiesFound: 0 };
  for (const { entry, name } of requested) {
    const isPerson = entry.kind === "PERSON";
    const party = { kind: isPerson ? "PERSON" : "COMPANY", names: [name], countries: [], documents: [] } as const;
    const isFound = searchAll([list], party).some(
      (match) => match.score >= shippedThreshold && match.entry.entryId === entry.entryId,
    );
    found[isPerson ? "people" : "companies"]++;
    if (isFound) found[isPerson ? "peopleFound" : "companiesFound"]++;
  }
  return found;
}
