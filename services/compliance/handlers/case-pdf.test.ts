import type { CaseContent } from "../domain/case-content.js";
import type { Case, CaseEvent } from "../domain/case.js";
import { casePdf } from "./case-pdf.js";
import { visualLines, type Face } from "./pdf-text.js";

const at = new Date("2026-05-01T12:00:00Z");
const one: Case = {
  caseId: "case-1",
  number: 42,
  kind: "MANUAL",
  subjectKind: "CUSTOMER",
  subjectId: "c1",
  customerId: "c1",
  transactionIds: [],
  screeningIds: [],
  waitingScreeningIds: [],
  status: "OPEN",
  priority: "LOW",
  rank: 0,
  dueAt: at,
  tags: [],
  files: [],
  openedAt: at,
  isOpen: true,
  version: 500,
};
const texts = ["Łukasz Żółć", "Иван Щукин", "محمد علي", "王伟 김정은", "שלום כהן (Cohen)", "राम कुमार", "አበበ", "გიორგი"];

const latin: Face = { name: "latin", has: (codePoint) => codePoint < 0x700 };
const other: Face = { name: "other", has: (codePoint) => codePoint < 0x10000 };
const widthOf = (_face: Face, text: string) => Array.from(text).length;
const drawn = (text: string, width = 100) =>
  visualLines(text, width, [latin, other], widthOf).map((line) => line.map((run) => run.text));

test("a case of 500 entries in any letters is drawn with each font inflated once", async () => {
  const timeline = Array.from({ length: 500 }, (_, index): CaseEvent => {
    const text = texts[index % texts.length]!;
    return {
      caseId: "case-1",
      sequence: index + 1,
      customerId: "c1",
      at,
      actor: "MA1",
      kind: "NOTED",
      text,
      details: {},
    };
  });
  const before = process.cpuUsage();
  const content: CaseContent = {
    subject: { state: "KNOWN", name: "محمد علي" },
    screenings: [],
    hitCount: 0,
    transactions: [],
    transactionCount: 0,
  };
  const pdf = await casePdf(one, content, timeline);
  // Fonts that were inflated for every letter took twenty seconds for one page.
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(15_000_000);
  expect([pdf.subarray(0, 5).toString(), pdf.subarray(-6).toString().trim()]).toEqual(["%PDF-", "%%EOF"]);
});

test("what is written from right to left stands in its order, with brackets that open to their text", () => {
  expect(drawn("Ada 12")).toEqual([["Ada 12"]]);
  // Runs from left to right; the font turns the Hebrew one round, so that its bracket comes last here.
  const [line = []] = drawn("שלום (Cohen) 12");
  expect(line).toHaveLength(4);
  expect(line.slice(0, 3)).toEqual(["12", " (", "Cohen"]);
  expect(line[3]).toBe(`שלום${" )"}`);
});

test("lines are broken between words, and inside a word that is longer than a line", () => {
  expect(drawn("one two three", 8)).toEqual([["one two "], ["three"]]);
  expect(drawn("abcdefghij", 4)).toEqual([["abcd"], ["efgh"], ["ij"]]);
});

test("a letter that no font knows is written as its code point", () => {
  expect(drawn("a\u{1F600}")).toEqual([["aU+1F600"]]);
  expect(drawn("王a")).toEqual([["王", "a"]]);
});
