import { z } from "zod";
import * as wire from "../../proto/gen/wallet/v1/agents.js";
import { shape, writerOf } from "../codec.js";
import {
  currencyCode,
  decimalText,
  instant,
  maybe,
  moneyTextOrNumberIn,
  reasonIn,
  shown,
  text,
  wholeNumberIn,
} from "../schema.js";

const bases = z.enum(["FEE", "PRINCIPAL", "FX_MARGIN", "FIXED"]);
const kinds = z.enum(["SLAB", "MARGINAL"]).meta({
  description: "The whole amount by its tier's rate, or each part by the rate of its own.",
});
const bps = shown(z.int(), 35).meta({ description: "Hundredths of a percent." });
const bpsIn = wholeNumberIn(0, 10_000).meta({ description: "Hundredths of a percent." });

const Tier = shape(
  wire.CommissionTier,
  z.object({ upTo: shown(decimalText, "100.00").optional(), bps }).meta({ id: "CommissionTier" }),
);
const TierIn = shape(
  wire.CommissionTier,
  z
    .object({
      upTo: maybe(moneyTextOrNumberIn).meta({ description: "In it; absent of the last one alone." }),
      bps: bpsIn,
    })
    .meta({ id: "CommissionTierWritten" }),
);

const Rule = shape(
  wire.CommissionRule,
  z
    .object({
      basis: bases,
      fixed: shown(decimalText, "0.75").optional(),
      bps: bps.optional(),
      tierKind: kinds.optional(),
      tiers: z.array(Tier),
      minimum: shown(decimalText, "0.50").optional(),
      maximum: shown(decimalText, "20.00").optional(),
    })
    .meta({ id: "CommissionRule" }),
);
const RuleIn = shape(
  wire.CommissionRule,
  z
    .object({
      basis: bases,
      fixed: maybe(moneyTextOrNumberIn).meta({ description: "Of FIXED." }),
      bps: maybe(bpsIn),
      tierKind: maybe(kinds),
      tiers: maybe(z.array(TierIn).max(20)).meta({ description: "In place of one rate, each above the one before." }),
      minimum: maybe(moneyTextOrNumberIn),
      maximum: maybe(moneyTextOrNumberIn),
    })
    .meta({ id: "CommissionRuleWritten" }),
);

const Share = shape(
  wire.CommissionShare,
  z.object({ party: shown(z.string(), "AGENT"), bps: shown(z.int(), 10_000) }).meta({ id: "CommissionShare" }),
);
const planIdIn = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, "is not an id");
const ShareIn = shape(
  wire.CommissionShare,
  z
    .object({
      party: planIdIn.meta({ description: "AGENT, or another; as a planId." }),
      bps: bpsIn,
    })
    .meta({ id: "CommissionShareWritten" }),
);

export const CommissionPlan = shape(
  wire.CommissionPlan,
  z
    .object({
      planId: shown(z.string(), "STANDARD"),
      version: shown(z.int(), 1),
      name: shown(z.string(), "Standard agents"),
      currency: z.string(),
      rules: z.array(Rule),
      split: z.array(Share).meta({ description: "Empty where all of it is the agent's." }),
      putBy: z.string().meta({ description: "User id of whoever asked for it." }),
      putAt: instant,
    })
    .meta({ id: "CommissionPlan" }),
);
export const CommissionPlanIn = shape(
  wire.CommissionPlan,
  z.object({
    planId: planIdIn.meta({ description: "Of letters, digits, dots, dashes and underscores, at most 64." }),
    name: text(100),
    currency: currencyCode,
    rules: z.array(RuleIn).min(1).max(5).meta({ description: "What each comes to is rounded half-even, and added." }),
    split: maybe(z.array(ShareIn).max(10)).meta({
      description: "Comes to 10,000; by largest remainder, what is left over to whoever is named first.",
    }),
  }),
);

export const planOf = writerOf(CommissionPlanIn);

const modes = z.enum(["TILL", "ACCOUNT"]).meta({
  description:
    "TILL: customers' cash is the organisation's, in the agent's till. ACCOUNT: it is the agent's, whose account pays for what they sell.",
});
const methods = z.enum(["ACCOUNTPAYMENT", "MOBILE_MONEY", "CASH_PICKUP", "WALLET"]);

const Terms = shape(
  wire.AgentTerms,
  z
    .object({
      currency: z.string(),
      perTransaction: shown(decimalText, "1000.00").optional(),
      perDay: shown(decimalText, "10000.00").optional(),
      commissionPlanId: shown(z.string(), "STANDARD").optional(),
      creditLine: shown(decimalText, "3000.00").optional(),
      alarmShare: shown(z.int(), 80).optional(),
      usedToday: shown(decimalText, "102.69").optional().meta({
        description: "Of perDay, by sales of the business day; where one agent is read.",
      }),
    })
    .meta({ id: "AgentTerms" }),
);
const TermsIn = shape(
  wire.AgentTerms,
  z
    .object({
      currency: currencyCode,
      perTransaction: maybe(moneyTextOrNumberIn).meta({ description: "No limit when absent." }),
      perDay: maybe(moneyTextOrNumberIn).meta({ description: "Of a business day; no limit when absent." }),
      commissionPlanId: maybe(planIdIn).meta({ description: "Its newest version counts; no commission when absent." }),
      creditLine: maybe(moneyTextOrNumberIn).meta({
        description: "Of mode ACCOUNT: how far below zero the account may come; not below what is used.",
      }),
      alarmShare: maybe(wholeNumberIn(1, 100)).meta({
        description: "Of mode ACCOUNT, percent of what may be used: agent.float_low is told once when so much is used.",
      }),
    })
    .meta({ id: "AgentTermsWritten" }),
);

export const AgentConfiguration = shape(
  wire.AgentConfiguration,
  z
    .object({
      agentId: z.string().meta({ description: "User id." }),
      version: shown(z.int(), 1),
      mode: modes,
      corridors: z.array(shown(z.string(), "USA-NGA")).meta({ description: "All where empty." }),
      methods: z.array(z.string()).meta({ description: "All where empty." }),
      terms: z.array(Terms).meta({ description: "Of each currency that the agent sells in." }),
      doNotForwardEmailVerification: z.boolean().optional().meta({ description: "The organisation's where absent." }),
      doNotForwardPhoneVerification: z.boolean().optional().meta({ description: "The organisation's where absent." }),
      status: z.enum(["ACTIVE", "SUSPENDED"]),
      reason: z.string().meta({ description: "Of the latest change." }),
      changedBy: z.string().meta({ description: "User id." }),
      changedAt: instant,
    })
    .meta({ id: "AgentConfiguration" }),
);

export const AgentConfigurationIn = z
  .object({
    mode: modes,
    corridors: maybe(z.array(text(7)).max(100)).meta({ description: "Such as USA-NGA; all when absent or empty." }),
    methods: maybe(z.array(methods).max(4)).meta({ description: "All when absent or empty." }),
    terms: z.array(TermsIn).min(1).max(10).meta({ description: "The agent sells in these currencies alone." }),
    doNotForwardEmailVerification: maybe(z.boolean()).meta({
      description: "An outside provider vouches for their customers' e-mail addresses; the organisation's when absent.",
    }),
    doNotForwardPhoneVerification: maybe(z.boolean()).meta({
      description: "An outside provider vouches for their customers' phone numbers; the organisation's when absent.",
    }),
    reason: reasonIn,
  })
  .meta({ id: "AgentConfigurationRequest" });
