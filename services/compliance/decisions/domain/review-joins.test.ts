import { reviewJoins } from "./review-joins.js";
import type { RecordedDecision } from "./recorded-decision.js";

const reviewed = (matchedRules: readonly string[], reasonCode = "") =>
  ({
    transactionId: "t-1",
    decision: "REVIEW",
    reasonCode,
    matchedRules,
    policyVersion: 3,
    decidedBy: "rules",
    decidedAt: new Date("2026-05-01T12:00:00Z"),
    inputs: { facts: { customerId: "c1", operation: "REMITTANCE" }, screening: { holds: [{ recipientKey: "B-1" }] } },
    earlier: [],
  }) as unknown as RecordedDecision;
const rules = [
  { id: "review", action: "REVIEW" },
  { id: "reject", action: "REJECT" },
] as const;
const subjects = (recorded: RecordedDecision) => reviewJoins(recorded, rules).map(({ subjectId }) => subjectId);

test("a review of a hit is in the case of whoever was found, and of the customer where something else asks for it", () => {
  expect(subjects(reviewed([]))).toEqual(["c1/B-1"]);
  expect(subjects(reviewed(["reject"]))).toEqual(["c1/B-1"]);
  expect(subjects(reviewed(["review"]))).toEqual(["c1/B-1", "c1"]);
  expect(subjects(reviewed([], "DAILY_LIMIT_EXCEEDED"))).toEqual(["c1/B-1", "c1"]);
});
