import { countryOfName } from "./country-names.js";
import { listedDate, partsOf, spanOf } from "./dates.js";
import { createEntryDraft, tidy, type EntryDraft } from "./entry-draft.js";
import { ListFault, type ListFile, type ParsedList } from "./list-file.js";
import { inSlices } from "./slices.js";
import { createXmlFeed, type XmlListener } from "./xml-events.js";
import type { ListEntry } from "../domain/list-entry.js";

interface Element {
  name: string;
  text: string;
  children: Element[];
}

const given = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"];

/** The consolidated list of the United Nations Security Council, XML. */
export function parseUn(files: readonly ListFile[]): ParsedList {
  let publishedAt: Date | undefined;
  async function* entries() {
    const [file] = files;
    if (file === undefined) throw new ListFault("there is no file");
    const seen = new Set<string>();
    const complete: Element[] = [];
    const listener = collect(complete, (attributes) => {
      const date = new Date(attributes["dateGenerated"] ?? "");
      if (!Number.isNaN(date.getTime())) publishedAt = date;
    });
    const feed = createXmlFeed(listener);
    for await (const slice of inSlices(file.stream)) {
      feed.write(slice);
      for (const element of complete.splice(0)) yield entryOf(element, seen);
    }
    feed.end();
  }
  return { entries: entries(), publishedAt: () => publishedAt };
}

/** Puts each person and entity together, with what is inside. */
function collect(complete: Element[], onRoot: (attributes: Readonly<Record<string, string>>) => void): XmlListener {
  const open: Element[] = [];
  let depth = 0;
  return {
    open(name, attributes) {
      depth += 1;
      if (depth === 1 && name !== "CONSOLIDATED_LIST")
        throw new ListFault(`begins with ${name.slice(0, 40)}, not CONSOLIDATED_LIST`, 1);
      if (depth === 1) onRoot(attributes);
      if (open.length > 0 || name === "INDIVIDUAL" || name === "ENTITY") open.push({ name, text: "", children: [] });
    },
    text(text) {
      const last = open.at(-1);
      if (last !== undefined) last.text += text;
    },
    close() {
      depth -= 1;
      const element = open.pop();
      if (element === undefined) return;
      const parent = open.at(-1);
      (parent?.children ?? complete).push(element);
    },
  };
}

function all({ children }: Element, name: string): Element[] {
  return children.filter((child) => child.name === name);
}

function textOf(element: Element, name: string): string {
  return tidy(all(element, name)[0]?.text ?? "");
}

function entryOf(element: Element, seen: Set<string>): ListEntry {
  const id = textOf(element, "REFERENCE_NUMBER") || textOf(element, "DATAID");
  if (id === "") throw new ListFault("an entry has no REFERENCE_NUMBER");
  if (seen.has(id)) throw new ListFault(`the entry ${id} comes twice`);
  seen.add(id);
  const draft = createEntryDraft(id);
  const prefix = element.name;
  draft.kind = prefix === "INDIVIDUAL" ? "PERSON" : "COMPANY";
  draft.addName(given.map((part) => textOf(element, part)).join(" "), "PRIMARY");
  draft.addName(textOf(element, "NAME_ORIGINAL_SCRIPT"), "STRONG");
  for (const alias of all(element, `${prefix}_ALIAS`)) {
    const quality = textOf(alias, "QUALITY").toLowerCase() === "low" ? "WEAK" : "STRONG";
    // One alias may be several, divided by semicolons.
    for (const name of textOf(alias, "ALIAS_NAME").split(";")) draft.addName(name, quality);
    draft.addDate(listedDate(textOf(alias, "DATE_OF_BIRTH")));
    draft.addCountries(countryOfName(textOf(alias, "COUNTRY_OF_BIRTH")));
  }
  draft.addGender(textOf(element, "GENDER"));
  draft.addProgramme(textOf(element, "UN_LIST_TYPE"));
  draft.addRemark(textOf(element, "COMMENTS1"));
  for (const { children } of all(element, "NATIONALITY"))
    draft.addCountries(...children.map(({ text }) => countryOfName(tidy(text))));
  for (const part of [`${prefix}_ADDRESS`, "INDIVIDUAL_PLACE_OF_BIRTH"]) {
    for (const place of all(element, part)) draft.addCountries(countryOfName(textOf(place, "COUNTRY")));
  }
  for (const birth of all(element, "INDIVIDUAL_DATE_OF_BIRTH")) readBirth(draft, birth);
  for (const document of all(element, "INDIVIDUAL_DOCUMENT")) readDocument(draft, document);
  const entry = draft.entry();
  if (entry === undefined) throw new ListFault(`the entry ${id} has no name`);
  return entry;
}

function readBirth(draft: EntryDraft, birth: Element): void {
  const [from, until, year] = ["FROM_YEAR", "TO_YEAR", "YEAR"].map((part) => Number(textOf(birth, part))) as [
    number,
    number,
    number,
  ];
  const span = from > 0 && until > 0 ? spanOf(from, until) : undefined;
  const date = listedDate(textOf(birth, "DATE")) ?? span ?? partsOf(year, 0, 0) ?? listedDate(textOf(birth, "NOTE"));
  const isAbout = textOf(birth, "TYPE_OF_DATE") === "APPROXIMATELY";
  if (date !== undefined) draft.addDate(isAbout ? { ...date, isAbout: true } : date);
}

function readDocument(draft: EntryDraft, document: Element): void {
  const kind = `${textOf(document, "TYPE_OF_DOCUMENT")} ${textOf(document, "TYPE_OF_DOCUMENT2")}`;
  const type = /pass?(e)?port|pasaporte/i.test(kind) ? "PASSPORT" : /national id/i.test(kind) ? "NATIONAL_ID" : "OTHER";
  const country =
    countryOfName(textOf(document, "ISSUING_COUNTRY")) ?? countryOfName(textOf(document, "COUNTRY_OF_ISSUE"));
  draft.addDocument(type, textOf(document, "NUMBER"), country);
}
