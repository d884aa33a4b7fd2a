import {
  Comparison,
  Measure,
  RuleAction,
  Visibility,
  type ComplianceServiceDefinition,
} from "../../proto/gen/compliance/v1/compliance.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import type { FixtureAggregate, FixtureCompliance } from "./compliance-schema.js";
import type { FixtureAmount } from "./fixture-schema.js";

type PolicyRequest = Parameters<Client<ComplianceServiceDefinition>["putPolicy"]>[0];

/** A fixture's policy as compliance takes it; what is wrong in it compliance names by its path. */
export function policyOf({ knowYourCustomerRules, transactionRules, dailyLimits, riskModel }: FixtureCompliance) {
  const request: PolicyRequest = {
    knowYourCustomerRules: knowYourCustomerRules ?? [],
    transactionRules: (transactionRules ?? []).map(({ condition = {}, ...rule }) => ({
      ...rule,
      action: RuleAction[`RULE_ACTION_${rule.action}`],
      visibility: Visibility[`VISIBILITY_${rule.visibility ?? "PUBLIC"}`],
      condition: {
        ...condition,
        amountAtLeast: amountOf(condition.amountAtLeast),
        amountAbove: amountOf(condition.amountAbove),
        amountBelow: amountOf(condition.amountBelow),
        aggregates: (condition.aggregates ?? []).map(aggregateOf),
      },
    })),
    dailyLimits: (dailyLimits ?? []).map((limit) => ({ amount: amountOf(limit) })),
    ...(riskModel && { riskModel }),
  };
  return request;
}

function aggregateOf({ measure, comparison, amount, count, band, ...rest }: FixtureAggregate) {
  return {
    ...rest,
    measure: Measure[`MEASURE_${measure}`],
    comparison: Comparison[`COMPARISON_${comparison}`],
    amount: amountOf(amount),
    ...(count !== undefined && { count: BigInt(count) }),
    ...(band && { band: { from: amountOf(band.from), below: amountOf(band.below) } }),
  };
}

function amountOf(amount: FixtureAmount | undefined) {
  return amount && moneyToWire(parseMoney(amount.amount, amount.currency));
}
