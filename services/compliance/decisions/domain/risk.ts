import type { RiskProfile } from "./conditions.js";
import { decideOnCustomer } from "./confirmation.js";
import type { DecisionKind } from "./decision.js";
import { isMet, type Requirement } from "./requirements.js";
import type { RiskModel } from "./risk-model.js";

export interface RiskFactor {
  name: "COUNTRY" | "REQUIREMENTS" | "IDENTITY" | "FLAGGED_TRANSACTIONS" | "NEW_CUSTOMER";
  /** Percent. */
  weight: number;
  /** 0 to 100. */
  value: number;
  /** weight × value: hundredths of a point of the score. */
  points: number;
  explanation: string;
}

export interface RiskScore {
  /** 0 to 100, rounded half up from the points. */
  score: number;
  profile: RiskProfile;
  factors: RiskFactor[];
  decision: DecisionKind;
}

/** A score as the customer's history keeps it. */
export type StoredScore = RiskScore & {
  customerId: string;
  sequence: number;
  policyVersion: number;
  cause: string;
  at: Date;
};

/** What a score is made from. */
export interface RiskFacts {
  /** Alpha-3. */
  country: string;
  registeredAt: Date;
  requirements: readonly Requirement[];
  /** When transactions were refused or sent to review by a rule. */
  flagged: readonly Date[];
}

const dayMs = 86_400_000;
const newForDays = 30;
const flaggedForDays = 90;
const identityKinds: ReadonlySet<string> = new Set(["IDENTITY_DOCUMENT", "BVN", "SELFIE"]);

/**
 * The weighted sum of five factors. The profile counts only what nobody can fulfil (country, flags,
 * age), so that it does not depend on the requirements that depend on it.
 */
export function riskScore(model: RiskModel, facts: RiskFacts, now: Date): RiskScore {
  const inherent = [countryFactor(model, facts), flaggedFactor(model, facts, now), newFactor(model, facts, now)];
  const factors = [...inherent, requirementsFactor(model, facts, now), identityFactor(model, facts, now)];
  const score = scoreOf(factors);
  const profile = profileOf(model, inherent);
  const decided = { score, inherent: scoreOf(inherent), requirements: facts.requirements };
  return { score, profile, factors, decision: decideOnCustomer(model, decided, now) };
}

/** The profile that requirements are chosen by. */
export function riskProfile(model: RiskModel, facts: Omit<RiskFacts, "requirements">, now: Date): RiskProfile {
  return profileOf(model, [
    countryFactor(model, facts),
    flaggedFactor(model, facts, now),
    newFactor(model, facts, now),
  ]);
}

function scoreOf(factors: readonly RiskFactor[]): number {
  return Math.floor((factors.reduce((sum, { points }) => sum + points, 0) + 50) / 100);
}

function profileOf(model: RiskModel, inherent: readonly RiskFactor[]): RiskProfile {
  const score = scoreOf(inherent);
  if (score >= model.highFrom) return "HIGH";
  return score >= model.mediumFrom ? "MEDIUM" : "LOW";
}

function factor(name: RiskFactor["name"], weight: number, value: number, explanation: string): RiskFactor {
  return { name, weight, value, points: weight * value, explanation };
}

function countryFactor(model: RiskModel, { country }: Pick<RiskFacts, "country">): RiskFactor {
  const [value, level] = model.highRiskCountries.includes(country)
    ? ([100, "high"] as const)
    : model.mediumRiskCountries.includes(country)
      ? ([50, "medium"] as const)
      : ([0, "low"] as const);
  return factor("COUNTRY", model.countryWeight, value, `${country} is a country of ${level} risk`);
}

function requirementsFactor(model: RiskModel, { requirements }: RiskFacts, now: Date): RiskFactor {
  const mandatory = requirements.filter((one) => one.mandatory);
  const unmet = mandatory.filter((one) => !isMet(one, now)).length;
  const value = mandatory.length === 0 ? 0 : Math.round((unmet * 100) / mandatory.length);
  const text = `${unmet} of ${mandatory.length} mandatory requirements are not fulfilled`;
  return factor("REQUIREMENTS", model.requirementsWeight, value, text);
}

function identityFactor(model: RiskModel, { requirements }: RiskFacts, now: Date): RiskFactor {
  const isKnown = requirements.some((one) => identityKinds.has(one.kind) && isMet(one, now));
  const text = isKnown ? "the identity is verified" : "no identity document, BVN or selfie is verified";
  return factor("IDENTITY", model.identityWeight, isKnown ? 0 : 100, text);
}

function flaggedFactor(model: RiskModel, { flagged }: Pick<RiskFacts, "flagged">, now: Date): RiskFactor {
  const recent = flagged.filter((at) => now.getTime() - at.getTime() < flaggedForDays * dayMs).length;
  const text = `${recent} transactions were stopped by a rule within ${flaggedForDays} days`;
  return factor("FLAGGED_TRANSACTIONS", model.flaggedWeight, Math.min(100, recent * 25), text);
}

function newFactor(model: RiskModel, { registeredAt }: Pick<RiskFacts, "registeredAt">, now: Date): RiskFactor {
  const isNew = now.getTime() - registeredAt.getTime() < newForDays * dayMs;
  const text = isNew ? `registered less than ${newForDays} days ago` : `registered ${newForDays} days ago or more`;
  return factor("NEW_CUSTOMER", model.newCustomerWeight, isNew ? 100 : 0, text);
}
