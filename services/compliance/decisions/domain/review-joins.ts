import type { CaseJoin, CaseSubject, SubjectKind } from "../../common/domain/case-join.js";
import type { RecordedDecision } from "./recorded-decision.js";
import type { TransactionRule } from "./policy.js";
import { heldSubjects } from "./held-subjects.js";
import { customerSubject, subjectName, type SubjectRef } from "../../common/domain/subject.js";

/** Whose case a review belongs into. */
interface Place {
  subject: SubjectRef;
  kind: CaseJoin["kind"];
}

/** What was decided, now or before. */
type Reviewed = Pick<RecordedDecision, "decision" | "reasonCode" | "matchedRules" | "inputs">;

/**
 * What a decision on a transaction says to cases: that it began to wait for a person, or
 * that it no longer does. A review of a hit belongs into the case of whoever was found,
 * and into one of the customer's own only where something else asks for it as well.
 * `rules` are those of the policy. Pure.
 */
export function reviewJoins(
  recorded: RecordedDecision,
  rules: readonly Pick<TransactionRule, "id" | "action">[],
): CaseJoin[] {
  const [before = [], now] = [recorded.earlier.at(-1), recorded].map((one) => one && placesOf(one, rules));
  const entry = {
    transactionId: recorded.transactionId,
    actor: recorded.decidedBy === "rules" ? "compliance" : recorded.decidedBy,
    at: recorded.decidedAt,
  };
  if (recorded.decision !== "REVIEW") {
    // Each case that has the transaction hears of it, whosever it is.
    return before.slice(0, 1).map((place) => ({
      ...joinOf(place),
      ...entry,
      event: "REVIEW_DECIDED" as const,
      text: decidedText(recorded),
    }));
  }
  const isNew = ({ subject }: Place) => !before.some((one) => subjectName(one.subject) === subjectName(subject));
  return now!.filter(isNew).map((place) => ({
    ...joinOf(place),
    ...entry,
    event: "REVIEW" as const,
    text: reviewText(recorded),
  }));
}

function placesOf(
  { decision, reasonCode, matchedRules, inputs }: Reviewed,
  rules: readonly Pick<TransactionRule, "id" | "action">[],
): Place[] {
  if (decision !== "REVIEW") return [];
  const found = heldSubjects(inputs).map((subject): Place => ({ subject, kind: "SCREENING" }));
  const isByRule = rules.some(({ id, action }) => action === "REVIEW" && matchedRules.includes(id));
  const own = customerSubject(inputs.facts.customerId);
  const isOwn = found.length === 0 || reasonCode !== "" || inputs.forced === "REVIEW" || isByRule;
  const isThere = found.some(({ subject }) => subjectName(subject) === subjectName(own));
  return isOwn && !isThere ? [...found, { subject: own, kind: "MONITORING" }] : found;
}

function joinOf({ subject, kind }: Place): CaseSubject & Pick<CaseJoin, "kind"> {
  return { subjectKind: subject.kind as SubjectKind, subjectId: subject.id, customerId: subject.customerId, kind };
}

function reviewText({ matchedRules, reasonCode, policyVersion }: RecordedDecision): string {
  const why = [reasonCode, ...matchedRules].filter((one) => one !== "").join(", ");
  return `A transaction waits for a decision (policy version ${policyVersion}${why === "" ? "" : `: ${why}`}).`;
}

function decidedText({ decision, reasonCode }: RecordedDecision): string {
  const why = reasonCode === "" ? "" : ` (${reasonCode})`;
  return `A transaction that waited was decided: ${decision}${why}.`;
}
