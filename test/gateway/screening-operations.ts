import type { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import type { Sent } from "./edge.js";

const base = "/api/v6/services/compliance";
const at = new Date("2026-11-21T10:15:00.000Z");

const row = (name: string, path: string, request: Partial<Sent> & { method: string }) => ({
  name,
  path: base + path,
  roles: ["MANAGER"] as const,
  request: {
    path:
      base +
      path.replace("{screeningId}", "screening-1").replace("{hitId}", "1").replace("{exemptionId}", "exemption-1"),
    ...request,
  },
});
const keyed = (body: object) => ({ method: "POST", headers: { "x-idempotency-key": "key-1" }, body });

const content = {
  lists: ["OFAC_SDN", "UN"],
  threshold: 785,
  otherYearOfBirth: "LOWER",
  yearTolerance: 1,
  staleAfterHours: 72,
  rescreenAfterDays: 30,
  blocksSender: true,
};

/** A right request for every operation of screening, beside those of lists. */
export const screeningOperations = [
  row("screening policy", "/screening-policy", { method: "GET" }),
  row("save screening policy draft", "/screening-policy-draft/save", {
    method: "PUT",
    body: { revision: 0, ...content },
  }),
  row("screening policy draft", "/screening-policy-draft", { method: "GET" }),
  row("try screening policy draft", "/screening-policy-draft/try", { method: "POST", body: { subjects: 100 } }),
  row("publish screening policy draft", "/screening-policy-draft/publish", { method: "POST", body: { revision: 1 } }),
  row("screenings", "/screenings", { method: "GET", path: `${base}/screenings?status=IN_REVIEW&size=5` }),
  row(
    "search screening lists",
    "/screenings/search",
    keyed({
      kind: "PERSON",
      names: ["Ivan Petrov", "Иван Петров"],
      dateOfBirth: "1961-05",
      gender: "MALE",
      countries: ["RU"],
      documents: [{ type: "PASSPORT", number: "A1", country: "RUS" }],
      threshold: 700,
      size: 5,
    }),
  ),
  row("screening", "/screenings/{screeningId}", { method: "GET" }),
  row(
    "decide screening hit",
    "/screenings/{screeningId}/hits/{hitId}/decide",
    keyed({ decision: "FALSE_POSITIVE", reason: "born later", exemptUntil: "2027-11-21T00:00:00+01:00" }),
  ),
  row(
    "decide screening hits",
    "/screenings/{screeningId}/hits/decide",
    keyed({ hitIds: ["1", "2"], decision: "FALSE_POSITIVE", reason: "born later" }),
  ),
  {
    ...row(
      "release screening hit",
      "/screenings/{screeningId}/hits/{hitId}/release",
      keyed({ transactions: "REFUND", reason: "the authority agreed" }),
    ),
    answers: 202,
  },
  row("screening exemptions", "/screening-exemptions", {
    method: "GET",
    path: `${base}/screening-exemptions?state=VALID&customerId=c1`,
  }),
  row("end screening exemption", "/screening-exemptions/{exemptionId}/end", {
    method: "POST",
    body: { reason: "moved" },
  }),
];

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
const policy = { ...content, version: 1, publishedAt: at, publishedBy: "u2", draftedBy: "u1" };
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
  getScreeningPolicyDraft: async () => ({ draft }),
  tryScreeningPolicyDraft: async () => ({
    subjects: 100,
    hitsNow: 1,
    hitsByDraft: 2,
    differences: [{ subject, entriesNow: [], entriesByDraft: ["UN:2674"] }],
  }),
  publishScreeningPolicyDraft: async () => ({ policy }),
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
  listScreeningExemptions: async () => ({ exemptions: [exemption], nextCursor: "exemption-1" }),
  endScreeningExemption: async () => ({
    exemption: { ...exemption, state: "ENDED", ended: { by: "u1", reason: "moved", at } },
  }),
} satisfies Partial<Handlers<ScreeningServiceDefinition>>;
