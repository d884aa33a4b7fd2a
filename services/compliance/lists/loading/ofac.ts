import { commentRows } from "./comment-rows.js";
import { countryOfName } from "./country-names.js";
import { csvRows } from "./csv-rows.js";
import { listedDate } from "./dates.js";
import { createEntryDraft, type EntryDraft } from "./entry-draft.js";
import { ListFault, type ListFile, type ListPart, type ParsedList, type Row, type SetAside } from "./list-file.js";

const columnsOf = { SDN: 12, ALT: 5, ADD: 6 } as const;
const kinds: Readonly<Record<string, EntryDraft["kind"]>> = {
  individual: "PERSON",
  vessel: "VESSEL",
  aircraft: "OTHER",
  "": "COMPANY",
};

interface Known {
  draft: EntryDraft;
  line: number;
  remarks: string;
}

/**
 * The files sdn.csv, alt.csv, add.csv and sdn_comments.csv of the US Treasury's list.
 * They have no header and no date.
 */
export function parseOfac(files: readonly ListFile[]): ParsedList {
  const of = (part: ListPart) => files.find((file) => file.part === part || (part === "SDN" && file.part === ""));
  const setAside: SetAside[] = [];
  async function* entries() {
    const known = new Map<string, Known>();
    const main = of("SDN");
    if (main === undefined) throw new ListFault("the file SDN is missing");
    for await (const row of rowsOf(main, "SDN")) readEntry(known, row);
    for (const part of ["ALT", "ADD", "COMMENTS"] as const) {
      const file = of(part);
      if (file === undefined) continue;
      const rows = part === "COMMENTS" ? commentRows(file.stream, (found) => setAside.push(found)) : rowsOf(file, part);
      for await (const { line, cells } of rows) {
        const entry = known.get(cell(cells, 0));
        // Comments go on where remarks end, and outlive some entries.
        if (entry === undefined && part !== "COMMENTS") {
          throw new ListFault(
            `is of entry ${cell(cells, 0)}, which SDN does not have: the files are of different days`,
            line,
            part,
          );
        }
        if (entry !== undefined) readMore[part](entry, cells);
      }
    }
    for (const { draft, remarks } of known.values()) {
      readRemarks(draft, remarks);
      const entry = draft.entry();
      if (entry !== undefined) yield entry;
    }
  }
  return { entries: entries(), publishedAt: () => undefined, setAside: () => setAside };
}

async function* rowsOf({ stream }: ListFile, part: keyof typeof columnsOf): AsyncGenerator<Row> {
  for await (const row of csvRows(stream, { delimiter: ",", part })) {
    // The end of a file of DOS, which the source still writes.
    if (row.cells.length === 1 && row.cells[0] === "\u001a") continue;
    if (row.cells.length !== columnsOf[part]) {
      throw new ListFault(`has ${row.cells.length} columns, not ${columnsOf[part]}`, row.line, part);
    }
    yield row;
  }
}

/** "-0-" is how the source writes nothing. */
function cell(cells: readonly string[], index: number): string {
  const text = (cells[index] ?? "").trim();
  return text === "-0-" ? "" : text;
}

function readEntry(known: Map<string, Known>, { line, cells }: Row): void {
  const id = cell(cells, 0);
  const name = cell(cells, 1);
  if (!/^\d{1,9}$/.test(id) || name === "") throw new ListFault("has no number and name of an entry", line, "SDN");
  const before = known.get(id);
  if (before !== undefined) throw new ListFault(`has entry ${id} again, which line ${before.line} has`, line, "SDN");
  const kind = kinds[cell(cells, 2).toLowerCase()];
  if (kind === undefined) throw new ListFault(`has the unknown type ${cell(cells, 2).slice(0, 40)}`, line, "SDN");
  const draft = createEntryDraft(id);
  draft.kind = kind;
  draft.addName(name, "PRIMARY");
  for (const programme of cell(cells, 3).split("] [")) draft.addProgramme(programme);
  draft.addRemark(cell(cells, 4));
  draft.addCountries(countryOfName(cell(cells, 9)));
  if (kind === "VESSEL") draft.addDocument("CALL_SIGN", cell(cells, 5));
  known.set(id, { draft, line, remarks: cell(cells, 11) });
}

const readMore: Readonly<Record<"ALT" | "ADD" | "COMMENTS", (entry: Known, cells: readonly string[]) => void>> = {
  ALT: ({ draft }, cells) => draft.addName(cell(cells, 3), "STRONG"),
  ADD: ({ draft }, cells) => draft.addCountries(countryOfName(cell(cells, 4))),
  COMMENTS: (entry, cells) => {
    entry.remarks += cell(cells, 1);
  },
};

const documentTypes: readonly (readonly [RegExp, string])[] = [
  [/passport/i, "PASSPORT"],
  [
    /national id|cedula|identification number|d\.n\.i|c\.u\.r\.p|identity card|tazkira|personal id|electoral/i,
    "NATIONAL_ID",
  ],
  [/tax id|r\.f\.c|rif|ruc|nit |v\.a\.t|ssn/i, "TAX_ID"],
  [/driver/i, "DRIVING_LICENCE"],
  [/residen/i, "RESIDENCE_PERMIT"],
  [/imo/i, "IMO"],
  [/regist|company number|folio|license|unified social|legal entity|matricula/i, "REGISTRATION"],
];

const document =
  /^(?:alt\. )?([A-Za-z][^0-9(]*?(?:Passport|No\.|Number|#|ID|IMO|SSN)) ([A-Z0-9][A-Za-z0-9./-]*)(?: \(([^)]*)\))?/;

/** "DOB 5 Mar 1971; POB Asbest, Russia; nationality Russia; Passport 71 (Russia); a.k.a. 'X'." */
function readRemarks(draft: EntryDraft, remarks: string): void {
  if (remarks === "") return;
  draft.addRemark(remarks);
  for (const part of remarks.replace(/\.$/, "").split(/;\s+/)) {
    const [, what = "", text = ""] =
      /^(?:alt\. )?(DOB|POB|Gender|nationality|citizen|[afn]\.k\.a\.) (.*)$/.exec(part) ?? [];
    if (what === "DOB") draft.addDate(listedDate(text));
    else if (what === "Gender") draft.addGender(text);
    else if (what === "POB") draft.addCountries(countryOfName(text.split(",").at(-1) as string));
    else if (what === "nationality" || what === "citizen") draft.addCountries(countryOfName(text));
    // Aliases of low quality are in the remarks alone, in quotes.
    else if (what !== "") draft.addName(text.replace(/^'|'$/g, ""), "WEAK");
    else readDocument(draft, part);
  }
}

function readDocument(draft: EntryDraft, part: string): void {
  const found = document.exec(/^(?:alt\. )?Passport/.test(part) ? part.replace("Passport", "A Passport") : part);
  if (found === null) return;
  const [, label = "", number = "", country = ""] = found;
  const type = documentTypes.find(([pattern]) => pattern.test(label))?.[1];
  if (type !== undefined) draft.addDocument(type, number, countryOfName(country));
}
