import { z } from "zod";
import type { KnowYourCustomerRule, RuleCondition, TransactionRule } from "../../proto/gen/compliance/v1/compliance.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { requireUser, type UserPrincipal } from "../../services/shared/grpc/context.js";
import { route } from "../route.js";
import { decimalText } from "../schema.js";
import { enumName, filled, moneyText } from "../wire.js";
import { everyRole, v6 } from "./base.js";

const KycRule = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    requirement: z.string(),
    mandatory: z.boolean(),
    riskProfiles: z.array(z.string()),
    countries: z.array(z.string()).meta({ description: "ISO 3166-1 alpha-3; empty means all." }),
    validityDays: z.number().int().optional(),
  })
  .meta({ id: "KycRule" });

const Rule = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    requiredDocuments: z.array(z.string()),
    action: z.enum(["REQUIRE_DOCUMENTS", "REVIEW", "REJECT"]),
    visibility: z.enum(["PUBLIC", "STAFF"]),
    condition: z
      .object({
        amountAtLeast: z.object({ amount: decimalText, currency: z.string() }).optional(),
        originCountries: z.array(z.string()),
        receivingCountries: z.array(z.string()),
      })
      .optional()
      .meta({ description: "For staff only." }),
  })
  .meta({ id: "TransactionRule" });

const CompliancePolicy = z
  .object({ knowYourCustomerRules: z.array(KycRule), transactionRules: z.array(Rule) })
  .meta({ id: "CompliancePolicy" });

/** §4.2 */
export const listOrganisationCompliancePolicy = route({
  method: "get",
  path: `${v6}/compliance/list-organisation-compliance-policy`,
  operationId: "listOrganisationCompliancePolicy",
  tag: "Compliance",
  summary: "Read the organisation's identity and transaction rules",
  access: everyRole,
  answer: CompliancePolicy,
  message: "Organisation compliance policy",
  example: { as: "amina@demo.example" },
  run: async ({ call, clients }) => {
    const answer = await clients.compliance.getPolicy({}, outgoing(call));
    const policy = filled(answer.policy, "policy");
    const user = requireUser(call);
    return {
      knowYourCustomerRules: policy.knowYourCustomerRules.map(kycRuleFromWire),
      transactionRules: policy.transactionRules
        .filter((rule) => isStaff(user) || rule.visibility === "VISIBILITY_PUBLIC")
        .map((rule) => ruleFromWire(rule, isStaff(user))),
    };
  },
});

function isStaff(user: UserPrincipal): boolean {
  return user.role !== "CUSTOMER";
}

function kycRuleFromWire(rule: KnowYourCustomerRule): z.output<typeof KycRule> {
  const { id, name, description, requirement, mandatory, riskProfiles, countries, validityDays } = rule;
  return { id, name, description, requirement, mandatory, riskProfiles, countries, validityDays };
}

function ruleFromWire(rule: TransactionRule, forStaff: boolean): z.output<typeof Rule> {
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    requiredDocuments: rule.requiredDocuments,
    action: enumName(rule.action, "RULE_ACTION_") as "REQUIRE_DOCUMENTS" | "REVIEW" | "REJECT",
    visibility: enumName(rule.visibility, "VISIBILITY_") as "PUBLIC" | "STAFF",
    condition: forStaff && rule.condition ? conditionFromWire(rule.condition) : undefined,
  };
}

function conditionFromWire({ amountAtLeast, originCountries, receivingCountries }: RuleCondition) {
  return {
    amountAtLeast: amountAtLeast && {
      amount: moneyText(amountAtLeast, "condition.amount_at_least"),
      currency: amountAtLeast.currency,
    },
    originCountries,
    receivingCountries,
  };
}
