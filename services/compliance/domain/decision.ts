import { formatMoney, money, type Money } from "../../shared/money.js";
import { figuresByKey, type CountedFacts } from "./figures.js";
import { conditionMet, isMovement, type Operation, type RiskProfile } from "./conditions.js";
import { reasonOf, verdictOn, type CustomerStatus, type MoveKind } from "./moves.js";
import { conditionsOf, type Policy, type TransactionRule } from "./policy.js";

export type { CustomerStatus };
export type DecisionKind = "PENDING" | "APPROVED" | "REVIEW" | "REJECTED";
/** What a sandbox was told to decide, in place of what its rules say. */
export type ForcedDecision = "REVIEW" | "REJECT";
export type ReasonCode =
  | ""
  | "CUSTOMER_NOT_CONFIRMED"
  | "CUSTOMER_BLOCKED"
  | "RULE_REJECTED"
  | "DAILY_LIMIT_EXCEEDED"
  | "NO_POLICY"
  | "REVIEW_REJECTED";

/** What is asked about a transaction. */
export interface TransactionFacts {
  transactionId: string;
  customerId: string;
  /** What is sent, without fees. */
  amount: Money;
  originCountry: string;
  receivingCountry: string;
  receivingCurrency: string;
  remittancePurpose: string;
  sourceOfFunds: string;
  operation: Operation;
  /** What the money does, where the operation is more than one kind. */
  move?: MoveKind;
  /** Names the recipient among the customer's own; empty where nobody said. */
  recipient: string;
}

/** What a customer has sent on a day in one currency: held for transactions that wait, and counted for good. */
export interface DayUsage {
  reservedMinor: bigint;
  usedMinor: bigint;
}

/** Everything a decision rests on beside the policy; kept, so that the decision can be made again from it. */
export interface DecisionInputs {
  facts: TransactionFacts;
  customerStatus: CustomerStatus;
  profile: RiskProfile;
  /** Mandatory requirements that the customer does not meet. */
  unmet: string[];
  /** Kinds of requirements that the customer meets. */
  met: string[];
  newBeneficiary: boolean;
  /** What the policy's aggregates come to, in their order. */
  figures: bigint[];
  /** Calendar day in the tenant's time zone. */
  day: string;
  timeZone: string;
  usage: DayUsage;
  /** In a sandbox alone. */
  forced?: ForcedDecision;
}

export interface Outcome {
  decision: DecisionKind;
  reasonCode: ReasonCode;
  /** Fit for the customer's eyes: it names no rule. */
  message: string;
  outstandingRequirements: string[];
  /** Ids of the rules whose condition was met. */
  matchedRules: string[];
}

/**
 * Decides on a transaction: the customer first, then rules that refuse, then the daily limit,
 * then what is required of the customer or of the transaction, then rules that ask for a person. Pure: the same policy and inputs give the same outcome.
 */
export function decide(policy: Policy | undefined, inputs: DecisionInputs): Outcome {
  const { facts, customerStatus } = inputs;
  const figures = figuresByKey(conditionsOf(policy), inputs.figures);
  const context = { newBeneficiary: inputs.newBeneficiary, profile: inputs.profile, figures };
  const matched = (policy?.transactionRules ?? []).filter((rule) => conditionMet(rule.condition, facts, context));
  const isAction = !isMovement(facts.operation);
  const missing = [...new Set([...inputs.unmet, ...documentsOf(matched).filter((kind) => !inputs.met.includes(kind))])];
  const outcome = (decision: DecisionKind, reasonCode: ReasonCode, message: string): Outcome => ({
    decision,
    reasonCode,
    message,
    outstandingRequirements: decision === "PENDING" ? missing.toSorted() : [],
    matchedRules: matched.map((rule) => rule.id),
  });

  const verdict = verdictOn(moveOf(facts), customerStatus);
  if (verdict !== "PASS") {
    const blocked = isAction ? "the customer is blocked" : "the customer may not send money";
    const why = customerStatus === "BLOCKED" ? blocked : "the customer is not confirmed yet";
    return outcome(verdict === "WAIT" ? "PENDING" : "REJECTED", reasonOf(customerStatus), why);
  }
  if (inputs.forced === "REJECT") return outcome("REJECTED", "RULE_REJECTED", refusal(facts));
  // Without a policy nobody has said what may go through: a person has to look at it.
  if (policy === undefined) return outcome("REVIEW", "NO_POLICY", "the organisation has no compliance policy yet");
  if (asks(matched, "REJECT")) return outcome("REJECTED", "RULE_REJECTED", refusal(facts));
  const left = leftOfDay(policy, inputs);
  if (left !== undefined && facts.amount.minor > left.minor) {
    return outcome("REJECTED", "DAILY_LIMIT_EXCEEDED", limitMessage(policy, facts.amount.currency, left));
  }
  if (missing.length > 0) return outcome("PENDING", "", `required first: ${missing.toSorted().join(", ")}`);
  if (inputs.forced === "REVIEW" || asks(matched, "REVIEW"))
    return outcome("REVIEW", "", `${nameOf(facts)} is being looked at`);
  return outcome("APPROVED", "", "");
}

const movesOf: Readonly<Record<Operation, MoveKind>> = {
  REMITTANCE: "TRANSACTION",
  WALLET_PAYMENT: "PAYMENT",
  LOAN_APPLICATION: "LOAN_APPLICATION",
  INVESTMENT: "INVESTMENT",
};

function moveOf({ move, operation }: TransactionFacts): MoveKind {
  return move ?? movesOf[operation];
}

/** What a customer is told of a refusal. */
export function refusal(facts: TransactionFacts): string {
  return `compliance refuses ${nameOf(facts).replace("the", "this")}`;
}

function nameOf({ operation }: TransactionFacts): string {
  return isMovement(operation) ? "the transaction" : "the application";
}

/** What the daily limit leaves of the day, never below zero; undefined where none is set for the currency, or no money is sent. */
export function leftOfDay(policy: Policy, { facts, usage }: DecisionInputs): Money | undefined {
  if (!isMovement(facts.operation)) return undefined;
  const limit = limitOf(policy, facts.amount.currency);
  if (limit === undefined) return undefined;
  const left = limit.minor - usage.reservedMinor - usage.usedMinor;
  return money(left > 0n ? left : 0n, limit.currency);
}

function limitOf(policy: Policy, currency: string): Money | undefined {
  return policy.dailyLimits.find((limit) => limit.currency === currency);
}

function limitMessage(policy: Policy, currency: string, left: Money): string {
  const limit = limitOf(policy, currency)!;
  return `the daily limit is ${formatMoney(limit)} ${currency}, of which ${formatMoney(left)} ${currency} is left today`;
}

/** What of a transaction goes into the customer's sums. */
export function countedFacts({ amount, receivingCountry, sourceOfFunds, recipient }: TransactionFacts): CountedFacts {
  return { amount, receivingCountry, sourceOfFunds, recipient };
}

/** The same, as the transaction's own part of the figures; what sends no money has none. */
export function ownPart(facts: TransactionFacts): CountedFacts | undefined {
  return isMovement(facts.operation) ? countedFacts(facts) : undefined;
}

function asks(rules: TransactionRule[], action: TransactionRule["action"]): boolean {
  return rules.some((rule) => rule.action === action);
}

function documentsOf(rules: TransactionRule[]): string[] {
  const asking = rules.filter((rule) => rule.action === "REQUIRE_DOCUMENTS");
  return [...new Set(asking.flatMap((rule) => rule.requiredDocuments))].toSorted();
}
