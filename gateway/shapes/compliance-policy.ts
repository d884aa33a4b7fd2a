import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/compliance.js";
import { enumOf, shape } from "../codec.js";
import { decimalText, instant, instantIn, maybe, text, wholeNumberIn, shown } from "../schema.js";
import { Amount, AmountIn, amountMembers } from "./compliance.js";
import { CounterRules, CounterRulesIn } from "./counter-rules.js";
import { MemberCount, TransparencyProfile, TransparencyProfileIn } from "./transparency.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const maxRevision = 1_000_000;
const action = enumOf(wire.RuleAction);
const visibility = enumOf(wire.Visibility);
const measure = enumOf(wire.Measure);
const comparison = enumOf(wire.Comparison);
const decision = enumOf(wire.Decision);

const KycRule = shape(
  wire.KnowYourCustomerRule,
  z
    .object({
      id: shown(z.string(), "kyc-identity"),
      name: shown(z.string(), "Identity document"),
      description: shown(z.string(), "Passport or national identity card"),
      requirement: leaf.requirement,
      mandatory: z.boolean(),
      riskProfiles: z.array(leaf.riskProfiles),
      countries: z.array(leaf.country).meta({ description: "ISO 3166-1 alpha-3; empty means all." }),
      validityDays: shown(z.number().int(), 730).optional(),
    })
    .meta({ id: "KycRule" }),
);

const AmountBand = shape(wire.AmountBand, z.object({ from: Amount, below: Amount }));

const RuleAggregate = shape(
  wire.Aggregate,
  z
    .object({
      measure,
      of: shown(z.string(), "RECIPIENTS").optional().meta({
        description:
          "RECIPIENTS or RECEIVING_COUNTRIES, for DISTINCT. CASH, for SUM, COUNT and MAX: cash at desks, in base currency.",
      }),
      days: z.number().int().meta({ description: "Calendar days in the organisation's time zone; 1 is today." }),
      comparison,
      amount: Amount.optional(),
      count: z.number().int().optional(),
      receivingCountries: z.array(leaf.country),
      sourcesOfFunds: z.array(leaf.sourceOfFunds),
      band: AmountBand.optional(),
    })
    .meta({ id: "RuleAggregate" }),
);

const Condition = shape(
  wire.RuleCondition,
  z
    .object({
      amountAtLeast: Amount.optional(),
      amountAbove: Amount.optional(),
      amountBelow: Amount.optional(),
      originCountries: z.array(leaf.originCountry),
      receivingCountries: z.array(leaf.country),
      purposes: z.array(shown(z.string(), "FAMILY_SUPPORT")).optional(),
      sourcesOfFunds: z.array(leaf.sourceOfFunds).optional(),
      newBeneficiary: z.boolean().optional(),
      riskProfiles: z.array(leaf.riskProfiles).optional(),
      operations: z.array(leaf.operation).optional(),
      aggregates: z.array(RuleAggregate).optional(),
    })
    .meta({ id: "RuleCondition" }),
);

const Rule = shape(
  wire.TransactionRule,
  z
    .object({
      id: leaf.ruleId,
      name: shown(z.string(), "Source of funds for large transfers"),
      description: shown(z.string(), "A proof of where the money comes from"),
      requiredDocuments: z.array(shown(z.string(), "SOURCE_OF_FUNDS")),
      action,
      visibility,
      validityDays: shown(z.number().int(), 730).optional(),
      condition: Condition.optional().meta({ description: "For staff only. Met when every part of it holds." }),
    })
    .meta({ id: "TransactionRule" }),
);

export const CompliancePolicy = shape(
  wire.Policy,
  z
    .object({ knowYourCustomerRules: z.array(KycRule), transactionRules: z.array(Rule) })
    .meta({ id: "CompliancePolicy" }),
);

const weight = z.number().int().meta({ minimum: 0, maximum: 100 });

const RiskModel = shape(
  wire.RiskModel,
  z
    .object({
      countryWeight: shown(weight, 25),
      requirementsWeight: shown(weight, 25),
      identityWeight: shown(weight, 20),
      flaggedWeight: shown(weight, 20),
      newCustomerWeight: shown(weight, 10),
      highRiskCountries: z.array(shown(z.string(), "IRN")),
      mediumRiskCountries: z.array(shown(z.string(), "RUS")),
      mediumFrom: shown(weight, 30),
      highFrom: shown(weight, 60),
      approveBelow: shown(weight, 60),
      rejectFrom: shown(weight, 90),
    })
    .meta({ id: "RiskModel", description: "Weights are together 100; thresholds are scores." }),
);

export const PolicyVersion = shape(
  wire.PolicyVersion,
  z
    .object({ version: z.number().int(), publishedAt: instant, publishedBy: leaf.userId, draftedBy: leaf.userId })
    .meta({ id: "PolicyVersion" }),
);

const limitFields = { amount: "amount", currency: "amount.currency" } as const;
const DailyLimit = shape(wire.DailyLimit, z.object({ amount: decimalText, currency: z.string() }), limitFields);

const WholePolicy = CompliancePolicy.extend({
  dailyLimits: z.array(DailyLimit),
  riskModel: RiskModel,
  transparencyProfiles: z.array(TransparencyProfile),
  counter: CounterRules,
});

export const PublishedPolicy = shape(
  wire.Policy,
  PolicyVersion.extend(WholePolicy.shape).meta({ id: "PublishedCompliancePolicy" }),
);

export const StoredDraft = shape(
  wire.PolicyDraft,
  z
    .object({
      revision: z.number().int().meta({
        description:
          "0 where no draft is saved: what is in force, which a draft begins from, by nobody and at no time.",
      }),
      basedOn: z.number().int().meta({ description: "The version that held when the draft was begun." }),
      savedAt: instant.optional(),
      savedBy: leaf.userId.optional(),
      authors: z.array(leaf.userId).meta({ description: "Who wrote any of its revisions: none of them publishes it." }),
      ...WholePolicy.shape,
    })
    .meta({ id: "CompliancePolicyDraft" }),
);

const names = z.array(text(64)).max(250);
const percent = wholeNumberIn(0, 100);
const ruleTexts = { id: maybe(text(64, 0)), name: text(200), description: maybe(text(2_000, 0)) };
const validityDays = maybe(wholeNumberIn(1, 36_525));

const KycRuleIn = shape(
  wire.KnowYourCustomerRule,
  z.object({
    ...ruleTexts,
    requirement: text(64),
    mandatory: z.boolean(),
    riskProfiles: maybe(names),
    countries: maybe(names),
    validityDays,
  }),
);

const AggregateIn = shape(
  wire.Aggregate,
  z.object({
    measure,
    of: maybe(text(64, 0)),
    days: wholeNumberIn(1, 366),
    comparison,
    amount: maybe(AmountIn),
    count: maybe(wholeNumberIn(1, 1_000_000)),
    receivingCountries: maybe(names),
    sourcesOfFunds: maybe(names),
    band: maybe(shape(wire.AmountBand, z.object({ from: AmountIn, below: AmountIn }))),
  }),
  {
    count: {
      from: ({ count }) => (count === undefined ? undefined : Number(count)),
      to: (count) => ({ count: BigInt(count) }),
    },
  },
);

const ConditionIn = shape(
  wire.RuleCondition,
  z.object({
    amountAtLeast: maybe(AmountIn),
    amountAbove: maybe(AmountIn),
    amountBelow: maybe(AmountIn),
    originCountries: maybe(names),
    receivingCountries: maybe(names),
    purposes: maybe(names),
    sourcesOfFunds: maybe(names),
    newBeneficiary: maybe(z.boolean()),
    riskProfiles: maybe(names),
    operations: maybe(names),
    aggregates: maybe(z.array(AggregateIn).max(10)),
  }),
);

const RuleIn = shape(
  wire.TransactionRule,
  z.object({
    ...ruleTexts,
    requiredDocuments: maybe(names),
    action,
    visibility,
    validityDays,
    condition: ConditionIn,
  }),
);

const RiskModelIn = shape(
  wire.RiskModel,
  z.object({
    countryWeight: percent,
    requirementsWeight: percent,
    identityWeight: percent,
    flaggedWeight: percent,
    newCustomerWeight: percent,
    highRiskCountries: names,
    mediumRiskCountries: names,
    mediumFrom: percent,
    highFrom: percent,
    approveBelow: percent,
    rejectFrom: percent,
  }),
);

export const DraftRequest = z
  .object({
    revision: wholeNumberIn(0, maxRevision).meta({
      description: "Of the draft that was read; 0 where there was none.",
    }),
    knowYourCustomerRules: z.array(KycRuleIn).max(500),
    transactionRules: z.array(RuleIn).max(500),
    dailyLimits: maybe(z.array(shape(wire.DailyLimit, z.object(amountMembers), limitFields)).max(200)),
    riskModel: maybe(RiskModelIn),
    transparencyProfiles: maybe(z.array(TransparencyProfileIn).max(50)).meta({
      description: "What must be known of sender and recipient, one profile at most for each origin country.",
    }),
    counter: maybe(CounterRulesIn).meta({
      description: "What counts of what staff do at the counter; nothing where left out.",
    }),
  })
  .meta({ id: "SaveCompliancePolicyDraftRequest" });

export const DraftPublication = z
  .object({ revision: wholeNumberIn(1, maxRevision) })
  .meta({ id: "PublishCompliancePolicyDraftRequest" });

export const DraftTrial = z.object({ from: instantIn, to: instantIn }).meta({ id: "TryCompliancePolicyDraftRequest" });

const Outcomes = z.object({ live: decision, draft: decision });

export const PolicyTrial = shape(
  wire.TryPolicyDraftResponse,
  z
    .object({
      liveVersion: z.number().int(),
      draftRevision: z.number().int(),
      transactions: z.number().int(),
      truncated: leaf.no,
      counts: z.array(shape(wire.DecisionCount, Outcomes.extend({ transactions: z.number().int() }))),
      differences: z.array(
        shape(
          wire.TrialDifference,
          Outcomes.extend({
            transactionId: leaf.transactionId,
            customerId: leaf.customerId,
            amount: decimalText,
            currency: z.string(),
            decidedAt: shown(instant, "2026-11-21T10:15:00.000Z").meta({ format: undefined }),
            liveRules: z.array(leaf.ruleId),
            draftRules: z.array(leaf.ruleId),
          }),
          { amount: "amount", currency: "amount.currency" },
        ),
      ),
      members: z.array(MemberCount).meta({
        description: "What transparency profiles ask for: how many were asked, and how many of them lack it.",
      }),
    })
    .meta({ id: "PolicyTrial" }),
);
