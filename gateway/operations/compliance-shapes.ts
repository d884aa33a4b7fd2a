import { z } from "zod";
import type {
  Aggregate as WireAggregate,
  KnowYourCustomerRule,
  Policy,
  PolicyDraft,
  RuleCondition as WireCondition,
  TransactionRule,
} from "../../proto/gen/compliance/v1/compliance.js";
import { decimalText, instant } from "../schema.js";
import { absentIfEmpty, enumName, moneyText, timeText } from "../wire.js";

export const ruleActions = ["REQUIRE_DOCUMENTS", "REVIEW", "REJECT"] as const;
export const visibilities = ["PUBLIC", "STAFF"] as const;
export const measures = ["SUM", "COUNT", "DISTINCT", "AVERAGE", "MAX"] as const;
export const comparisons = ["ABOVE", "AT_LEAST"] as const;

export const Amount = z.object({ amount: decimalText, currency: z.string() });

export const KycRule = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    requirement: z.string(),
    mandatory: z.boolean(),
    riskProfiles: z.array(z.string()),
    countries: z.array(z.string()).meta({ description: "ISO 3166-1 alpha-3; empty means all." }),
    validityDays: z.number().int().optional(),
  })
  .meta({ id: "KycRule" });

const RuleAggregate = z
  .object({
    measure: z.enum(measures),
    of: z.string().optional().meta({ description: "RECIPIENTS or RECEIVING_COUNTRIES, for DISTINCT." }),
    days: z.number().int().meta({ description: "Calendar days in the organisation's time zone; 1 is today." }),
    comparison: z.enum(comparisons),
    amount: Amount.optional(),
    count: z.number().int().optional(),
    receivingCountries: z.array(z.string()),
    sourcesOfFunds: z.array(z.string()),
    band: z.object({ from: Amount, below: Amount }).optional(),
  })
  .meta({ id: "RuleAggregate" });

const Condition = z
  .object({
    amountAtLeast: Amount.optional(),
    amountAbove: Amount.optional(),
    amountBelow: Amount.optional(),
    originCountries: z.array(z.string()),
    receivingCountries: z.array(z.string()),
    purposes: z.array(z.string()).optional(),
    sourcesOfFunds: z.array(z.string()).optional(),
    newBeneficiary: z.boolean().optional(),
    riskProfiles: z.array(z.string()).optional(),
    operations: z.array(z.string()).optional(),
    aggregates: z.array(RuleAggregate).optional(),
  })
  .meta({ id: "RuleCondition" });

export const Rule = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    requiredDocuments: z.array(z.string()),
    action: z.enum(ruleActions),
    visibility: z.enum(visibilities),
    validityDays: z.number().int().optional(),
    condition: Condition.optional().meta({ description: "For staff only. Met when every part of it holds." }),
  })
  .meta({ id: "TransactionRule" });

export const CompliancePolicy = z
  .object({ knowYourCustomerRules: z.array(KycRule), transactionRules: z.array(Rule) })
  .meta({ id: "CompliancePolicy" });

const weight = z.number().int().meta({ minimum: 0, maximum: 100 });

export const RiskModel = z
  .object({
    countryWeight: weight,
    requirementsWeight: weight,
    identityWeight: weight,
    flaggedWeight: weight,
    newCustomerWeight: weight,
    highRiskCountries: z.array(z.string()),
    mediumRiskCountries: z.array(z.string()),
    mediumFrom: weight,
    highFrom: weight,
    approveBelow: weight,
    rejectFrom: weight,
  })
  .meta({ id: "RiskModel", description: "Weights are together 100; thresholds are scores." });

export const PolicyVersion = z
  .object({ version: z.number().int(), publishedAt: instant, publishedBy: z.string(), draftedBy: z.string() })
  .meta({ id: "PolicyVersion" });

const WholePolicy = CompliancePolicy.extend({ dailyLimits: z.array(Amount), riskModel: RiskModel });

export const PublishedPolicy = PolicyVersion.extend(WholePolicy.shape).meta({ id: "PublishedCompliancePolicy" });

export const StoredDraft = z
  .object({
    revision: z.number().int().meta({
      description: "0 where no draft is saved: what is in force, which a draft begins from, by nobody and at no time.",
    }),
    basedOn: z.number().int().meta({ description: "The version that held when the draft was begun." }),
    savedAt: instant.optional(),
    savedBy: z.string().optional(),
    ...WholePolicy.shape,
  })
  .meta({ id: "CompliancePolicyDraft" });

/** What staff see, or what a customer may know. */
export function policyFromWire(
  policy: Pick<Policy, "knowYourCustomerRules" | "transactionRules">,
  forStaff: boolean,
): z.output<typeof CompliancePolicy> {
  return {
    knowYourCustomerRules: policy.knowYourCustomerRules.map(kycRuleFromWire),
    transactionRules: policy.transactionRules
      .filter((rule) => forStaff || rule.visibility === "VISIBILITY_PUBLIC")
      .map((rule) => ruleFromWire(rule, forStaff)),
  };
}

export function versionFromWire(policy: {
  version: number;
  publishedAt?: Date | undefined;
  publishedBy: string;
  draftedBy: string;
}): z.output<typeof PolicyVersion> {
  const { version, publishedAt, publishedBy, draftedBy } = policy;
  return { version, publishedAt: timeText(publishedAt, "policy.published_at"), publishedBy, draftedBy };
}

export function draftFromWire(draft: PolicyDraft): z.output<typeof StoredDraft> {
  const { revision, basedOn, savedAt, savedBy } = draft;
  return {
    revision,
    basedOn,
    savedAt: savedAt?.toISOString(),
    savedBy: absentIfEmpty(savedBy),
    ...wholeFromWire(draft),
  };
}

/** What is in force, with all that the next draft begins from. */
export function publishedFromWire(policy: Policy): z.output<typeof PublishedPolicy> {
  return { ...versionFromWire(policy), ...wholeFromWire(policy) };
}

function wholeFromWire(
  policy: Pick<Policy, "knowYourCustomerRules" | "transactionRules" | "dailyLimits" | "riskModel">,
): z.output<typeof WholePolicy> {
  const { riskModel, dailyLimits } = policy;
  if (riskModel === undefined) throw new Error("a service left out a policy's risk_model");
  return {
    ...policyFromWire(policy, true),
    dailyLimits: dailyLimits.flatMap(({ amount }) => amountFromWire(amount) ?? []),
    riskModel: { ...riskModel },
  };
}

export function amountFromWire(wire: { amountMinor: bigint; currency: string } | undefined) {
  return wire && { amount: moneyText(wire, "amount"), currency: wire.currency };
}

function kycRuleFromWire(rule: KnowYourCustomerRule): z.output<typeof KycRule> {
  const { id, name, description, requirement, mandatory, riskProfiles, countries, validityDays } = rule;
  return { id, name, description, requirement, mandatory, riskProfiles, countries, validityDays };
}

function ruleFromWire(rule: TransactionRule, forStaff: boolean): z.output<typeof Rule> {
  const { id, name, description, requiredDocuments, validityDays } = rule;
  return {
    id,
    name,
    description,
    requiredDocuments,
    action: enumName(rule.action, "RULE_ACTION_") as (typeof ruleActions)[number],
    visibility: enumName(rule.visibility, "VISIBILITY_") as (typeof visibilities)[number],
    validityDays,
    condition: forStaff && rule.condition ? conditionFromWire(rule.condition) : undefined,
  };
}

function conditionFromWire(condition: WireCondition): z.output<typeof Condition> {
  const { originCountries, receivingCountries, newBeneficiary } = condition;
  return {
    amountAtLeast: amountFromWire(condition.amountAtLeast),
    amountAbove: amountFromWire(condition.amountAbove),
    amountBelow: amountFromWire(condition.amountBelow),
    originCountries,
    receivingCountries,
    purposes: unlessEmpty(condition.purposes),
    sourcesOfFunds: unlessEmpty(condition.sourcesOfFunds),
    newBeneficiary,
    riskProfiles: unlessEmpty(condition.riskProfiles),
    operations: unlessEmpty(condition.operations),
    aggregates: unlessEmpty(condition.aggregates.map(aggregateFromWire)),
  };
}

function aggregateFromWire(aggregate: WireAggregate): z.output<typeof RuleAggregate> {
  const { days, amount, count, band, receivingCountries, sourcesOfFunds } = aggregate;
  const from = amountFromWire(band?.from);
  const below = amountFromWire(band?.below);
  return {
    measure: enumName(aggregate.measure, "MEASURE_") as (typeof measures)[number],
    of: absentIfEmpty(aggregate.of),
    days,
    comparison: enumName(aggregate.comparison, "COMPARISON_") as (typeof comparisons)[number],
    amount: amountFromWire(amount),
    count: count === undefined ? undefined : Number(count),
    receivingCountries,
    sourcesOfFunds,
    band: from && below && { from, below },
  };
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}
