import { z } from "zod";
import { operation } from "../operation.js";
import {
  DraftPublication,
  DraftRequest,
  DraftTrial,
  PolicyTrial,
  PolicyVersion,
  PublishedPolicy,
  StoredDraft,
} from "../shapes/compliance-policy.js";
import { v6 } from "../route.js";
import { cursorQuery } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const readByManagers = { tag: "Compliance", access: ["MANAGER"], scopes: ["compliance:read"] } as const;

const base = `${v6}/compliance`;

const listCompliancePolicyVersions = operation({
  ...readByManagers,
  method: "get",
  path: `${base}/policy-versions`,
  summary: "List the published versions of the compliance policy, newest first",
  query: cursorQuery,
  answer: z.object({ versions: z.array(PolicyVersion), nextCursor: leaf.nextCursor.optional() }),
  message: "Policy versions",
  example: { as: "manager@demo.example" },
  rpc: "compliance.listPolicyVersions",
});

const readCompliancePolicyVersion = operation({
  ...readByManagers,
  method: "get",
  path: `${base}/policy-versions/:version`,
  summary: "Read a published version of the compliance policy",
  params: z.object({ version: z.string().regex(/^[1-9]\d{0,8}$/, "must be a version") }),
  answer: PublishedPolicy,
  message: "Compliance policy",
  example: { as: "manager@demo.example", params: { version: "1" } },
  rpc: "compliance.getPolicy",
});

const saveCompliancePolicyDraft = operation({
  method: "put",
  path: `${base}/policy-draft/save`,
  tag: "Compliance",
  summary: "Write the draft of the next compliance policy; each fault is named by its path",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  body: DraftRequest,
  answer: StoredDraft,
  message: "Draft saved",
  example: {
    as: "manager@demo.example",
    body: {
      revision: 0,
      knowYourCustomerRules: [
        { id: "kyc-email", name: "E-mail address confirmed", requirement: "EMAIL", mandatory: true },
        { id: "kyc-phone", name: "Phone number confirmed", requirement: "PHONE_NUMBER", mandatory: true },
      ],
      transactionRules: [
        {
          id: "cash-day",
          name: "More than 10,000 USD in cash on a day",
          action: "REVIEW",
          visibility: "STAFF",
          condition: {
            aggregates: [
              {
                measure: "SUM",
                days: 1,
                comparison: "ABOVE",
                amount: { amount: "10000.00", currency: "USD" },
                sourcesOfFunds: ["CASH"],
              },
            ],
          },
        },
      ],
      dailyLimits: [{ amount: "20000.00", currency: "USD" }],
      counter: { seenDocuments: true, optionalContacts: ["EMAIL"] },
      transparencyProfiles: [
        {
          profile: "US_BSA",
          originCountries: ["USA"],
          rows: [{ amount: { amount: "500.00", currency: "USD" }, funding: "CASH", isVerified: true }],
        },
      ],
    },
  },
  rpc: "compliance.savePolicyDraft",
});

const readCompliancePolicyDraft = operation({
  ...readByManagers,
  method: "get",
  path: `${base}/policy-draft`,
  summary: "Read the draft of the next compliance policy, or what one begins from where none is saved",
  answer: StoredDraft,
  message: "Draft",
  example: { as: "manager@demo.example" },
  rpc: "compliance.getPolicyDraft",
});

/** Another manager than the draft's author. */
const publishCompliancePolicyDraft = operation({
  method: "post",
  path: `${base}/policy-draft/publish`,
  tag: "Compliance",
  summary: "Publish the draft, which another manager has written, as the next version",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  body: DraftPublication,
  answer: PolicyVersion,
  message: "Policy published",
  // The author of a draft may not publish it.
  example: { as: "manager@demo.example", body: { revision: 1 }, answers: 403 },
  rpc: "compliance.publishPolicyDraft",
  gives: "policy",
});

const tryCompliancePolicyDraft = operation({
  ...readByManagers,
  method: "post",
  path: `${base}/policy-draft/try`,
  summary: "Decide past transactions once more by the draft, beside the live policy, and see what would change",
  body: DraftTrial,
  answer: PolicyTrial,
  message: "Trial of the draft",
  example: {
    as: "manager@demo.example",
    body: { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" },
  },
  rpc: "compliance.tryPolicyDraft",
});

export const compliancePolicyRoutes = {
  listCompliancePolicyVersions,
  readCompliancePolicyVersion,
  saveCompliancePolicyDraft,
  readCompliancePolicyDraft,
  publishCompliancePolicyDraft,
  tryCompliancePolicyDraft,
};
