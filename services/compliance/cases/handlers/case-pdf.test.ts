import type { CaseContent } from "../domain/case-content.js";
import type { Case, CaseEvent } from "../domain/case.js";
import { casePdf } from "./case-pdf.js";
import { turnEnds, type TurnEnd } from "../../../kernel/time/turns.js";

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

/**
 * The lines of each turn that the drawing had, and how often the event loop came round meanwhile.
 */
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
