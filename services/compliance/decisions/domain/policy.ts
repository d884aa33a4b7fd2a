import { isDeepStrictEqual } from "node:util";
import type { Money } from "../../../kernel/money.js";
import { noCounterRules, type CounterRules } from "./counter.js";
import { noCondition, type RiskProfile, type RuleCondition } from "./conditions.js";
import { planFigures, type FigurePlan } from "./figures.js";
import { defaultRiskModel, type RiskModel } from "./risk-model.js";
import { rowsOf } from "./transparency-profiles.js";
import type { TransparencyProfile, TransparencyRow } from "./transparency.js";

export const requirements = [
  "EMAIL",
  "PHONE_NUMBER",
  "IDENTITY_DOCUMENT",
  "PROOF_OF_ADDRESS",
  "SELFIE",
  "BVN",
  "SOURCE_OF_FUNDS",
] as const;
export const ruleActions = ["REQUIRE_DOCUMENTS", "REVIEW", "REJECT"] as const;
export const visibilities = ["PUBLIC", "STAFF"] as const;

export type Requirement = (typeof requirements)[number];
export type RuleAction = (typeof ruleActions)[number];
export type Visibility = (typeof visibilities)[number];

export interface KnowYourCustomerRule {
  id: string;
  name: string;
  description: string;
  requirement: Requirement;
  mandatory: boolean;
  /** Empty means all. */
  riskProfiles: RiskProfile[];
  countries: string[];
  validityDays?: number;
}

export interface TransactionRule {
  id: string;
  name: string;
  description: string;
  requiredDocuments: string[];
  action: RuleAction;
  visibility: Visibility;
  condition: RuleCondition;
  /** How long a document that it asked for counts; for good where absent. */
  validityDays?: number;
}

/** What somebody writes; a published policy adds its version, time and author. */
export interface PolicyContent {
  knowYourCustomerRules: KnowYourCustomerRule[];
  transactionRules: TransactionRule[];
  /** At most one per currency: what one customer may send per calendar day in it. */
  dailyLimits: Money[];
  riskModel: RiskModel;
  /** What must be known of transfers, by where they are from; absent for none. */
  transparencyProfiles?: TransparencyProfile[];
  /** What counts of what staff do at the counter; absent for none. */
  counter?: CounterRules;
}

export interface Policy extends PolicyContent {
  version: number;
  publishedAt: Date;
  publishedBy: string;
  draftedBy: string;
  /** Of the draft that it was; absent where it was put at once. */
  revision?: number;
}

/** A policy that is being written: one per tenant. */
export interface SavedDraft extends PolicyContent {
  revision: number;
  basedOn: number;
  savedAt: Date;
  savedBy: string;
  /** Who wrote any of its revisions: none of them publishes it. */
  authors: readonly string[];
}

/**
 * What a customer may know of a policy: rules meant for staff, the risk model, transparency
 * profiles and all conditions are left out.
 */
export function publicPart(policy: Policy): Policy {
  return {
    ...policy,
    riskModel: defaultRiskModel,
    transparencyProfiles: [],
    counter: noCounterRules,
    transactionRules: policy.transactionRules
      .filter((rule) => rule.visibility === "PUBLIC")
      .map((rule) => ({ ...rule, condition: noCondition })),
  };
}

/** A published policy with what its rules compare, worked out once. */
export interface CompiledPolicy extends Policy {
  readonly figurePlan: FigurePlan;
  /** By origin country. */
  readonly transparency: ReadonlyMap<string, CompiledProfile>;
}

/** A transparency profile with all rows that hold. */
export type CompiledProfile = TransparencyProfile & { allRows: readonly TransparencyRow[] };

export function compilePolicy(policy: Policy): CompiledPolicy {
  const profiles = profilesOf(policy).map((profile) => ({ ...profile, allRows: rowsOf(profile) }));
  return {
    ...policy,
    figurePlan: planFigures(policy.transactionRules.map(({ condition }) => condition)),
    transparency: new Map(profiles.flatMap((one) => one.originCountries.map((country) => [country, one] as const))),
  };
}

export function profilesOf({ transparencyProfiles = [] }: PolicyContent): TransparencyProfile[] {
  return transparencyProfiles;
}

export function counterOf({ counter = noCounterRules }: Pick<PolicyContent, "counter"> = {}): CounterRules {
  return counter;
}

/** The documents that rules of a policy ask of the customer for an outcome, by kind and rule. */
export function documentsRequiredBy(
  policy: Policy | undefined,
  {
    matchedRules,
    outstandingRequirements,
  }: { matchedRules: readonly string[]; outstandingRequirements: readonly string[] },
) {
  const rules = (policy?.transactionRules ?? []).filter(
    ({ id, action }) => action === "REQUIRE_DOCUMENTS" && matchedRules.includes(id),
  );
  return rules.flatMap(({ id, requiredDocuments, validityDays }) =>
    requiredDocuments
      .filter((kind) => outstandingRequirements.includes(kind))
      .map((kind) => ({ kind, ruleId: id, ...(validityDays !== undefined && { validityDays }) })),
  );
}

const noFigures = planFigures([]);

/** What the rules of a policy compare; nothing where there is no policy. */
export function figurePlanOf(policy: CompiledPolicy | undefined): FigurePlan {
  return policy?.figurePlan ?? noFigures;
}

/** Whether the policy says the same. */
export function hasContent(policy: PolicyContent, content: PolicyContent): boolean {
  return isDeepStrictEqual(contentOf(policy), contentOf(content));
}

export function contentOf(content: PolicyContent): Required<PolicyContent> {
  const { knowYourCustomerRules, transactionRules, dailyLimits, riskModel } = content;
  const [transparencyProfiles, counter] = [profilesOf(content), counterOf(content)];
  return { knowYourCustomerRules, transactionRules, dailyLimits, riskModel, transparencyProfiles, counter };
}
