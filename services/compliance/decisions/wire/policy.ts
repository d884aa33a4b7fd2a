import {
  Comparison as WireComparison,
  type CounterRules,
  Measure as WireMeasure,
  RuleAction as WireAction,
  Visibility as WireVisibility,
  type Aggregate as WireAggregate,
  type DailyLimit,
  type KnowYourCustomerRule as WireKycRule,
  type Policy as WirePolicy,
  type PolicyDraft as WireDraft,
  type RiskModel as WireModel,
  type RuleCondition as WireCondition,
  type TransactionRule as WireRule,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import type { TransparencyProfile as WireProfile } from "../../../../proto/gen/compliance/v1/transparency.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { moneyToWire, type Money } from "../../../kernel/money.js";
import type { AggregateDraft, ConditionDraft } from "../domain/condition-check.js";
import type { Aggregate, RuleCondition } from "../domain/conditions.js";
import type { PolicyDraft } from "../domain/policy-check.js";
import { counterOf, profilesOf, type Policy, type PolicyContent, type SavedDraft } from "../domain/policy.js";
import { profileFromWire, profileToWire } from "./transparency.js";

interface ContentRequest {
  knowYourCustomerRules: WireKycRule[];
  transactionRules: WireRule[];
  dailyLimits: DailyLimit[];
  riskModel?: WireModel | undefined;
  transparencyProfiles?: WireProfile[];
  counter?: CounterRules | undefined;
}

/** A policy as asked for; checkPolicy looks at what is in it. */
export function draftFromWire(request: ContentRequest): PolicyDraft {
  const { riskModel } = request;
  return {
    knowYourCustomerRules: request.knowYourCustomerRules.map(({ validityDays, ...rule }) => ({
      ...rule,
      ...(validityDays !== undefined && { validityDays }),
    })),
    transactionRules: request.transactionRules.map(({ validityDays, ...rule }) => ({
      ...rule,
      ...(validityDays !== undefined && { validityDays }),
      action: rule.action.replace(/^RULE_ACTION_/, ""),
      visibility: rule.visibility.replace(/^VISIBILITY_/, ""),
      condition: conditionFromWire(rule.condition),
    })),
    dailyLimits: request.dailyLimits.map((limit) => limit.amount && uncheckedMoney(limit.amount)),
    ...(riskModel !== undefined && { riskModel: { ...riskModel } }),
    transparencyProfiles: (request.transparencyProfiles ?? []).map(profileFromWire),
    ...(request.counter !== undefined && { counter: request.counter }),
  };
}

export function policyToWire(policy: Policy): WirePartial<WirePolicy> {
  const { version, publishedAt, publishedBy, draftedBy } = policy;
  return { ...contentToWire(policy), version, publishedAt, publishedBy, draftedBy };
}

export function savedDraftToWire(draft: SavedDraft): WirePartial<WireDraft> {
  const { revision, basedOn, savedAt, savedBy, authors } = draft;
  return { ...contentToWire(draft), revision, basedOn, savedAt, savedBy, authors: [...authors] };
}

/** What a draft begins from, where none is saved. */
export function unsavedDraftToWire(content: PolicyContent, basedOn: number): WirePartial<WireDraft> {
  return { ...contentToWire(content), revision: 0, basedOn };
}

function contentToWire(content: PolicyContent) {
  const { knowYourCustomerRules, transactionRules, dailyLimits, riskModel } = content;
  return {
    knowYourCustomerRules,
    transactionRules: transactionRules.map((rule) => ({
      ...rule,
      action: WireAction[`RULE_ACTION_${rule.action}`],
      visibility: WireVisibility[`VISIBILITY_${rule.visibility}`],
      condition: conditionToWire(rule.condition),
    })),
    dailyLimits: dailyLimits.map((amount) => ({ amount: moneyToWire(amount) })),
    riskModel,
    transparencyProfiles: profilesOf(content).map(profileToWire),
    counter: counterOf(content),
  };
}

function conditionToWire(condition: RuleCondition): WirePartial<WireCondition> {
  const { amountAtLeast, amountAbove, amountBelow } = condition;
  return {
    ...condition,
    amountAtLeast: amountAtLeast && moneyToWire(amountAtLeast),
    amountAbove: amountAbove && moneyToWire(amountAbove),
    amountBelow: amountBelow && moneyToWire(amountBelow),
    aggregates: condition.aggregates.map(aggregateToWire),
  };
}

function aggregateToWire(aggregate: Aggregate): WirePartial<WireAggregate> {
  const { measure, comparison, amount, band, of = "" } = aggregate;
  return {
    ...aggregate,
    of,
    measure: WireMeasure[`MEASURE_${measure}`],
    comparison: WireComparison[`COMPARISON_${comparison}`],
    amount: amount && moneyToWire(amount),
    band: band && { from: moneyToWire(band.from), below: moneyToWire(band.below) },
  };
}

function conditionFromWire(condition: Partial<WireCondition> = {}): ConditionDraft {
  const { amountAtLeast, amountAbove, amountBelow, newBeneficiary, ...lists } = condition;
  return {
    ...(amountAtLeast && { amountAtLeast: uncheckedMoney(amountAtLeast) }),
    ...(amountAbove && { amountAbove: uncheckedMoney(amountAbove) }),
    ...(amountBelow && { amountBelow: uncheckedMoney(amountBelow) }),
    ...(newBeneficiary !== undefined && { newBeneficiary }),
    originCountries: lists.originCountries ?? [],
    receivingCountries: lists.receivingCountries ?? [],
    purposes: lists.purposes ?? [],
    sourcesOfFunds: lists.sourcesOfFunds ?? [],
    riskProfiles: lists.riskProfiles ?? [],
    operations: lists.operations ?? [],
    aggregates: (lists.aggregates ?? []).map(aggregateFromWire),
  };
}

function aggregateFromWire(aggregate: WireAggregate): AggregateDraft {
  const { measure, comparison, amount, count, band, of, days, receivingCountries, sourcesOfFunds } = aggregate;
  return {
    measure: measure.replace(/^MEASURE_/, ""),
    comparison: comparison.replace(/^COMPARISON_/, ""),
    days,
    ...(of !== "" && { of }),
    ...(amount && { amount: uncheckedMoney(amount) }),
    ...(count !== undefined && { count }),
    receivingCountries,
    sourcesOfFunds,
    ...(band && {
      band: { from: band.from && uncheckedMoney(band.from), below: band.below && uncheckedMoney(band.below) },
    }),
  };
}

// checkPolicy reports what is wrong with it beside all other faults.
function uncheckedMoney(wire: { amountMinor: bigint; currency: string }): Money {
  return { minor: wire.amountMinor, currency: wire.currency };
}
