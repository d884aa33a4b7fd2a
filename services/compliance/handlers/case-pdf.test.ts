import type { CaseContent } from "../domain/case-content.js";
import type { Case, CaseEvent } from "../domain/case.js";
import { casePdf } from "./case-pdf.js";
import { turnEnds, type TurnEnd } from "../../shared/turns.js";
import { createMeasure, visualLines, type Face } from "./pdf-text.js";

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
  [...visualLines(text, width, [latin, other], { widthOf })].map((line) => line.map((run) => run.text));

const content: CaseContent = {
  subject: { state: "KNOWN", name: "محمد علي" },
  screenings: [],
  hitCount: 0,
  transactions: [],
  transactionCount: 0,
};
const noted = (text: string, index: number): CaseEvent => ({
  caseId: "case-1",
  sequence: index + 1,
  customerId: "c1",
  at,
  actor: "MA1",
  kind: "NOTED",
  text,
  details: {},
});

/** The lines of each turn that the drawing had, and how often the event loop came round meanwhile. */
async function drawnInTurns(timeline: readonly CaseEvent[]) {
  const turns: number[] = [];
  const note = (end: unknown) => void turns.push((end as TurnEnd).units);
  turnEnds.subscribe(note);
  let rounds = 0;
  let isDone = false;
  const round = () => {
    rounds += 1;
    if (!isDone) setImmediate(round);
  };
  setImmediate(round);
  const pdf = await casePdf(one, content, timeline);
  isDone = true;
  turnEnds.unsubscribe(note);
  return { pdf, turns, rounds };
}

test("a case of 500 notes in any letters is drawn 100 lines a turn, and others have theirs between them", async () => {
  const long = "A customer who was asked twice and answered late, with a document that nobody could read. ".repeat(8);
  const timeline = Array.from({ length: 500 }, (_, index) => noted(`${texts[index % texts.length]!} ${long}`, index));
  const { pdf, turns, rounds } = await drawnInTurns(timeline);
  expect([pdf.subarray(0, 5).toString(), pdf.subarray(-6).toString().trim()]).toEqual(["%PDF-", "%%EOF"]);
  expect(Math.max(...turns)).toBe(100);
  expect(turns.length).toBeGreaterThan(40);
  expect(rounds).toBeGreaterThanOrEqual(turns.length);
});

test("each word is measured once, however often it comes", () => {
  const asked: string[] = [];
  const measure = createMeasure((_face, text) => (asked.push(text), Array.from(text).length));
  for (const text of ["one two one two ", "two one two one "])
    expect([...visualLines(text, 8, [latin, other], measure)]).toHaveLength(2);
  expect(asked.toSorted()).toEqual(["one ", "two "]);
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
