import type { CaseJoin } from "../../common/domain/case-join.js";
import { joinCase, openCase } from "./case-opening.js";

const now = new Date("2026-05-01T12:00:00Z");
const subject = { subjectKind: "RECIPIENT", subjectId: "c1/B-1", customerId: "c1" } as const;
const join = (event: CaseJoin["event"], waits?: boolean): CaseJoin => ({
  ...subject,
  kind: "SCREENING",
  event,
  screeningId: "s1",
  ...(waits !== undefined && { waits }),
  text: "said",
  actor: "compliance",
  at: now,
});
const caseAfter = (joins: readonly CaseJoin[]) =>
  joins.reduce(
    (before, one) => joinCase(before, one, now).after,
    openCase({ caseId: "case-1", number: 1, subject, kind: "SCREENING" }, now).after,
  );

test("a screening waits from its hit on until no hit of it waits", () => {
  expect(caseAfter([join("HIT")]).waitingScreeningIds).toEqual(["s1"]);
  expect(caseAfter([join("HIT"), join("HIT_DECIDED", true)]).waitingScreeningIds).toEqual(["s1"]);
  expect(caseAfter([join("HIT"), join("HIT_DECIDED", false)]).waitingScreeningIds).toEqual([]);
});

test("a note on a block that comes late changes nothing of what waits, and is joined all the same", () => {
  const late = { ...join("BLOCK", true), transactionIds: ["t1"] };
  const decided = caseAfter([join("HIT"), join("HIT_DECIDED", false), late]);
  expect(decided).toMatchObject({ waitingScreeningIds: [], screeningIds: ["s1"], transactionIds: ["t1"] });
  expect(caseAfter([join("HIT"), join("BLOCK", false)]).waitingScreeningIds).toEqual(["s1"]);
});
