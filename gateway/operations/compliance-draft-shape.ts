import { z } from "zod";
import { Comparison, Measure, RuleAction, Visibility } from "../../proto/gen/compliance/v1/compliance.js";
import { moneyToWire, parseMoney } from "../../services/kernel/money.js";
import { invalidInput } from "../../services/kernel/refusal.js";
import { currencyCode, decimalText, maybe, text, wholeNumberIn } from "../schema.js";
import { comparisons, measures, ruleActions, visibilities } from "./compliance-shapes.js";

const amountIn = z.object({ amount: decimalText, currency: currencyCode });
const names = z.array(text(64)).max(250);
export const whole = (minimum: number, maximum: number) => wholeNumberIn(minimum, maximum);

const ruleTexts = { id: maybe(text(64, 0)), name: text(200), description: maybe(text(2_000, 0)) };

export const DraftRequest = z
  .object({
    revision: whole(0, 1_000_000).meta({ description: "Of the draft that was read; 0 where there was none." }),
    knowYourCustomerRules: z
      .array(
        z.object({
          ...ruleTexts,
          requirement: text(64),
          mandatory: z.boolean(),
          riskProfiles: maybe(names),
          countries: maybe(names),
          validityDays: maybe(whole(1, 36_525)),
        }),
      )
      .max(500),
    transactionRules: z
      .array(
        z.object({
          ...ruleTexts,
          requiredDocuments: maybe(names),
          action: z.enum(ruleActions),
          visibility: z.enum(visibilities),
          validityDays: maybe(whole(1, 36_525)),
          condition: z.object({
            amountAtLeast: maybe(amountIn),
            amountAbove: maybe(amountIn),
            amountBelow: maybe(amountIn),
            originCountries: maybe(names),
            receivingCountries: maybe(names),
            purposes: maybe(names),
            sourcesOfFunds: maybe(names),
            newBeneficiary: maybe(z.boolean()),
            riskProfiles: maybe(names),
            operations: maybe(names),
            aggregates: maybe(
              z
                .array(
                  z.object({
                    measure: z.enum(measures),
                    of: maybe(text(64, 0)),
                    days: whole(1, 366),
                    comparison: z.enum(comparisons),
                    amount: maybe(amountIn),
                    count: maybe(whole(1, 1_000_000)),
                    receivingCountries: maybe(names),
                    sourcesOfFunds: maybe(names),
                    band: maybe(z.object({ from: amountIn, below: amountIn })),
                  }),
                )
                .max(10),
            ),
          }),
        }),
      )
      .max(500),
    dailyLimits: maybe(z.array(amountIn).max(200)),
    riskModel: maybe(
      z.object({
        countryWeight: whole(0, 100),
        requirementsWeight: whole(0, 100),
        identityWeight: whole(0, 100),
        flaggedWeight: whole(0, 100),
        newCustomerWeight: whole(0, 100),
        highRiskCountries: names,
        mediumRiskCountries: names,
        mediumFrom: whole(0, 100),
        highFrom: whole(0, 100),
        approveBelow: whole(0, 100),
        rejectFrom: whole(0, 100),
      }),
    ),
  })
  .meta({ id: "SaveCompliancePolicyDraftRequest" });

type Draft = z.output<typeof DraftRequest>;
type AmountIn = z.output<typeof amountIn>;

export function draftToWire({ revision, knowYourCustomerRules, transactionRules, dailyLimits, riskModel }: Draft) {
  return {
    revision,
    knowYourCustomerRules: knowYourCustomerRules.map((rule) => ({
      ...rule,
      id: rule.id ?? "",
      description: rule.description ?? "",
      riskProfiles: rule.riskProfiles ?? [],
      countries: rule.countries ?? [],
    })),
    transactionRules: transactionRules.map((rule, index) => ({
      ...rule,
      id: rule.id ?? "",
      description: rule.description ?? "",
      requiredDocuments: rule.requiredDocuments ?? [],
      action: RuleAction[`RULE_ACTION_${rule.action}`],
      visibility: Visibility[`VISIBILITY_${rule.visibility}`],
      condition: conditionToWire(rule.condition, `transactionRules.${index}.condition`),
    })),
    dailyLimits: (dailyLimits ?? []).map((limit, index) => ({ amount: amountToWire(limit, `dailyLimits.${index}`) })),
    ...(riskModel && { riskModel }),
  };
}

function conditionToWire(condition: Draft["transactionRules"][number]["condition"], path: string) {
  const { amountAtLeast, amountAbove, amountBelow, aggregates = [] } = condition;
  return {
    ...condition,
    amountAtLeast: amountAtLeast && amountToWire(amountAtLeast, `${path}.amountAtLeast`),
    amountAbove: amountAbove && amountToWire(amountAbove, `${path}.amountAbove`),
    amountBelow: amountBelow && amountToWire(amountBelow, `${path}.amountBelow`),
    aggregates: aggregates.map((aggregate, index) => {
      const { amount, band, count } = aggregate;
      const at = `${path}.aggregates.${index}`;
      return {
        ...aggregate,
        measure: Measure[`MEASURE_${aggregate.measure}`],
        comparison: Comparison[`COMPARISON_${aggregate.comparison}`],
        amount: amount && amountToWire(amount, `${at}.amount`),
        count: count === undefined ? undefined : BigInt(count),
        band: band && {
          from: amountToWire(band.from, `${at}.band.from`),
          below: amountToWire(band.below, `${at}.band.below`),
        },
      };
    }),
  };
}

function amountToWire({ amount, currency }: AmountIn, path: string) {
  if (amount.startsWith("-")) throw invalidInput(`${path}.amount`, "must not be negative");
  return moneyToWire(parseMoney(amount, currency, `${path}.amount`));
}
