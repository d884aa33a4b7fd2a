import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { requireUser } from "../../services/kernel/grpc/context.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, everyRole, v6 } from "../route.js";
import { maybe, text, cursorQuery, idIn } from "../schema.js";
import { CompliancePolicy } from "../shapes/compliance-policy.js";
import {
  Checklist,
  ChecklistRequest,
  ComplianceActions,
  ConfirmedContact,
  contactType,
  ContactVerification,
  CustomerCompliance,
  RiskScore,
} from "../shapes/compliance.js";
import { complianceDocumentRoutes } from "./compliance-files.js";
import { compliancePolicyRoutes } from "./compliance-policy.js";
import { complianceReviewRoutes } from "./compliance-reviews.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/compliance`;
const customerPath = z.object({ customerId: idIn });
const ownCustomer = { "params.customerId": "login user.customer_id" };
const policyFromWire = readerOf(CompliancePolicy);

/** §4.2: a customer sees what is meant for everybody, and no conditions. */
const listOrganisationCompliancePolicy = route({
  method: "get",
  path: `${base}/list-organisation-compliance-policy`,
  contract: true,
  tag: "Compliance",
  summary: "Read the organisation's identity and transaction rules",
  access: everyRole,
  scopes: ["compliance:read"],
  answer: CompliancePolicy,
  message: "Organisation compliance policy",
  example: {
    as: "amina@demo.example",
    answer: {
      knowYourCustomerRules: [
        {
          validityDays: undefined,
          id: "kyc-email",
          name: "E-mail address confirmed",
          description: "",
          requirement: "EMAIL",
          riskProfiles: ["LOW", "MEDIUM", "HIGH"],
          countries: [],
        },
        { riskProfiles: ["MEDIUM", "HIGH"], countries: [] },
      ],
      transactionRules: [
        {
          validityDays: undefined,
          condition: undefined,
          description: "Transfers of 10,000 USD and more need a proof of where the money comes from",
        },
      ],
    },
  },
  run: async ({ call, clients }) => {
    const policy = policyFromWire((await clients.compliance.getPolicy({}, outgoing(call))).policy);
    if (requireUser(call).role !== "CUSTOMER") return policy;
    const shown = policy.transactionRules.filter(({ visibility }) => visibility === "PUBLIC");
    return { ...policy, transactionRules: shown.map((rule) => ({ ...rule, condition: undefined })) };
  },
});

/** §4.4 */
const verifyContact = operation({
  method: "post",
  path: `${base}/external-provider/verify-contact`,
  contract: true,
  tag: "Compliance",
  summary: "Have a customer's e-mail address or phone number verified by the external provider",
  access: ["AGENT"],
  scopes: ["customers:verify", "kyc:perform"],
  query: z.object({
    userId: text(128).meta({ description: "The customer's user id, from register-customer." }),
    type: contactType,
  }),
  answer: ContactVerification,
  message: "Contact verification",
  example: { as: "agent@demo.example", query: { userId: "somebody-unknown", type: "EMAIL" } },
  rpc: "compliance.verifyContact",
});

const readCustomerCompliance = operation({
  method: "get",
  path: `${base}/customers/:customerId`,
  tag: "Compliance",
  summary: "Read a customer's status, requirements and, for staff, risk",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["compliance:read"],
  params: customerPath,
  answer: CustomerCompliance,
  message: "Customer compliance",
  example: { as: "amina@demo.example", params: { customerId: "the-customer" }, from: ownCustomer },
  rpc: "compliance.getCustomerCompliance",
});

const listRiskScores = operation({
  method: "get",
  path: `${base}/customers/:customerId/risk-scores`,
  tag: "Compliance",
  summary: "List how a customer's risk score came about, newest first",
  access: ["MANAGER", "AGENT"],
  scopes: ["compliance:read"],
  params: customerPath,
  query: cursorQuery,
  answer: z.object({ scores: z.array(RiskScore), nextCursor: leaf.nextCursor.optional() }),
  message: "Risk scores",
  example: { as: "manager@demo.example", params: { customerId: "the-customer" }, from: ownCustomer },
  rpc: "compliance.listRiskScores",
});

/** §4.2 speaks of it. */
const preTransactionChecklist = operation({
  method: "post",
  path: `${base}/pre-transaction-checklist`,
  tag: "Compliance",
  summary: "See what is missing before a customer could send this amount this way; decides and reserves nothing",
  access: everyRole,
  scopes: ["compliance:read"],
  body: ChecklistRequest,
  answer: Checklist,
  message: "Pre-transaction checklist",
  example: {
    as: "amina@demo.example",
    body: { amount: "12000.00", currency: "USD", originCountry: "USA", receivingCountry: "NGA" },
  },
  rpc: "compliance.getChecklist",
  fields: { amount: "amount", currency: "amount.currency" },
});

/** §4.4 speaks of it. */
const initiateComplianceAction = operation({
  method: "post",
  path: `${base}/initiate-compliance-action`,
  tag: "Compliance",
  summary: "Send the e-mail link and the phone code that are outstanding, unless the agent configuration forwards them",
  access: ["AGENT", "CUSTOMER"],
  scopes: ["kyc:perform", "profile:update"],
  body: z.object({ customerId: maybe(idIn) }).meta({ id: "InitiateComplianceActionRequest" }),
  answer: ComplianceActions,
  message: "Compliance action initiated",
  example: { as: "amina@demo.example", body: {} },
  rpc: "compliance.initiateComplianceAction",
});

/** Where the link of the mail leads. */
const confirmEmail = operation({
  method: "get",
  path: `${base}/confirm-email`,
  tag: "Compliance",
  summary: "Confirm an e-mail address by the link that was sent to it",
  access: "anyone",
  sdk: { isUsedUp: true },
  query: z.object({ token: text(256) }),
  answer: ConfirmedContact,
  message: "E-mail address confirmed",
  example: { query: { token: "of-the-link" }, answers: 422 },
  rpc: "compliance.confirmContact",
  answerFields: { status: "state" },
});

const confirmPhone = operation({
  method: "post",
  path: `${base}/confirm-phone`,
  tag: "Compliance",
  summary: "Confirm one's phone number by the code that was sent to it: five tries, ten minutes",
  access: ["CUSTOMER"],
  peopleOnly: "codes",
  body: z.object({ code: text(16) }).meta({ id: "ConfirmPhoneRequest" }),
  answer: ConfirmedContact,
  message: "Phone number confirmed",
  example: { as: "kofi@demo.example", body: { code: "123456" }, answers: 422 },
  rpc: "compliance.confirmContact",
  answerFields: { status: "state" },
});

/** In the order in which the documentation shows them. */
export const complianceRoutes = {
  listOrganisationCompliancePolicy,
  verifyContact,
  ...compliancePolicyRoutes,
  readCustomerCompliance,
  listRiskScores,
  preTransactionChecklist,
  initiateComplianceAction,
  confirmEmail,
  confirmPhone,
  ...complianceDocumentRoutes,
  ...complianceReviewRoutes,
};
