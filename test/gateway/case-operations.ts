import type { CaseServiceDefinition } from "../../proto/gen/compliance/v1/cases.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";
import { sampleCaseTransaction, sampleHit, sampleScreening } from "./screening-operations.js";
const at = new Date("2026-11-21T10:15:00.000Z");
const sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const file = { fileId: "file-1", name: "letter.pdf", mediaType: "application/pdf", bytes: 10n, sha256 } as const;
const attached = { ...file, attachedBy: "u1", attachedAt: at };
const sample = {
  caseId: "case-1",
  number: 42n,
  kind: "MONITORING",
  subjectKind: "CUSTOMER",
  subjectId: "c1",
  customerId: "c1",
  transactionIds: ["t1"],
  status: "INVESTIGATING",
  assignee: "u1",
  dueAt: at,
  snoozedUntil: at,
  priority: "NORMAL",
  tags: ["FRAUD"],
  files: [attached],
  openedAt: at,
  version: 2,
  previousCaseId: "case-0",
};
const opened = { sequence: 1, at, actor: "compliance", kind: "OPENED", details: { kind: "MONITORING" } };
const seen = {
  ...sample,
  subjectName: "Ivan Petrov",
  subjectNameState: "KNOWN",
  hitCount: 1,
  transactionCount: 1,
  transactions: [sampleCaseTransaction],
};
const queued = { ...seen, hits: [sampleHit] };
const whole = {
  ...seen,
  screenings: [sampleScreening()],
  timeline: [opened, { sequence: 2, at, actor: "u1", kind: "NOTED", text: "seen" }],
};
const one = async () => ({ case: sample });

/** What the played cases answer. */
export const caseSamples = {
  listCases: async () => ({ cases: [queued], nextCursor: "42" }),
  countCases: async () => ({ open: 4n, mine: 1n, overdue: 1n, unassigned: 2n, snoozed: 1n }),
  getCase: async () => ({ case: whole }),
  changeCase: one,
  readCaseFile: async () => ({ file: attached, data: Buffer.from("hello") }),
  exportCase: async ({ form }) => ({
    case: whole,
    mediaType: form === "PDF" ? "application/pdf" : "application/json",
    data: Buffer.from(form === "PDF" ? "%PDF-1.7" : ""),
  }),
} satisfies Partial<Handlers<CaseServiceDefinition>>;
