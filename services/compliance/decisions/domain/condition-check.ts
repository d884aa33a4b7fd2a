import { isCurrency } from "../../../kernel/codes/currencies.js";
import { toAlpha3 } from "../../../kernel/codes/countries.js";
import type { Money } from "../../../kernel/money.js";
import { isSizeBoundary } from "./day-activity.js";
import {
  comparisons,
  distinctOf,
  measures,
  operations,
  riskProfiles,
  type Aggregate,
  type RuleCondition,
} from "./conditions.js";
import { plainName } from "./plain-name.js";

export type Report = (path: string, message: string) => void;

/** A condition as it was asked for, with nothing checked yet. */
export type ConditionDraft = Omit<RuleCondition, "riskProfiles" | "operations" | "aggregates"> & {
  riskProfiles: string[];
  operations: string[];
  aggregates: AggregateDraft[];
};
export type AggregateDraft = Omit<Aggregate, "measure" | "of" | "comparison" | "band"> & {
  measure: string;
  of?: string;
  comparison: string;
  band?: { from?: Money | undefined; below?: Money | undefined };
};

const maxAggregates = 10;
const maxDays = 366;
const maxNames = 100;

/** The condition that a draft describes; reports each fault with its path. */
export function checkCondition(draft: ConditionDraft, path: string, report: Report): RuleCondition {
  const { amountAtLeast, amountAbove, amountBelow, newBeneficiary } = draft;
  for (const [name, amount] of Object.entries({ amountAtLeast, amountAbove, amountBelow })) {
    if (amount !== undefined) checkAmount(amount, `${path}.${name}`, report);
  }
  const bounds = [amountAtLeast, amountAbove, amountBelow].filter((amount) => amount !== undefined);
  if (new Set(bounds.map(({ currency }) => currency)).size > 1) {
    report(path, "amounts of different currencies can never be met together");
  }
  const from = amountAtLeast?.minor ?? amountAbove?.minor;
  if (from !== undefined && amountBelow !== undefined && amountBelow.minor <= from) {
    report(`${path}.amountBelow`, "must be more than the amount it starts from");
  }
  if (draft.aggregates.length > maxAggregates) report(`${path}.aggregates`, `at most ${maxAggregates}`);
  return {
    ...(amountAtLeast && { amountAtLeast }),
    ...(amountAbove && { amountAbove }),
    ...(amountBelow && { amountBelow }),
    originCountries: checkCountries(draft.originCountries, `${path}.originCountries`, report),
    receivingCountries: checkCountries(draft.receivingCountries, `${path}.receivingCountries`, report),
    purposes: checkNames(draft.purposes, `${path}.purposes`, report),
    sourcesOfFunds: checkNames(draft.sourcesOfFunds, `${path}.sourcesOfFunds`, report),
    ...(newBeneficiary !== undefined && { newBeneficiary }),
    riskProfiles: draft.riskProfiles.map((name, index) =>
      oneOf(riskProfiles, name, `${path}.riskProfiles[${index}]`, report),
    ),
    aggregates: draft.aggregates.map((one, index) => checkAggregate(one, `${path}.aggregates[${index}]`, report)),
    operations: draft.operations.map((name, index) => oneOf(operations, name, `${path}.operations[${index}]`, report)),
  };
}

function checkAggregate(draft: AggregateDraft, path: string, report: Report): Aggregate {
  const measure = oneOf(measures, draft.measure, `${path}.measure`, report);
  const comparison = oneOf(comparisons, draft.comparison, `${path}.comparison`, report);
  const { days, amount, count, of, band } = draft;
  if (!Number.isInteger(days) || days < 1 || days > maxDays) report(`${path}.days`, `must be 1 to ${maxDays}`);
  const byAmount = measure === "SUM" || measure === "AVERAGE" || measure === "MAX";
  if (byAmount && amount === undefined) report(`${path}.amount`, `is what ${measure} is compared with`);
  if (byAmount && count !== undefined) report(`${path}.count`, `has no place beside ${measure}`);
  if (!byAmount && count === undefined) report(`${path}.count`, `is what ${measure} is compared with`);
  if (!byAmount && amount !== undefined) report(`${path}.amount`, `has no place beside ${measure}`);
  if (amount !== undefined) checkAmount(amount, `${path}.amount`, report);
  if (count !== undefined && (count < 1n || count > 1_000_000n)) report(`${path}.count`, "must be 1 to 1000000");
  const isOfCash = of === "CASH" && measure !== "DISTINCT";
  if (measure !== "DISTINCT" && of !== undefined && !isOfCash) {
    report(`${path}.of`, `must be one of ${distinctOf.join(", ")}, beside DISTINCT, or CASH`);
  }
  if (isOfCash && measure === "AVERAGE") report(`${path}.of`, "of CASH there are SUM, COUNT and MAX");
  const hasFilter = draft.receivingCountries.length + draft.sourcesOfFunds.length > 0;
  if (isOfCash && (hasFilter || band !== undefined)) {
    report(path, "cash is counted over all countries, sources of funds and amounts");
  }
  if (measure === "DISTINCT" && of === "RECIPIENTS" && hasFilter) {
    report(path, "recipients are counted over all countries and sources of funds");
  }
  const checkedBand = band === undefined ? undefined : checkBand(band, measure, hasFilter, `${path}.band`, report);
  return {
    measure,
    ...(isOfCash && { of: "CASH" as const }),
    ...(measure === "DISTINCT" && { of: oneOf(distinctOf, of ?? "", `${path}.of`, report) }),
    days,
    comparison,
    ...(amount && { amount }),
    ...(count !== undefined && { count }),
    receivingCountries: checkCountries(draft.receivingCountries, `${path}.receivingCountries`, report),
    sourcesOfFunds: checkNames(draft.sourcesOfFunds, `${path}.sourcesOfFunds`, report),
    ...(checkedBand && { band: checkedBand }),
  };
}

/**
 * Amounts are counted by their two leading digits, so a band must begin and end where those change.
 */
function checkBand(
  { from, below }: NonNullable<AggregateDraft["band"]>,
  measure: string,
  hasFilter: boolean,
  path: string,
  report: Report,
): Aggregate["band"] {
  if (measure !== "COUNT") report(path, "has a place beside COUNT only");
  if (hasFilter) report(path, "amounts are counted over all countries and sources of funds");
  for (const [name, amount] of Object.entries({ from, below })) {
    if (amount === undefined) report(`${path}.${name}`, "is required");
    else {
      checkAmount(amount, `${path}.${name}`, report);
      if (!isSizeBoundary(amount.minor))
        report(`${path}.${name}.amountMinor`, "must have two significant digits at most");
    }
  }
  if (from === undefined || below === undefined) return undefined;
  if (from.currency !== below.currency) report(`${path}.below.currency`, `must be ${from.currency}`);
  if (below.minor <= from.minor) report(`${path}.below`, "must be more than from");
  return { from, below };
}

export function checkAmount(amount: Money, path: string, report: Report): void {
  if (!isCurrency(amount.currency)) report(`${path}.currency`, "must be a currency of ISO 4217");
  if (amount.minor <= 0n) report(`${path}.amountMinor`, "must be positive");
}

export function checkCountries(countries: string[], path: string, report: Report): string[] {
  return countries.map((country, index) => {
    try {
      return toAlpha3(country, `${path}[${index}]`);
    } catch {
      report(`${path}[${index}]`, "must be a country of ISO 3166-1");
      return country;
    }
  });
}

export function oneOf<T extends string>(known: readonly T[], given: string, path: string, report: Report): T {
  const found = known.find((name) => name === given);
  if (found === undefined) report(path, `must be one of ${known.join(", ")}`);
  return found ?? known[0]!;
}

function checkNames(names: string[], path: string, report: Report): string[] {
  if (names.length > maxNames) report(path, `at most ${maxNames}`);
  return names.map((name, index) => {
    if (name.trim() === "" || name.length > 64) report(`${path}[${index}]`, "must have 1 to 64 characters");
    return plainName(name);
  });
}
