import { countryOfCode, countryOfName } from "./country-names.js";
import { csvRows } from "./csv-rows.js";
import { listedDate, partsOf, spanOf } from "./dates.js";
import { createEntryDraft, type EntryDraft } from "./entry-draft.js";
import { ListFault, type ListFile, type ParsedList } from "./list-file.js";
import { readTable, type Table } from "./table.js";

const needed = [
  "Entity_LogicalId",
  "Entity_EU_ReferenceNumber",
  "Entity_SubjectType",
  "NameAlias_WholeName",
  "NameAlias_LogicalId",
];

const documentTypes: Readonly<Record<string, string>> = {
  passport: "PASSPORT",
  id: "NATIONAL_ID",
  ssn: "NATIONAL_ID",
  fiscalcode: "TAX_ID",
  drivinglicence: "DRIVING_LICENCE",
  residentperm: "RESIDENCE_PERMIT",
  imo: "IMO",
  regnumber: "REGISTRATION",
  tradelic: "REGISTRATION",
};

/**
 * The European Union's consolidated list, full CSV 1.1: a line per name, address, birth
 * date, document or citizenship.
 */
export function parseEu(files: readonly ListFile[]): ParsedList {
  let publishedAt: Date | undefined;
  async function* entries() {
    const known = new Map<string, EntryDraft>();
    const seen = new Map<string, number>();
    const [file] = files;
    if (file === undefined) throw new ListFault("there is no file");
    for await (const row of readTable(csvRows(file.stream, { delimiter: ";" }), needed)) {
      const text = row.cells.join(";");
      const before = seen.get(text);
      if (before !== undefined) throw new ListFault(`is the same as line ${before}`, row.line);
      seen.set(text, row.line);
      publishedAt ??= dateOf(row.of("fileGenerationDate"));
      const id = row.of("Entity_EU_ReferenceNumber") || row.of("Entity_LogicalId");
      if (id === "") throw new ListFault("names no entity", row.line);
      const draft = known.get(id) ?? createEntryDraft(id);
      known.set(id, draft);
      readRow(draft, row);
    }
    for (const [id, draft] of known) {
      const entry = draft.entry();
      if (entry === undefined) throw new ListFault(`the entity ${id} has no name: lines are missing`);
      yield entry;
    }
  }
  return { entries: entries(), publishedAt: () => publishedAt };
}

function readRow(draft: EntryDraft, row: Table): void {
  const isVessel = draft.kind === "VESSEL" || row.of("Identification_TypeCode") === "imo";
  draft.kind = isVessel ? "VESSEL" : row.of("Entity_SubjectType") === "P" ? "PERSON" : "COMPANY";
  draft.addProgramme(row.of("Entity_Regulation_Programme"));
  draft.addRemark(row.of("Entity_Remark"));
  const name = row.of("NameAlias_WholeName");
  if (name !== "") {
    const isWeak = /low quality/i.test(row.of("NameAlias_Remark"));
    // The oldest name has the lowest number; which line comes first says nothing.
    draft.addName(name, isWeak ? "WEAK" : "STRONG", Number(row.of("NameAlias_LogicalId")));
  }
  draft.addGender(row.of("NameAlias_Gender"));
  draft.addCountries(
    ...["Address", "BirthDate", "Citizenship"].map((of) => {
      const code = row.of(`${of}_CountryIso2Code`);
      return code === "" || code === "00" ? undefined : countryOfCode(code);
    }),
  );
  readBirth(draft, row);
  const number = row.of("Identification_Number");
  if (number !== "") {
    const type = documentTypes[row.of("Identification_TypeCode")] ?? "OTHER";
    const country =
      countryOfCode(row.of("Identification_CountryIso2Code")) ??
      countryOfName(row.of("Identification_CountryDescription"));
    draft.addDocument(type, number.replace(/\s*\(.*$/s, ""), country);
  }
}

function readBirth(draft: EntryDraft, row: Table): void {
  // Years of another calendar would be other years.
  if (!["", "GREGORIAN"].includes(row.of("BirthDate_CalendarType"))) return;
  const [from, until] = [Number(row.of("BirthDate_YearRangeFrom")), Number(row.of("BirthDate_YearRangeTo"))];
  const [year, month, day] = ["Year", "Month", "Day"].map((part) => Number(row.of(`BirthDate_${part}`))) as [
    number,
    number,
    number,
  ];
  const span = from > 0 && until > 0 ? spanOf(from, until) : undefined;
  const date = partsOf(year, month, day) ?? span ?? listedDate(row.of("BirthDate_BirthDate"));
  if (date !== undefined) draft.addDate(row.of("BirthDate_Circa") === "YES" ? { ...date, isAbout: true } : date);
}

/** 24/01/2024 */
function dateOf(text: string): Date | undefined {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? [];
  return year === undefined ? undefined : new Date(`${year}-${month}-${day}T00:00:00Z`);
}
