import { countriesOfCell, countryOfName } from "./country-names.js";
import { csvRows } from "./csv-rows.js";
import { listedDate } from "./dates.js";
import { createEntryDraft, type EntryDraft } from "./entry-draft.js";
import { ListFault, type ListFile, type ParsedList, type Row } from "./list-file.js";
import { odsRows, type InflationLimits } from "./ods-rows.js";
import { peek } from "./slices.js";
import { readTable, type Table } from "./table.js";

const names = ["Name 1", "Name 2", "Name 3", "Name 4", "Name 5", "Name 6"];
const needed = ["Name 6", "Name 1"];
const zipBegins = "PK";
const reference = /\(UK Sanctions List Ref\):\s*([A-Z]{3}\d{4})/;

/**
 * The United Kingdom's list in either form: the UK Sanctions List (CSV or ODS, by Unique ID),
 * and the former consolidated list of asset freeze targets (CSV, by Group ID). Both name an
 * entry by its reference of the UK Sanctions List where there is one, so that changing from
 * one to the other changes no ids.
 */
export function parseUk(files: readonly ListFile[], limits?: InflationLimits): ParsedList {
  let publishedAt: Date | undefined;
  const readAbove = ({ cells }: Row) => {
    publishedAt = cells.map(dateOf).find((date) => date !== undefined) ?? publishedAt;
  };
  async function* entries() {
    const [file] = files;
    if (file === undefined) throw new ListFault("there is no file");
    const [head, stream] = await peek(file.stream, 2);
    const rows = head.toString("latin1") === zipBegins ? odsRows(stream, limits) : csvRows(stream, { delimiter: "," });
    const known = new Map<string, EntryDraft>();
    for await (const row of readTable(rows, needed, readAbove)) {
      const id = idOf(row);
      const draft = known.get(id) ?? createEntryDraft(id);
      known.set(id, draft);
      readRow(draft, row);
    }
    for (const [id, draft] of known) {
      const entry = draft.entry();
      if (entry === undefined) throw new ListFault(`the entry ${id} has no name: lines are missing`);
      yield entry;
    }
  }
  return { entries: entries(), publishedAt: () => publishedAt };
}

function idOf(row: Table): string {
  const found = row.of("Unique ID") || reference.exec(row.of("Other Information"))?.[1] || row.of("Group ID");
  if (found === "") throw new ListFault("has neither Unique ID nor Group ID: the file is cut", row.line);
  return found;
}

/** Of several columns, which the two forms call differently, the first with text. */
function either(row: Table, ...columns: readonly string[]): string {
  for (const column of columns) {
    const text = row.of(column);
    if (text !== "") return text;
  }
  return "";
}

function readRow(draft: EntryDraft, row: Table): void {
  draft.kind = kindOf(either(row, "Group Type", "Individual, Entity, Ship", "Designation Type"), row.line);
  const quality = qualityOf(row);
  draft.addName(names.map((part) => row.of(part)).join(" "), quality.of, quality.rank);
  draft.addName(row.of("Name non-latin script"), "STRONG", 9);
  for (const date of numbered(either(row, "DOB", "D.O.B"))) draft.addDate(listedDate(date));
  draft.addGender(row.of("Gender"));
  draft.addProgramme(either(row, "Regime", "Regime Name"));
  draft.addRemark(either(row, "Other Information", "UK Statement of Reasons"));
  draft.addCountries(
    countryOfName(either(row, "Country", "Address Country")),
    countryOfName(row.of("Current believed flag of ship")),
  );
  for (const column of ["Nationality", "Nationality(/ies)", "Country of birth"])
    draft.addCountries(...countriesOfCell(row.of(column)));
  readDocuments(draft, row);
}

function readDocuments(draft: EntryDraft, row: Table): void {
  const from = (type: string, column: string) => {
    for (const number of numbered(row.of(column))) draft.addDocument(type, number);
  };
  from("PASSPORT", "Passport number");
  from("NATIONAL_ID", "National Identification number");
  from("NATIONAL_ID", "National Identifier number");
  from("REGISTRATION", "Business registration number (s)");
  from("IMO", "IMO number");
}

/** "(1) AB12 (2) CD34" */
function numbered(text: string): string[] {
  if (text === "") return [];
  return /\(\d+\)/.test(text) ? text.split(/\(\d+\)/).map((part) => part.trim()) : [text];
}

function kindOf(text: string, line: number): EntryDraft["kind"] {
  switch (text.toLowerCase()) {
    case "individual":
      return "PERSON";
    case "entity":
      return "COMPANY";
    case "ship":
      return "VESSEL";
    default:
      throw new ListFault(`has the unknown type "${text.slice(0, 40)}"`, line);
  }
}

function qualityOf(row: Table): { of: "PRIMARY" | "STRONG" | "WEAK"; rank: number } {
  const type = either(row, "Alias Type", "Name type").toLowerCase();
  const isWeak = either(row, "Alias Quality", "Alias strength").toLowerCase().startsWith("low");
  if (isWeak) return { of: "WEAK", rank: 0 };
  return type === "primary name" ? { of: "PRIMARY", rank: 0 } : { of: "STRONG", rank: 0 };
}

const months = "janfebmaraprmayjunjulaugsepoctnovdec";

/**
 * "14/11/2022", or in the other form "[Report for: 30-Nov-2022]" and "Report Date: 27-Jan-2026".
 */
function dateOf(text: string): Date | undefined {
  const [, day, month = "", year] = /\b(\d{1,2})[/-](\d\d|[A-Za-z]{3})[/-](\d{4})\b/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const number = /\d/.test(month) ? Number(month) : months.indexOf(month.toLowerCase()) / 3 + 1;
  return new Date(Date.UTC(Number(year), number - 1, Number(day)));
}
