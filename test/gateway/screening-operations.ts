import type { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
const at = new Date("2026-11-21T10:15:00.000Z");

const content = {
  lists: ["OFAC_SDN", "UN"],
  threshold: 785,
  otherYearOfBirth: "LOWER",
  yearTolerance: 1,
  staleAfterHours: 72,
  rescreenAfterDays: 30,
  blocksSender: true,
};

const subject = { kind: "RECIPIENT", id: "c1/B-1", customerId: "c1", name: "Ivan Petrov" };
const entry = {
  entryId: "2674",
  source: "UN",
  kind: "PERSON",
  names: ["IVAN PETROV", "Иван Петров"],
  datesOfBirth: ["1961", "1958/1962"],
  countries: ["RUS"],
  documents: [{ type: "PASSPORT", number: "A1", country: "RUS" }],
  programmes: ["DPRK"],
};
const hit = {
  hitId: "1",
  entry,
  matchedName: "IVAN PETROV",
  score: 940,
  parts: [
    { part: "GIVEN", ours: "ivan", theirs: "ivan", score: 1000, effect: 480 },
    { part: "FAMILY", ours: "petrov", theirs: "petrov", score: 1000, effect: 500 },
    { part: "COUNTRY", ours: "NGA", theirs: "RUS", score: 0, effect: -40 },
  ],
  state: "OPEN",
  listId: "list-1",
  listVersion: 3,
};
/** Of a hit and a transaction, as they stand in rows of queues and in approvals. */
export const sampleHit = {
  screeningId: "screening-1",
  hitId: "1",
  subject,
  screenedAt: at,
  policyVersion: 2,
  source: "UN",
  listVersion: 3,
  entryId: "2674",
  matchedName: hit.matchedName,
  score: hit.score,
  parts: hit.parts,
  state: "OPEN",
};
export const sampleCaseTransaction = {
  transactionId: "tx-1",
  transactionCode: "MT-1",
  customerId: "c1",
  operation: "REMITTANCE",
  amount: { amountMinor: 10_000n, currency: "USD" },
  originCountry: "USA",
  receivingCountry: "NGA",
  receivingCurrency: "NGN",
  recipient: "B-1",
  recipientName: "Ivan Petrov",
  askedAt: at,
  decision: "REVIEW",
  decidedBy: "rules",
  decidedAt: at,
  status: "AWAITING_COMPLIANCE",
  statusSince: at,
};
export const sampleScreening = () => sample;
const sample = {
  screeningId: "screening-1",
  subject,
  trigger: "TRANSACTION",
  lists: [{ source: "UN", listId: "list-1", version: 3 }],
  policyVersion: 2,
  status: "IN_REVIEW",
  hits: [hit],
  transactionIds: ["tx-1"],
  caseId: "case-1",
  screenedAt: at,
};
const decided = { decidedBy: "u1", reason: "born later", decidedAt: at };
const decideHit = async ({ decision }: { decision: string }) =>
  decision === "CONFIRMED"
    ? withHit({ state: "CONFIRMATION_ASKED", approvalId: "approval-1" })
    : withHit({ state: "FALSE_POSITIVE", ...decided, exemptionId: "exemption-1", exemptUntil: at });
const withHit = (part: object) => ({ screening: { ...sample, hits: [{ ...hit, ...part }] } });
const draft = { revision: 1, basedOn: 0, content, savedAt: at, savedBy: "u1" };
const exemption = {
  exemptionId: "exemption-1",
  subject,
  source: "UN",
  entryId: "2674",
  reason: "born later",
  until: at,
  madeBy: "u1",
  madeAt: at,
  state: "VALID",
};

/** What the played screening answers. */
export const screeningSamples = {
  getScreeningPolicy: async () => ({ policy: { ...content, version: 0 } }),
  saveScreeningPolicyDraft: async () => ({ draft }),
  listScreenings: async () => ({ screenings: [sample], nextCursor: "screening-1" }),
  searchScreeningLists: async () => ({
    screening: { ...sample, subject: { kind: "SEARCH", id: "screening-1", name: "Ivan Petrov" }, trigger: "MANUAL" },
  }),
  getScreening: async () => ({ screening: sample }),
  describeHits: async ({ approvals }) => ({
    approvals: approvals.map(({ approvalId }) => ({
      approvalId,
      hits: ["1", "2"].map((hitId) => ({ ...sampleHit, hitId, state: "CONFIRMATION_ASKED" })),
      caseId: "case-1",
      transactionCount: 1,
      transactions: [sampleCaseTransaction],
    })),
  }),
  decideHit,
  decideHits: decideHit,
  releaseConfirmedHit: async () =>
    withHit({
      state: "CONFIRMED",
      approvalId: "approval-2",
      ...decided,
      agreed: { by: "u2", reason: "I agree", at },
      release: {
        transactions: "REFUND",
        asked: { by: "u1", reason: "the authority agreed", at },
        approvalId: "approval-2",
      },
    }),
  endScreeningExemption: async () => ({
    exemption: { ...exemption, state: "ENDED", ended: { by: "u1", reason: "moved", at } },
  }),
} satisfies Partial<Handlers<ScreeningServiceDefinition>>;
