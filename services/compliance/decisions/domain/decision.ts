import { conditionMet, isCash, isMovement, type RiskProfile } from "./conditions.js";
import { limitMessage, tooLittleLeft } from "./daily-limit.js";
import type { DayUsage } from "./day-usage.js";
import { figuresByAggregate } from "./figures.js";
import type { ForcedDecision } from "./forced-decision.js";
import { reasonOf, decisionOnMove, type CustomerStatus } from "./moves.js";
import { figurePlanOf, type CompiledPolicy, type TransactionRule } from "./policy.js";
import { verdictOf, type ScreeningSummary } from "../../screening/domain/summary.js";
import { moveOf, type TransactionFacts } from "./transaction.js";
import type { Funding } from "../../../platform/transparency/members.js";
import { askOf, missingMembers, saidByOrder, type TransparencyAsk } from "./transparency.js";

export type DecisionKind = "PENDING" | "APPROVED" | "REVIEW" | "REJECTED";
export type ReasonCode =
  | ""
  | "CUSTOMER_NOT_CONFIRMED"
  | "CUSTOMER_BLOCKED"
  | "RULE_REJECTED"
  | "DAILY_LIMIT_EXCEEDED"
  | "NO_POLICY"
  | "SCREENING_UNAVAILABLE"
  | "TRANSPARENCY_INCOMPLETE"
  | "REVIEW_REJECTED";

/**
 * Everything a decision rests on beside the policy; kept, so that the decision can be made again
 * from it.
 */
export interface DecisionInputs {
  facts: TransactionFacts;
  customerStatus: CustomerStatus;
  profile: RiskProfile;
  /** Mandatory requirements that the customer does not meet. */
  unmet: string[];
  /** Kinds of requirements that the customer meets. */
  met: string[];
  /** Personal details that the customer has given, by what they are asked for. */
  given?: string[];
  newBeneficiary: boolean;
  /** What the policy's aggregates come to, in their order. */
  figures: bigint[];
  /** Calendar day in the tenant's time zone. */
  day: string;
  timeZone: string;
  usage: DayUsage;
  /** In a sandbox alone. */
  forced?: ForcedDecision;
  /** Absent in decisions from before anybody was screened. */
  screening?: ScreeningSummary;
}

export interface Outcome {
  decision: DecisionKind;
  reasonCode: ReasonCode;
  /** Fit for the customer's eyes: it names no rule. */
  message: string;
  outstandingRequirements: string[];
  /** Ids of the rules whose condition was met. */
  matchedRules: string[];
  /** What the transparency profile asks for, there or missing; absent where it asks for nothing. */
  transparency?: TransparencyAsk;
}

/** What the transparency profile asks of a transaction, and what of it is missing. */
export function transparencyOf(
  policy: CompiledPolicy | undefined,
  { facts, given = [], met }: Pick<DecisionInputs, "facts" | "given" | "met">,
  funding?: Funding,
) {
  const profile = facts.operation === "REMITTANCE" ? policy?.transparency.get(facts.originCountry) : undefined;
  const ask = askOf(profile?.allRows, facts, funding);
  const missing = missingMembers(ask.members, { facts, given, met });
  const isAsked = ask.members.length > 0 || ask.asksByFunding;
  const isRefused =
    (missing.length > 0 && profile?.onMissing === "REFUSE") || missing.some((member) => saidByOrder.includes(member));
  return { ...(isAsked && { asked: ask }), missing, isRefused };
}

/**
 * Decides on a transaction: the customer's status first, then rules that refuse, then the daily
 * limit, then what is required of the customer or of the transaction, then rules that ask for a
 * person. The same policy and inputs give the same outcome.
 */
export function decide(policy: CompiledPolicy | undefined, inputs: DecisionInputs): Outcome {
  const { facts, customerStatus } = inputs;
  const figures = figuresByAggregate(figurePlanOf(policy), inputs.figures);
  const context = { newBeneficiary: inputs.newBeneficiary, profile: inputs.profile, figures };
  const matched = (policy?.transactionRules ?? []).filter((rule) => conditionMet(rule.condition, facts, context));
  const isOfCash = isCash(facts.operation);
  const isAction = !isMovement(facts.operation);
  const documents = documentsOf(matched).filter((kind) => !inputs.met.includes(kind));
  const transparency = transparencyOf(policy, inputs);
  // Of cash, what its own rules ask for.
  const needed = isOfCash ? documents : [...inputs.unmet, ...documents, ...transparency.missing];
  const missing = [...new Set(needed)].toSorted();
  const { asked } = transparency;
  const outcome = (decision: DecisionKind, reasonCode: ReasonCode, message: string): Outcome => ({
    decision,
    reasonCode,
    message,
    outstandingRequirements: decision === "PENDING" ? missing : [],
    matchedRules: matched.map((rule) => rule.id),
    ...(asked && { transparency: asked }),
  });

  const byStatus = decisionOnMove(moveOf(facts), customerStatus);
  // Cash that arrives and is held is counted all the same.
  if (byStatus !== "PASS" && !(isOfCash && byStatus === "HOLD")) {
    const blocked = isAction ? "the customer is blocked" : "the customer may not send money";
    const why = customerStatus === "BLOCKED" ? blocked : "the customer is not confirmed yet";
    return outcome(byStatus === "WAIT" ? "PENDING" : "REJECTED", reasonOf(customerStatus), why);
  }
  if (inputs.forced === "REJECT") return outcome("REJECTED", "RULE_REJECTED", refusal(facts));
  // Without a policy nobody has said what may go through: a person has to look at it.
  if (policy === undefined && isOfCash) return outcome("APPROVED", "", "");
  if (policy === undefined) return outcome("REVIEW", "NO_POLICY", "the organisation has no compliance policy yet");
  if (asks(matched, "REJECT")) return outcome("REJECTED", "RULE_REJECTED", refusal(facts));
  const left = tooLittleLeft(policy, inputs);
  if (left !== undefined) {
    return outcome("REJECTED", "DAILY_LIMIT_EXCEEDED", limitMessage(policy, facts.amount.currency, left));
  }
  if (transparency.isRefused) {
    const why = `what must be known of ${nameOf(facts)} is missing: ${transparency.missing.join(", ")}`;
    return { ...outcome("REJECTED", "TRANSPARENCY_INCOMPLETE", why), outstandingRequirements: transparency.missing };
  }
  if (missing.length > 0) return outcome("PENDING", "", `required first: ${missing.join(", ")}`);
  // Whom a hit stops, the table of moves has said before anybody asked here.
  const verdict = isOfCash ? "CLEAR" : verdictOf(inputs.screening);
  const underReview = `${nameOf(facts)} is being looked at`;
  const isForcedAway = inputs.forced === "SCREENING_UNAVAILABLE";
  if (verdict === "UNAVAILABLE" || isForcedAway) return outcome("REVIEW", "SCREENING_UNAVAILABLE", underReview);
  // A hit says no more than a rule that asks for a person does: nobody is to learn of it.
  if (verdict !== "CLEAR" || inputs.forced === "REVIEW" || asks(matched, "REVIEW")) {
    return outcome("REVIEW", "", underReview);
  }
  return outcome("APPROVED", "", "");
}

/** An approval of which a person has to decide once more: who is paid is somebody else by name. */
export function underReview({
  inputs,
  matchedRules,
  transparency,
}: Pick<Outcome, "matchedRules" | "transparency"> & { inputs: DecisionInputs }): Outcome {
  return {
    decision: "REVIEW",
    reasonCode: "",
    message: `${nameOf(inputs.facts)} is being looked at`,
    outstandingRequirements: [],
    matchedRules,
    ...(transparency !== undefined && { transparency }),
  };
}

/** What a customer is told of a refusal. */
export function refusal(facts: TransactionFacts): string {
  return `compliance refuses ${nameOf(facts).replace("the", "this")}`;
}

function nameOf({ operation }: TransactionFacts): string {
  if (isCash(operation)) return "the payment in cash";
  return isMovement(operation) ? "the transaction" : "the application";
}

function asks(rules: TransactionRule[], action: TransactionRule["action"]): boolean {
  return rules.some((rule) => rule.action === action);
}

function documentsOf(rules: TransactionRule[]): string[] {
  const asking = rules.filter((rule) => rule.action === "REQUIRE_DOCUMENTS");
  return [...new Set(asking.flatMap((rule) => rule.requiredDocuments))].toSorted();
}
