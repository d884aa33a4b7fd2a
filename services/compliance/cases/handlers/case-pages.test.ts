import type { CaseContent } from "../domain/case-content.js";
import type { Case, CaseEvent } from "../domain/case.js";
import type { Hit, Screening } from "../../screening/domain/screening.js";
import { casePages } from "./case-pages.js";

const at = new Date("2026-05-01T12:00:00Z");
const one: Case = {
  caseId: "case-1",
  number: 42,
  kind: "SCREENING",
  subjectKind: "RECIPIENT",
  subjectId: "c1/B-1",
  customerId: "c1",
  transactionIds: ["t1"],
  screeningIds: ["s1"],
  waitingScreeningIds: [],
  status: "OPEN",
  priority: "HIGH",
  rank: 2,
  dueAt: at,
  tags: [],
  files: [],
  openedAt: at,
  isOpen: true,
  version: 2,
};
const hit: Hit = {
  hitId: "1",
  source: "UN",
  entry: {
    entryId: "6908555",
    kind: "PERSON",
    names: [
      { text: "IVAN PETROV", quality: "PRIMARY" },
      { text: "Иван Петров", quality: "STRONG" },
    ],
    datesOfBirth: [{ year: 1961 }, { year: 1958, untilYear: 1962 }],
    countries: ["RUS"],
    documents: [{ type: "PASSPORT", number: "A1", country: "RUS" }],
    programmes: ["DPRK"],
    remarks: "Born in the north.",
  },
  matchedName: "IVAN PETROV",
  score: 940,
  parts: [
    { part: "GIVEN", ours: "ivan", theirs: "ivan", score: 1000, effect: 480 },
    { part: "FAMILY", ours: "petrov", theirs: "petrov", score: 1000, effect: 500 },
    { part: "COUNTRY", ours: "NGA", theirs: "RUS", score: 0, effect: -40 },
  ],
  entryFingerprint: "f",
  state: "CONFIRMED",
  decidedBy: "MA1",
  decidedAt: at,
  reason: "the same passport",
  approvalId: "ap-1",
};
const screening: Screening = {
  screeningId: "s1",
  subject: { kind: "RECIPIENT", id: "c1/B-1", customerId: "c1" },
  name: "Ivan Petrov",
  trigger: "TRANSACTION",
  lists: [
    { source: "UN", listId: "l1", version: 3 },
    { source: "EU", listId: "l2", version: 7 },
  ],
  policyVersion: 4,
  basis: "b",
  fingerprint: "f",
  identityFingerprint: "i",
  status: "CONFIRMED_HIT",
  hits: [hit],
  transactionIds: ["t1"],
  screenedAt: at,
  version: 2,
};
const content: CaseContent = {
  subject: { state: "KNOWN", name: "Ivan Petrov" },
  screenings: [screening],
  hitCount: 1,
  transactionCount: 1,
  transactions: [
    {
      transactionId: "t1",
      facts: {
        transactionId: "t1",
        customerId: "c1",
        amount: { minor: 100_00n, currency: "USD" },
        originCountry: "USA",
        receivingCountry: "NGA",
        receivingCurrency: "NGN",
        remittancePurpose: "family",
        sourceOfFunds: "salary",
        operation: "REMITTANCE",
        recipient: "B-1",
      },
      requestedAt: at,
      decision: "REVIEW",
      reasonCode: "",
      decidedBy: "rules",
      decidedAt: at,
      remittance: { transactionCode: "MT-1", status: "BLOCKED", since: at, recipientName: "Ivan Petrov" },
    },
  ],
};
const joined: CaseEvent = {
  caseId: "case-1",
  sequence: 2,
  customerId: "c1",
  at,
  actor: "compliance",
  kind: "SCREENING_JOINED",
  text: "Screening found IVAN PETROV.",
  details: { screeningId: "s1" },
};
const textOf = (shown: CaseContent) =>
  casePages(one, shown, [joined])
    .flatMap(({ title, lines }) => [title, ...lines.map(([label, text]) => `${label}: ${text}`)])
    .join("\n");

test("a printed case names its subject, each hit with its list, score and parts, and the money", () => {
  const text = textOf(content);
  for (const stated of [
    "Subject: Ivan Petrov",
    "Known as: RECIPIENT c1/B-1",
    "Lists: UN version 3, EU version 7",
    "Screening policy: version 4",
    "Hit 1: IVAN PETROV\nUN version 3, entry 6908555",
    "Score: 940 per mille, the sum of the effects:",
    "GIVEN: ours ivan, theirs ivan, alike 1000, effect +480",
    "COUNTRY: ours NGA, theirs RUS, alike 0, effect -40",
    "Decision: CONFIRMED, by MA1, at 2026-05-01T12:00:00.000Z, approval ap-1\nthe same passport",
    "names: IVAN PETROV; Иван Петров",
    "born: 1961, 1958/1962",
    "documents: PASSPORT A1 RUS",
    "programmes: DPRK",
    "remarks: Born in the north.",
    "100.00 USD, USA to NGA in NGN",
    "REMITTANCE MT-1, t1",
    "to Ivan Petrov (B-1)",
    "BLOCKED since 2026-05-01T12:00:00.000Z",
    "compliance: REVIEW by rules at 2026-05-01T12:00:00.000Z",
    "SCREENING_JOINED by compliance; screeningId s1\nScreening found IVAN PETROV.",
  ])
    expect(text).toContain(stated);
});

test("a printed case says why it names nobody", () => {
  const gone = { ...content, screenings: [], transactions: [] };
  expect(textOf({ ...gone, subject: { state: "ERASED", name: "" } })).toContain("Subject: erased: ");
  expect(textOf({ ...gone, subject: { state: "UNKNOWN", name: "" } })).toContain("Subject: not known: ");
});
