import { z } from "zod";
import { decisions } from "../../services/platform/events/shapes/customer-compliance-shape.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route, type Route } from "../route.js";
import { decimalText, instantIn } from "../schema.js";
import { enumName, filled, moneyText, timeText } from "../wire.js";
import { v6 } from "./base.js";
import {
  draftFromWire,
  PolicyVersion,
  PublishedPolicy,
  publishedFromWire,
  StoredDraft,
  versionFromWire,
} from "./compliance-shapes.js";
import { cursorQuery, nextCursorOf, pageOf } from "./cursor-pages.js";
import { whole, DraftRequest, draftToWire } from "./compliance-draft-shape.js";

const base = `${v6}/compliance`;

/** Ours */
export const listCompliancePolicyVersions = route({
  method: "get",
  path: `${base}/policy-versions`,
  operationId: "listCompliancePolicyVersions",
  tag: "Compliance",
  summary: "List the published versions of the compliance policy, newest first",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  query: cursorQuery,
  answer: z.object({ versions: z.array(PolicyVersion), nextCursor: z.string().optional() }),
  message: "Policy versions",
  example: { as: "manager@demo.example" },
  run: async ({ query, call, clients }) => {
    const answer = await clients.compliance.listPolicyVersions(pageOf(query), outgoing(call));
    return { versions: answer.versions.map(versionFromWire), ...nextCursorOf(answer) };
  },
});

/** Ours */
export const readCompliancePolicyVersion = route({
  method: "get",
  path: `${base}/policy-versions/:version`,
  operationId: "readCompliancePolicyVersion",
  tag: "Compliance",
  summary: "Read a published version of the compliance policy",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  params: z.object({ version: z.string().regex(/^[1-9]\d{0,8}$/, "must be a version") }),
  answer: PublishedPolicy,
  message: "Compliance policy",
  example: { as: "manager@demo.example", params: { version: "1" } },
  run: async ({ params, call, clients }) => {
    const answer = await clients.compliance.getPolicy({ version: Number(params.version) }, outgoing(call));
    return publishedFromWire(filled(answer.policy, "policy"));
  },
});

/** Ours */
export const saveCompliancePolicyDraft = route({
  method: "put",
  path: `${base}/policy-draft/save`,
  operationId: "saveCompliancePolicyDraft",
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
    },
  },
  run: async ({ body, call, clients }) => {
    const { draft } = await clients.compliance.savePolicyDraft(draftToWire(body), outgoing(call));
    return draftFromWire(filled(draft, "draft"));
  },
});

/** Ours */
export const readCompliancePolicyDraft = route({
  method: "get",
  path: `${base}/policy-draft`,
  operationId: "readCompliancePolicyDraft",
  tag: "Compliance",
  summary: "Read the draft of the next compliance policy, or what one begins from where none is saved",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  answer: StoredDraft,
  message: "Draft",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const { draft } = await clients.compliance.getPolicyDraft({}, outgoing(call));
    return draftFromWire(filled(draft, "draft"));
  },
});

/** Ours: another manager than the draft's author. */
export const publishCompliancePolicyDraft = route({
  method: "post",
  path: `${base}/policy-draft/publish`,
  operationId: "publishCompliancePolicyDraft",
  tag: "Compliance",
  summary: "Publish the draft, which another manager has written, as the next version",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  body: z.object({ revision: whole(1, 1_000_000) }).meta({ id: "PublishCompliancePolicyDraftRequest" }),
  answer: PolicyVersion,
  message: "Policy published",
  // The author of a draft may not publish it.
  example: { as: "manager@demo.example", body: { revision: 1 }, answers: 403 },
  run: async ({ body, call, clients }) => {
    const { policy } = await clients.compliance.publishPolicyDraft({ revision: body.revision }, outgoing(call));
    return versionFromWire(filled(policy, "policy"));
  },
});

const Outcomes = z.object({ live: z.enum(decisions), draft: z.enum(decisions) });

/** Ours */
export const tryCompliancePolicyDraft = route({
  method: "post",
  path: `${base}/policy-draft/try`,
  operationId: "tryCompliancePolicyDraft",
  tag: "Compliance",
  summary: "Decide past transactions once more by the draft, beside the live policy, and see what would change",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  body: z.object({ from: instantIn, to: instantIn }).meta({ id: "TryCompliancePolicyDraftRequest" }),
  answer: z
    .object({
      liveVersion: z.number().int(),
      draftRevision: z.number().int(),
      transactions: z.number().int(),
      truncated: z.boolean(),
      counts: z.array(Outcomes.extend({ transactions: z.number().int() })),
      differences: z.array(
        Outcomes.extend({
          transactionId: z.string(),
          customerId: z.string(),
          amount: decimalText,
          currency: z.string(),
          decidedAt: z.string(),
          liveRules: z.array(z.string()),
          draftRules: z.array(z.string()),
        }),
      ),
    })
    .meta({ id: "PolicyTrial" }),
  message: "Trial of the draft",
  example: {
    as: "manager@demo.example",
    body: { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" },
  },
  run: async ({ body, call, clients }) => {
    const request = { from: new Date(body.from), to: new Date(body.to) };
    const trial = await clients.compliance.tryPolicyDraft(request, outgoing(call));
    const { liveVersion, draftRevision, transactions, truncated } = trial;
    const kind = (decision: string) => enumName(decision, "DECISION_") as (typeof decisions)[number];
    return {
      liveVersion,
      draftRevision,
      transactions,
      truncated,
      counts: trial.counts.map((count) => ({ ...count, live: kind(count.live), draft: kind(count.draft) })),
      differences: trial.differences.map(({ amount, decidedAt, live, draft, ...rest }) => ({
        ...rest,
        live: kind(live),
        draft: kind(draft),
        amount: moneyText(amount, "difference.amount"),
        currency: filled(amount, "difference.amount").currency,
        decidedAt: timeText(decidedAt, "difference.decided_at"),
      })),
    };
  },
});

export const compliancePolicyRoutes: readonly Route[] = [
  listCompliancePolicyVersions,
  readCompliancePolicyVersion,
  saveCompliancePolicyDraft,
  readCompliancePolicyDraft,
  publishCompliancePolicyDraft,
  tryCompliancePolicyDraft,
];
