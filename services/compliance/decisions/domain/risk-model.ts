import { checkCountries, type Report } from "./condition-check.js";

/** How a customer's score (0 to 100) is made and what follows from it. */
export interface RiskModel {
  /** Whole percents, together 100. */
  countryWeight: number;
  requirementsWeight: number;
  identityWeight: number;
  flaggedWeight: number;
  newCustomerWeight: number;
  highRiskCountries: string[];
  mediumRiskCountries: string[];
  /** The profile is MEDIUM, HIGH from these scores on. */
  mediumFrom: number;
  highFrom: number;
  /** Below the first a customer is approved, from the second on rejected, between them reviewed. */
  approveBelow: number;
  rejectFrom: number;
}

/** Where a policy names none. */
export const defaultRiskModel: RiskModel = {
  countryWeight: 40,
  requirementsWeight: 20,
  identityWeight: 20,
  flaggedWeight: 10,
  newCustomerWeight: 10,
  highRiskCountries: [],
  mediumRiskCountries: [],
  mediumFrom: 20,
  highFrom: 40,
  approveBelow: 50,
  rejectFrom: 80,
};

const weights = [
  "countryWeight",
  "requirementsWeight",
  "identityWeight",
  "flaggedWeight",
  "newCustomerWeight",
] as const satisfies (keyof RiskModel)[];
const thresholds = ["mediumFrom", "highFrom", "approveBelow", "rejectFrom"] as const satisfies (keyof RiskModel)[];

/** Reports each fault of a model with its path. */
export function checkRiskModel(model: RiskModel, path: string, report: Report): RiskModel {
  for (const name of [...weights, ...thresholds]) {
    const value = model[name];
    if (!Number.isInteger(value) || value < 0 || value > 100) report(`${path}.${name}`, "must be a whole 0 to 100");
  }
  const sum = weights.reduce((total, name) => total + model[name], 0);
  if (sum !== 100) report(path, `the weights are together ${sum}, not 100`);
  if (model.highFrom <= model.mediumFrom) report(`${path}.highFrom`, "must be more than mediumFrom");
  if (model.rejectFrom <= model.approveBelow) report(`${path}.rejectFrom`, "must be more than approveBelow");
  return {
    ...model,
    highRiskCountries: checkCountries(model.highRiskCountries, `${path}.highRiskCountries`, report),
    mediumRiskCountries: checkCountries(model.mediumRiskCountries, `${path}.mediumRiskCountries`, report),
  };
}
