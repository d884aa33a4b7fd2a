import { zipSync } from "fflate";
import { createPublishedLists } from "../../../../deploy/partner/lists.js";
import { unitsOf } from "../../../../test/support/turn-units.js";
import type { ListEntry, ListSource } from "../domain/list-entry.js";
import { buildListIndex } from "./build-index.js";
import type { ListFault, ListPart } from "./list-file.js";
import type { InflationLimits } from "./ods-rows.js";
import { parseList } from "./parse-list.js";

type Files = Partial<Record<ListPart | "LIST", string | Uint8Array>>;

/** The sandbox partner's file, as text. */
function published(source: ListSource, part = "LIST"): string {
  return createPublishedLists().find(source, part)!.content.toString("utf8");
}

async function read(source: ListSource, files: Files, limits?: InflationLimits): Promise<ListEntry[]> {
  const given = Object.entries(files).map(([part, content]) => ({
    part: (part === "LIST" ? "" : part) as ListPart,
    stream: pieces(Buffer.from(content)),
  }));
  return Array.fromAsync(parseList(source, given, limits).entries);
}

/** In pieces that no line ends with. */
async function* pieces(content: Buffer) {
  for (let at = 0; at < content.length; at += 997) yield content.subarray(at, at + 997);
}

async function faultOf(source: ListSource, files: Files, limits?: InflationLimits) {
  const error = await read(source, files, limits).then(
    () => undefined,
    (thrown: unknown) => thrown as ListFault,
  );
  const { name, reason, line, part } = error ?? ({} as ListFault);
  return { name, reason, line, part };
}

const ofac = () => ({
  SDN: published("OFAC_SDN", "SDN"),
  ALT: published("OFAC_SDN", "ALT"),
  ADD: published("OFAC_SDN", "ADD"),
  COMMENTS: published("OFAC_SDN", "COMMENTS"),
});

/** A spreadsheet of the UK's form. */
function ods(rows: readonly (readonly string[])[], padding = ""): Uint8Array {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
  const body = rows.map((row) => `<table:table-row>${row.map(cell).join("")}</table:table-row>`).join("");
  const names = 'xmlns:office="o" xmlns:table="t" xmlns:text="x"';
  const xml = `<office:document-content ${names}><table:table>${body}</table:table>${padding}</office:document-content>`;
  return zipSync({
    mimetype: Buffer.from("application/vnd.oasis.opendocument.spreadsheet"),
    "content.xml": Buffer.from(xml),
  });
}

const ukRows = [
  ["Report Date: 02-Nov-2026"],
  ["Unique ID", "Name 6", "Name 1", "Name type", "Designation Type", "D.O.B", "Nationality(/ies)", "Regime Name"],
  ["RUS9901", "VORSKUTIN", "Yaromil", "Primary Name", "Individual", "14/02/1961", "Russia", "Russia"],
  ["RUS9901", "WORSKUTIN", "Jaromil", "Alias", "Individual", "14/02/1961", "Russia", "Russia"],
];

test("one person is read alike from the four lists", async () => {
  const lists = {
    OFAC_SDN: await read("OFAC_SDN", ofac()),
    EU: await read("EU", { LIST: published("EU") }),
    UK: await read("UK", { LIST: published("UK") }),
    ODS: await read("UK", { LIST: ods(ukRows) }),
  };
  for (const [source, entries] of Object.entries(lists)) {
    const found = entries.find(({ names }) => names.some(({ text }) => /vorskutin/i.test(text)));
    expect({ source, found }).toMatchObject({
      found: {
        kind: "PERSON",
        datesOfBirth: [{ year: 1961, month: 2, day: 14 }],
        countries: ["RUS"],
        names: expect.arrayContaining([expect.objectContaining({ quality: "PRIMARY" })]),
      },
    });
  }
  expect(lists.OFAC_SDN.map(({ kind }) => kind)).toEqual([
    "PERSON",
    "PERSON",
    "COMPANY",
    "VESSEL",
    "PERSON",
    "PERSON",
    "OTHER",
  ]);
  const [, person] = await read("UN", { LIST: published("UN") });
  expect(person).toMatchObject({
    entryId: "KPi.901",
    documents: [{ type: "PASSPORT", number: "999936001", country: "PRK" }],
    datesOfBirth: [{ year: 1968, month: 9, day: 9 }],
  });
});

test("a list is read and indexed in turns of so many bytes and entries", async () => {
  const custom = ["id,name", ...Array.from({ length: 130 }, (_, at) => `X${at},Ada Obi ${at}`)].join("\n");
  const entries = await read("CUSTOM", { LIST: custom });
  async function* all() {
    yield* entries;
  }
  expect(await unitsOf("list index", () => buildListIndex("CUSTOM", all()))).toEqual([50, 50, 30]);
  const bytes = await unitsOf("list slices", () => read("UN", { LIST: published("UN") }));
  expect(bytes.length).toBeGreaterThan(0);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(2 * 32 * 1_024);
});

const genderOf = ([entry]: ListEntry[]) => entry?.gender;

test("the gender is read where a list states one", async () => {
  const remarks = (text: string) => `1,"VORSKUTIN, Yaromil",individual,"X",-0-,-0-,-0-,-0-,-0-,-0-,-0-,"${text}"\r\n`;
  expect(genderOf(await read("OFAC_SDN", { SDN: remarks("DOB 1961; Gender Male; nationality Russia.") }))).toBe("MALE");
  expect(genderOf(await read("OFAC_SDN", { SDN: remarks("DOB 1961; nationality Russia.") }))).toBeUndefined();
  const [above, header, line] = ukRows as [string[], string[], string[]];
  expect(genderOf(await read("UK", { LIST: ods([above, [...header, "Gender"], [...line, "Female"]]) }))).toBe("FEMALE");
  const un = published("UN").replace("<INDIVIDUAL>", "<INDIVIDUAL><GENDER>Male</GENDER>");
  expect(genderOf(await read("UN", { LIST: un }))).toBe("MALE");
  const custom = (gender: string) => ({ LIST: `id,name,gender\nX1,A Berg,${gender}\n` });
  expect(genderOf(await read("CUSTOM", custom("f")))).toBe("FEMALE");
  await expect(faultOf("CUSTOM", custom("tall"))).resolves.toMatchObject({
    line: 2,
    reason: "has the gender tall, not FEMALE or MALE",
  });
});

test("of names of both genders, the EU's entry has none", async () => {
  const [header = "", ...lines] = published("EU").trim().split("\r\n");
  const at = header.split(";").indexOf("NameAlias_Gender");
  const withGenders = (...genders: string[]) =>
    lines.map((line, number) => {
      const cells = line.split(";");
      cells[at] = genders[number % genders.length]!;
      return cells.join(";");
    });
  const euOf = async (...genders: string[]) => read("EU", { LIST: [header, ...withGenders(...genders)].join("\r\n") });
  const people = (entries: ListEntry[]) => entries.filter(({ kind }) => kind === "PERSON");
  expect(people(await euOf("M")).map(({ gender }) => gender)).toEqual(people(await euOf("M")).map(() => "MALE"));
  const mixed = people(await euOf("M", "F")).find(({ names }) => names.length > 1);
  expect(mixed).toBeDefined();
  expect(mixed!.gender).toBeUndefined();
});

test("weak aliases are weak, and the order of lines leaves no trace", async () => {
  const [header, ...lines] = published("EU").trim().split("\r\n");
  const turned = [header, ...lines.toReversed()].join("\r\n");
  const byId = (entries: ListEntry[]) => entries.toSorted((a, b) => (a.entryId < b.entryId ? -1 : 1));
  const straight = byId(await read("EU", { LIST: published("EU") }));
  expect(byId(await read("EU", { LIST: turned }))).toEqual(straight);
  const company = straight.find(({ kind }) => kind === "COMPANY");
  expect(company?.names).toEqual([
    { text: "Tasnovar Petrochemical Engineering Company", quality: "PRIMARY" },
    { text: "TPEC", quality: "WEAK" },
  ]);
});

const cutAt = (text: string, share: number) => text.slice(0, Math.floor(text.length * share));

test.each<[string, ListSource, () => Files, Partial<ListFault>]>([
  [
    "OFAC cut in quotes",
    "OFAC_SDN",
    () => ({ ...ofac(), SDN: cutAt(ofac().SDN, 0.5) }),
    { part: "SDN", reason: "opens a quote that nothing closes: the file is cut, or a quote is too many" },
  ],
  [
    "OFAC with an entry twice",
    "OFAC_SDN",
    () => ({ ...ofac(), SDN: ofac().SDN + ofac().SDN }),
    { part: "SDN", line: 8, reason: "has entry 90001 again, which line 1 has" },
  ],
  ["OFAC of two days", "OFAC_SDN", () => ({ ...ofac(), ALT: '99999,1,"aka","X",-0- \r\n' }), { part: "ALT", line: 1 }],
  ["OFAC without its main file", "OFAC_SDN", () => ({ ALT: ofac().ALT }), { reason: "the file SDN is missing" }],
  [
    "EU cut",
    "EU",
    () => ({ LIST: cutAt(published("EU"), 0.7) }),
    { reason: expect.stringContaining("the file is cut") as never },
  ],
  [
    "EU twice",
    "EU",
    () => ({ LIST: published("EU") + published("EU").slice(1) }),
    { line: 16, reason: "has the header again: the file holds the list more than once" },
  ],
  [
    "EU with a line twice",
    "EU",
    () => ({ LIST: published("EU") + published("EU").split("\r\n")[1]! + "\r\n" }),
    { line: 16, reason: "is the same as line 2" },
  ],
  ["EU empty", "EU", () => ({ LIST: "" }), { reason: "the file is empty" }],
  [
    "another list",
    "EU",
    () => ({ LIST: published("UK") }),
    { line: 1, reason: "has no column Entity_LogicalId: this is no such list, or its header is missing" },
  ],
  [
    "UN cut",
    "UN",
    () => ({ LIST: cutAt(published("UN"), 0.6) }),
    { reason: expect.stringContaining("is no XML") as never },
  ],
  [
    "UN with an entry twice",
    "UN",
    () => ({ LIST: published("UN").replaceAll("KPi.901", "QDi.901") }),
    { reason: "the entry QDi.901 comes twice" },
  ],
  [
    "UN with a document type",
    "UN",
    () => ({ LIST: `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]>${published("UN").split("?>")[1]}` }),
    { reason: "has a document type, which is not read" },
  ],
  [
    "UN with attributes without end",
    "UN",
    () => ({
      LIST: published("UN").replace(
        "<INDIVIDUAL>",
        `<INDIVIDUAL ${Array.from({ length: 1_000 }, (_, each) => `a${each}="1"`).join(" ")}>`,
      ),
    }),
    { reason: "has an element of more than 128 attributes" },
  ],
  [
    "UN with a text without end",
    "UN",
    () => ({ LIST: published("UN").replace("<INDIVIDUAL>", `<INDIVIDUAL>${"a".repeat(1_000_001)}`) }),
    { reason: "has a text of more than 1000000 bytes" },
  ],
  [
    "UK with bytes that are no UTF-8",
    "UK",
    () => ({ LIST: Buffer.concat([Buffer.from(published("UK")), Buffer.from([0xff, 0xfe, 0x2c])]) }),
    {},
  ],
  ["UK ODS cut", "UK", () => ({ LIST: ods(ukRows).slice(0, 200) }), { reason: expect.stringMatching(/cut/) as never }],
  [
    "a custom list of another day of birth",
    "CUSTOM",
    () => ({ LIST: "id,name,dates_of_birth\nX1,A B,31 of May\n" }),
    { line: 2 },
  ],
  [
    "a custom list with an id twice",
    "CUSTOM",
    () => ({ LIST: "id,name\nX1,A\nX1,B\n" }),
    { line: 3, reason: "has the id X1 again, which line 2 has" },
  ],
])("%s is no list: the line and the reason are said", async (_what, source, files, expected) => {
  expect(await faultOf(source, files())).toMatchObject({ name: "ListFault", ...expected });
});

const people = [
  ["id", "name", "kind", "remarks"],
  ["X1", "Anna Abel", "PERSON", ""],
  ["X2", '"Bela ""B"" Brod"', "PERSON", '"tall,\nold"'],
  ["X3", "Cilla Cray", "PERSON", ""],
].map((cells) => cells.join(","));
const ends = ["\n", "\r\n", "\r"];

test("whatever lines end with, also mixed, with a mark or without one, every record is an entry", async () => {
  const read3 = ["Anna Abel", 'Bela "B" Brod', "Cilla Cray"];
  for (const first of ends)
    for (const second of ends)
      for (const others of ends)
        for (const mark of ["", "\uFEFF"]) {
          const text = mark + people[0] + first + people[1] + second + people.slice(2).join(others) + others;
          for (const LIST of [text, text.trimEnd(), `${text}${others}${others}`]) {
            const names = (await read("CUSTOM", { LIST })).map(({ names: [name] }) => name?.text);
            expect({ text, names }).toEqual({ text, names: read3 });
          }
        }
});

test.each<[ListSource, string]>([
  ["EU", published("EU")],
  ["UK", published("UK")],
  ["PEP", published("PEP")],
])("%s with its lines ended otherwise in the middle has the same entries", async (source, text) => {
  const whole = await read(source, { LIST: text });
  const lines = text.split(/\r\n|\n/);
  for (const [one, other] of [["\n", "\r\n"] as const, ["\r\n", "\n"] as const]) {
    const mixed = lines.map((line, index) => line + (index === 0 || index % 3 === 2 ? one : other)).join("");
    expect(await read(source, { LIST: mixed })).toEqual(whole);
  }
});

const broken = (lines: readonly string[]) => ({ LIST: `id,name,kind\n${lines.join("\n")}\n` });

test.each<[string, Files, number]>([
  ["fewer cells than the header", broken(["X1,Anna,PERSON", "X2,Bela"]), 3],
  ["more cells than the header", broken(["X1,Anna,PERSON", "X2,Bela,PERSON,X3"]), 3],
  ["a quote within a cell", broken(["X1,Anna,PERSON", 'X2,Be"la,PERSON', "X3,Cilla,PERSON"]), 3],
  ["a quote that nothing closes", broken(["X1,Anna,PERSON", 'X2,"Bela,PERSON', "X3,Cilla,PERSON"]), 3],
  ["a quote that another line closes", broken(["X1,Anna,PERSON", 'X2,"Bela,PERSON', 'X3,Cilla",PERSON']), 3],
  [
    "two quotes with lines between them",
    broken(['X1,"An\nna",PERSON', 'X2,"Bela,PERSON', "X3,Cilla,PERSON", 'X4,Dora",PERSON']),
    4,
  ],
  [
    "a quote that another line closes, whose lines go on with empty cells",
    broken(["X1,Anna,PERSON", 'X2,"Bela,PERSON,', 'X3,Cilla",PERSON,,']),
    3,
  ],
  [
    "a quote that a line of the same words closes",
    broken(['X1,"Anna,PERSON', "X2,Bela,PERSON", 'X3,Cilla",PERSON']),
    2,
  ],
  [
    "a quote that another line closes, where spaces follow commas",
    broken(["X1, Anna, PERSON", 'X2, Bela,"PERSON', 'X3, Cilla, PERSON"']),
    3,
  ],
  [
    "a quote that another line closes with an empty line between",
    broken(['X1,Anna,"PERSON', "", 'X2,Bela,PERSON"']),
    2,
  ],
  ["a mark in the middle", broken(["X1,Anna,PERSON", "\uFEFFX2,Bela,PERSON"]), 3],
  ["semicolons", { LIST: "id;name;kind\nX1;Anna;PERSON\n" }, 1],
])("a list with %s is refused by its line", async (_what, files, line) => {
  expect(await faultOf("CUSTOM", files)).toMatchObject({ name: "ListFault", line });
});

test.each([
  "seen in Lagos\nalso A, B, C",
  "seen in Lagos\nalso A, B, C, D",
  "seen in Lagos\n\nalso A,B",
  "seen in Lagos\nalso A,B,C,D",
  "A, B, C\nD, E, F\nG, H, I",
  "seen,there\nand,here,too\nor",
])("a remark of several lines %j is one entry's", async (remarks) => {
  const LIST = `id,name,remarks\nX1,Anna,"${remarks}"\nX2,Bela,\n`;
  const read2 = (await read("CUSTOM", { LIST })).map(({ entryId, remarks: stored }) => [entryId, stored?.split(/\s+/)]);
  expect(read2).toEqual([
    ["X1", remarks.split(/\s+/)],
    ["X2", [""]],
  ]);
});

test("a comment of OFAC's whose quotes are broken is set aside with its line, and nothing else of the list", async () => {
  const whole = await read("OFAC_SDN", ofac());
  const rows = ofac()
    .COMMENTS.split(/\r\n|\n/)
    .filter((text) => text.includes(","));
  const added = ['90001,"a.k.a. \'ONE"ONE\'. "', '90002,"spans\r\nlines"', '90003,"opens'];
  const COMMENTS = [...added, ...rows].join("\r\n");
  const files = Object.entries({ ...ofac(), COMMENTS }).map(([part, content]) => ({
    part: part as ListPart,
    stream: pieces(Buffer.from(content)),
  }));
  const parsed = parseList("OFAC_SDN", files);
  const entries = await Array.fromAsync(parsed.entries);
  expect(entries.map(({ entryId }) => entryId)).toEqual(whole.map(({ entryId }) => entryId));
  expect(parsed.setAside?.()).toEqual([
    { part: "COMMENTS", line: 1, text: added[0] },
    { part: "COMMENTS", line: 4, text: added[2] },
  ]);
  expect(entries.find(({ entryId }) => entryId === "90002")?.remarks).toContain("spans lines");
  const many = { ...ofac(), COMMENTS: '90001,"a"b"\n'.repeat(21) };
  expect(await faultOf("OFAC_SDN", many)).toMatchObject({ part: "COMMENTS", line: 21 });
});
test.each(["05/03/1971", "1971-13-01", "1971-02-30", "circa 1971", "1971 to 1972", "5 Mar 1971", "1971-3-5", "0071"])(
  "a custom list's date of birth %s is refused by its line",
  async (date) => {
    const found = await faultOf("CUSTOM", {
      LIST: `id,name,dates_of_birth\nX1,A B,1971-03-05; 1971-03; 1971\nX2,C D,${date}\n`,
    });
    expect(found).toMatchObject({ name: "ListFault", line: 3, reason: expect.stringContaining(date) as never });
  },
);

test("a spreadsheet that inflates without end is given up, by its size and by its ratio", async () => {
  const bomb = ods(ukRows, `<!--${" ".repeat(8_000)}-->`.repeat(5 * 1024));
  expect(bomb.length).toBeLessThan(1024 ** 2);
  expect(await faultOf("UK", { LIST: bomb }, { bytes: 8 * 1024 ** 2, ratio: 1_000_000 })).toMatchObject({
    name: "ListFault",
    reason: "inflates to more than 8 MB",
  });
  expect(await faultOf("UK", { LIST: bomb })).toMatchObject({
    name: "ListFault",
    reason: "inflates to more than 300 times its size",
  });
});
