import type { ListEntry } from "../domain/list-entry.js";
import { countryOfCode, countryOfName } from "./country-names.js";
import { csvRows } from "./csv-rows.js";
import { isoDate } from "./dates.js";
import { createEntryDraft, genderOf } from "./entry-draft.js";
import { ListFault, type ListFile, type ParsedList } from "./list-file.js";
import { readTable, type Table } from "./table.js";

const needed = ["id", "name"];
const kinds = ["PERSON", "COMPANY", "VESSEL", "OTHER"] as const;
const maxText = 10_000;

/**
 * A list of one's own, also of politically exposed persons: CSV with the columns id and name, and
 * where wanted kind, aliases, weak_aliases, dates_of_birth, gender, countries, documents,
 * programmes and remarks. Several values of a cell are divided by semicolons.
 */
export function parseCustom(files: readonly ListFile[]): ParsedList {
  async function* entries() {
    const [file] = files;
    if (file === undefined) throw new ListFault("there is no file");
    const lines = new Map<string, number>();
    for await (const row of readTable(csvRows(file.stream, { delimiter: "," }), needed)) {
      const id = row.of("id");
      const before = lines.get(id);
      if (before !== undefined) throw new ListFault(`has the id ${id} again, which line ${before} has`, row.line);
      lines.set(id, row.line);
      yield entryOf(id, row);
    }
  }
  return { entries: entries(), publishedAt: () => undefined };
}

function entryOf(id: string, row: Table): ListEntry {
  const fault = (reason: string) => new ListFault(reason, row.line);
  if (id === "" || id.length > 128) throw fault("must have an id of 1 to 128 characters");
  if (row.cells.some((cell) => cell.length > maxText)) throw fault(`has a cell of more than ${maxText} characters`);
  const draft = createEntryDraft(id);
  const kind = row.of("kind").toUpperCase() || "PERSON";
  if (!isKind(kind)) throw fault(`has the kind ${kind.slice(0, 40)}, not ${kinds.join(", ")}`);
  draft.kind = kind;
  draft.addName(row.of("name"), "PRIMARY");
  for (const name of values(row, "aliases")) draft.addName(name, "STRONG");
  for (const name of values(row, "weak_aliases")) draft.addName(name, "WEAK");
  for (const text of [...values(row, "dates_of_birth"), ...values(row, "date_of_birth")]) {
    const date = isoDate(text);
    if (date === undefined)
      throw fault(`has the date of birth ${text.slice(0, 40)}, not such as 1971-03-05, 1971-03 or 1971`);
    draft.addDate(date);
  }
  const gender = row.of("gender");
  if (gender !== "" && genderOf(gender) === undefined)
    throw fault(`has the gender ${gender.slice(0, 40)}, not FEMALE or MALE`);
  draft.addGender(gender);
  for (const text of values(row, "countries")) {
    const country = countryOfCode(text) ?? countryOfName(text);
    if (country === undefined) throw fault(`has the unknown country ${text.slice(0, 40)}`);
    draft.addCountries(country);
  }
  for (const text of values(row, "documents")) {
    const [type = "", number = "", country = ""] = text.split(":").map((part) => part.trim());
    if (!/^[A-Z_]{1,32}$/.test(type) || number === "")
      throw fault(`has the document ${text.slice(0, 40)}, not such as PASSPORT:A1234567:NGA`);
    draft.addDocument(type, number, countryOfCode(country));
  }
  for (const text of values(row, "programmes")) draft.addProgramme(text);
  draft.addRemark(row.of("remarks"));
  const entry = draft.entry();
  if (entry === undefined) throw fault("has no name");
  return entry;
}

function values(row: Table, column: string): string[] {
  return row
    .of(column)
    .split(";")
    .map((text) => text.trim())
    .filter((text) => text !== "");
}

function isKind(text: string): text is (typeof kinds)[number] {
  return kinds.some((kind) => kind === text);
}
