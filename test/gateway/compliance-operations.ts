import type { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import type { Sent } from "./edge.js";
import { sampleHit } from "./screening-operations.js";

const base = "/api/v6/services/compliance";
const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

type Request = Partial<Sent> & { method: string };
const row = (name: string, path: string, roles: readonly Role[], request: Request) => ({
  name,
  path: base + path,
  roles,
  request: { path: base + path, ...request },
});
const read = { method: "GET" };

/** A right request for every operation of compliance, beside the policy. */
export const complianceOperations = [
  row("verify contact", "/external-provider/verify-contact", ["AGENT"], {
    method: "POST",
    path: `${base}/external-provider/verify-contact?userId=u1&type=EMAIL`,
  }),
  row("policy versions", "/policy-versions", ["MANAGER"], read),
  row("policy version", "/policy-versions/{version}", ["MANAGER"], { ...read, path: `${base}/policy-versions/2` }),
  row("save policy draft", "/policy-draft/save", ["MANAGER"], {
    method: "PUT",
    body: {
      revision: 0,
      knowYourCustomerRules: [{ name: "E-mail", requirement: "EMAIL", mandatory: true }],
      transactionRules: [
        {
          name: "Structuring",
          action: "REVIEW",
          visibility: "STAFF",
          condition: {
            aggregates: [
              {
                measure: "COUNT",
                days: 5,
                comparison: "ABOVE",
                count: 2,
                band: { from: { amount: "9000", currency: "USD" }, below: { amount: "10000.00", currency: "USD" } },
              },
            ],
          },
        },
      ],
    },
  }),
  row("policy draft", "/policy-draft", ["MANAGER"], read),
  row("publish policy draft", "/policy-draft/publish", ["MANAGER"], { method: "POST", body: { revision: 1 } }),
  row("try policy draft", "/policy-draft/try", ["MANAGER"], {
    method: "POST",
    body: { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00+01:00" },
  }),
  row("customer compliance", "/customers/{customerId}", ["MANAGER", "AGENT", "CUSTOMER"], {
    ...read,
    path: `${base}/customers/c1`,
  }),
  row("risk scores", "/customers/{customerId}/risk-scores", ["MANAGER", "AGENT"], {
    ...read,
    path: `${base}/customers/c1/risk-scores?size=5`,
  }),
  row("checklist", "/pre-transaction-checklist", ["MANAGER", "AGENT", "CASHIER", "CUSTOMER"], {
    method: "POST",
    body: { customerId: "c1", amount: "12000.00", currency: "USD", originCountry: "US", receivingCountry: "NGA" },
  }),
  row("initiate compliance action", "/initiate-compliance-action", ["AGENT", "CUSTOMER"], { method: "POST", body: {} }),
  row("confirm e-mail", "/confirm-email", [], { ...read, path: `${base}/confirm-email?token=a.b` }),
  row("confirm phone", "/confirm-phone", ["CUSTOMER"], { method: "POST", body: { code: "123456" } }),
  row("upload document part", "/documents/parts", ["AGENT", "CUSTOMER"], {
    method: "POST",
    body: { uploadKey: "k1", offset: 0, content: "JVBERi0=" },
  }),
  row("submit document", "/documents/submit", ["AGENT", "CUSTOMER"], {
    method: "POST",
    body: { uploadKey: "k1", requirement: "SELFIE", fileName: "me.png", sizeBytes: 5 },
  }),
  row("documents", "/documents", ["MANAGER", "AGENT", "CUSTOMER"], {
    ...read,
    path: `${base}/documents?customerId=c1`,
  }),
  row("document content", "/documents/{documentId}/content", ["MANAGER", "AGENT"], {
    ...read,
    path: `${base}/documents/d1/content?offset=0`,
  }),
  row("review document", "/documents/{documentId}/review", ["MANAGER", "AGENT"], {
    method: "POST",
    path: `${base}/documents/d1/review`,
    body: { accept: true, reason: "seen" },
  }),
  row("reviews", "/reviews", ["MANAGER"], read),
  row("decide review", "/reviews/{transactionId}/decision", ["MANAGER"], {
    method: "POST",
    path: `${base}/reviews/t1/decision`,
    body: { approve: true, reason: "known" },
  }),
  row("request override", "/overrides/request", ["MANAGER", "AGENT"], {
    method: "POST",
    headers: { "x-idempotency-key": "key-1" },
    body: { customerId: "c1", customerStatus: "CONFIRMED", reason: "known" },
  }),
  row("overrides", "/overrides", ["MANAGER"], read),
  row("compliance audit", "/audit", ["MANAGER"], { ...read, path: `${base}/audit?subject=customer:c1` }),
];

const draft = {
  revision: 1,
  basedOn: 2,
  savedAt: at,
  savedBy: "u1",
  dailyLimits: [{ amount: usd(5_00n) }],
  riskModel: { countryWeight: 100, mediumFrom: 20, highFrom: 40, approveBelow: 50, rejectFrom: 80 },
  transactionRules: [
    {
      id: "r1",
      name: "Structuring",
      action: "RULE_ACTION_REVIEW",
      visibility: "VISIBILITY_STAFF",
      condition: {
        newBeneficiary: true,
        aggregates: [
          {
            measure: "MEASURE_COUNT",
            days: 5,
            comparison: "COMPARISON_ABOVE",
            count: 2n,
            band: { from: usd(9_000_00n), below: usd(10_000_00n) },
          },
        ],
      },
    },
  ],
} as const;
const score = {
  sequence: 1,
  score: 30,
  profile: "LOW",
  decision: "DECISION_APPROVED",
  policyVersion: 2,
  cause: "EMAIL verified",
  at,
  factors: [{ name: "COUNTRY", weight: 40, value: 0, points: 0, explanation: "low" }],
} as const;
const document = {
  documentId: "d1",
  customerId: "c1",
  requirement: "SELFIE",
  state: "DOCUMENT_STATE_SUBMITTED",
  fileName: "me.png",
  contentType: "image/png",
  sizeBytes: 10n,
  sha256: "ab",
  submittedAt: at,
  submittedBy: "u1",
} as const;
const override = {
  overrideId: "o1",
  customerId: "c1",
  status: "CUSTOMER_STATUS_CONFIRMED",
  reason: "known",
  state: "OVERRIDE_STATE_REQUESTED",
  requestedBy: "u1",
  requestedAt: at,
} as const;
const published = { version: 2, publishedAt: at, publishedBy: "u2", draftedBy: "u1" };
const fulfilled = { requirement: "EMAIL", state: "REQUIREMENT_STATE_FULFILLED" } as const;

/** What the played compliance answers. */
export const complianceSamples = {
  verifyContact: async () => ({ type: "CONTACT_TYPE_EMAIL", verified: true, rawProviderResponse: "{}" }),
  listPolicyVersions: async () => ({ versions: [published], nextCursor: "2" }),
  savePolicyDraft: async () => ({ draft: draft as never }),
  getPolicyDraft: async () => ({ draft: draft as never }),
  publishPolicyDraft: async () => ({ policy: published }),
  tryPolicyDraft: async () => ({
    liveVersion: 2,
    draftRevision: 1,
    transactions: 1,
    counts: [{ live: "DECISION_APPROVED", draft: "DECISION_REVIEW", transactions: 1 }],
    differences: [
      {
        transactionId: "t1",
        customerId: "c1",
        amount: usd(5_00n),
        decidedAt: at,
        live: "DECISION_APPROVED",
        draft: "DECISION_REVIEW",
        draftRules: ["r1"],
      },
    ],
  }),
  getCustomerCompliance: async () => ({
    customer: {
      customerId: "c1",
      status: "CUSTOMER_STATUS_CONFIRMED",
      decision: "DECISION_APPROVED",
      policyVersion: 2,
      requirements: [
        {
          requirementId: "email",
          kind: "EMAIL",
          state: "REQUIREMENT_STATE_FULFILLED",
          mandatory: true,
          cycle: 1,
          createdAt: at,
          fulfilledAt: at,
        },
      ],
      risk: score as never,
    },
  }),
  listRiskScores: async () => ({ scores: [score as never] }),
  getChecklist: async () => ({
    decision: "DECISION_PENDING",
    status: "CUSTOMER_STATUS_CONFIRMED",
    items: [{ requirement: "SOURCE_OF_FUNDS", state: "REQUIREMENT_STATE_OUTSTANDING", origin: "TRANSACTION" }],
    leftToday: usd(5_00n),
  }),
  initiateComplianceAction: async () => ({
    actions: [{ requirementId: "email", requirement: "EMAIL", action: "LINK_SENT", expiresAt: at }],
  }),
  confirmContact: async () => fulfilled,
  uploadDocumentPart: async () => ({}),
  submitDocument: async () => ({ document }),
  listDocuments: async () => ({ documents: [document] }),
  readDocument: async () => ({ document, content: Buffer.from("hello") }),
  reviewDocument: async () => ({ document }),
  listReviews: async () => ({
    reviews: [
      {
        transactionId: "t1",
        customerId: "c1",
        amount: usd(5_00n),
        originCountry: "USA",
        receivingCountry: "NGA",
        decision: "DECISION_REVIEW",
        matchedRules: ["r1"],
        policyVersion: 2,
        decidedAt: at,
        reason: "SCREENING_HIT",
        screeningIds: ["screening-1"],
        caseId: "case-1",
        caseAssignee: "user-1",
        customerName: "Ada Lovelace",
        customerNameState: "KNOWN",
        recipient: "B-1",
        recipientName: "Ivan Petrov",
        hits: [sampleHit],
      },
    ],
  }),
  decideReview: async () => ({ decision: "DECISION_APPROVED" }),
  requestOverride: async () => ({ override }),
  listOverrides: async () => ({ overrides: [override] }),
  listAuditEntries: async () => ({
    entries: [
      {
        entryId: "e1",
        at,
        actor: "u1",
        role: "MANAGER",
        action: "policy.publish",
        subject: "policy",
        subjects: ["policy"],
        content: "{}",
      },
    ],
  }),
} satisfies Partial<Handlers<ComplianceServiceDefinition>>;
