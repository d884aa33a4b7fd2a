import type { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { sampleHit } from "./screening-operations.js";
const at = new Date("2026-11-21T10:15:00.000Z");
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
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

/** What the played compliance answers. */
export const complianceSamples = {
  readDocument: async () => ({ document, content: Buffer.from("hello") }),
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
} satisfies Partial<Handlers<ComplianceServiceDefinition>>;
