import type { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { sampleHit } from "./screening-operations.js";
const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });

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
