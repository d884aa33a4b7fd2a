import { z } from "zod";
import { amount, country, flag, maybe, text, texts, whole } from "./fixture-parts.js";

const countries = z.array(country);
const validityDays = maybe(z.int().min(1));
const weight = whole(0, 100);

/** A figure over a customer's past, compared with an amount or a count. */
const aggregate = z.strictObject({
  measure: z.enum(["SUM", "COUNT", "DISTINCT", "AVERAGE", "MAX"]),
  of: maybe(z.enum(["RECIPIENTS", "RECEIVING_COUNTRIES"])),
  days: whole(1, 366),
  comparison: z.enum(["ABOVE", "AT_LEAST"]),
  amount: maybe(amount),
  count: maybe(z.int().min(1)),
  receivingCountries: maybe(countries),
  sourcesOfFunds: maybe(texts),
  band: maybe(z.strictObject({ from: amount, below: amount })),
});

const condition = z.strictObject({
  amountAtLeast: maybe(amount),
  amountAbove: maybe(amount),
  amountBelow: maybe(amount),
  originCountries: maybe(countries),
  receivingCountries: maybe(countries),
  purposes: maybe(texts),
  sourcesOfFunds: maybe(texts),
  newBeneficiary: maybe(flag),
  riskProfiles: maybe(z.array(z.enum(["LOW", "MEDIUM", "HIGH"]))),
  operations: maybe(z.array(z.enum(["REMITTANCE", "WALLET_PAYMENT", "LOAN_APPLICATION", "INVESTMENT"]))),
  aggregates: maybe(z.array(aggregate)),
});

const knowYourCustomerRule = z.strictObject({
  id: text,
  name: text,
  description: maybe(z.string()),
  requirement: text,
  mandatory: maybe(flag),
  riskProfiles: maybe(texts),
  countries: maybe(countries),
  validityDays,
});

const transactionRule = z.strictObject({
  id: text,
  name: text,
  description: maybe(z.string()),
  requiredDocuments: maybe(texts),
  action: z.enum(["REQUIRE_DOCUMENTS", "REVIEW", "REJECT"]),
  visibility: maybe(z.enum(["PUBLIC", "STAFF"])),
  condition: maybe(condition),
  validityDays,
});

const riskModel = z.strictObject({
  countryWeight: weight,
  requirementsWeight: weight,
  identityWeight: weight,
  flaggedWeight: weight,
  newCustomerWeight: weight,
  mediumFrom: weight,
  highFrom: weight,
  approveBelow: weight,
  rejectFrom: weight,
  highRiskCountries: maybe(countries),
  mediumRiskCountries: maybe(countries),
});

export const compliance = z.strictObject({
  knowYourCustomerRules: maybe(z.array(knowYourCustomerRule)),
  transactionRules: maybe(z.array(transactionRule)),
  dailyLimits: maybe(z.array(amount)),
  riskModel: maybe(riskModel),
});

export type FixtureCompliance = z.output<typeof compliance>;
export type FixtureAggregate = z.output<typeof aggregate>;
