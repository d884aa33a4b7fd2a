import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/cases.js";
import * as screening from "../../proto/gen/compliance/v1/screening.js";
import { decisions } from "../../services/platform/events/shapes/customer-compliance-shape.js";
import { shape } from "../codec.js";
import { instant, shown } from "../schema.js";
import { HitPart, hitStates, Screening, ScreeningSubject, screeningSources } from "./screenings.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const nameStates = ["KNOWN", "ERASED", "UNKNOWN"] as const;

export const nameOut = z
  .string()
  .optional()
  .meta({ description: "As they were compared last; absent where nobody has it." });

const nameStateOut = z.enum(nameStates).meta({
  description: "ERASED: the time for which the name had to be kept is over. UNKNOWN: nobody has told one yet.",
});

/** A hit with what it is judged by, where many stand beside each other. */
export const HitSummary = shape(
  screening.HitSummary,
  z
    .object({
      screeningId: z.string(),
      hitId: z.string(),
      subject: ScreeningSubject,
      screenedAt: instant,
      policyVersion: z.number().int().meta({ description: "Of the screening policy; 0 for the platform's own." }),
      source: z.enum(screeningSources),
      listVersion: z.number().int().optional(),
      entryId: leaf.entryId,
      matchedName: leaf.matchedName,
      score: shown(z.number().int(), 940).meta({ description: "Per mille: the effects of the parts add up to it." }),
      parts: z.array(HitPart),
      state: z.enum(hitStates),
    })
    .meta({ id: "ScreeningHitSummary" }),
);

/** A transaction as an officer judges it. */
export const CaseTransaction = shape(
  screening.CaseTransaction,
  z
    .object({
      transactionId: leaf.transactionId,
      transactionCode: leaf.transactionCode.optional(),
      customerId: leaf.customerId,
      operation: leaf.operation.meta({ description: "REMITTANCE, WALLET_PAYMENT, LOAN_APPLICATION or INVESTMENT" }),
      amount: leaf.sendAmount,
      currency: z.string(),
      originCountry: leaf.originCountry,
      receivingCountry: z.string(),
      receivingCurrency: leaf.receivingCurrency,
      recipient: leaf.recipientCode
        .optional()
        .meta({ description: "The recipient's code, or the customer who is paid." }),
      recipientName: leaf.recipientName.optional().meta({ description: "As the transaction keeps it." }),
      askedAt: instant.meta({ description: "When compliance was asked first." }),
      decision: z.enum(decisions),
      reasonCode: shown(z.string(), "STAFF").optional(),
      decidedBy: shown(z.string(), "rules").meta({ description: "User id, or rules." }),
      decidedAt: instant,
      status: shown(z.string(), "AWAITING_COMPLIANCE").optional().meta({
        description:
          "Where a remittance stands, BLOCKED included. Absent of everything else, and where it cannot be told now.",
      }),
      statusSince: instant.optional(),
    })
    .meta({ id: "ComplianceCaseTransaction" }),
  { amount: "amount", currency: "amount.currency" },
);

export const caseKinds = ["SCREENING", "MONITORING", "MANUAL"] as const;
export const caseStates = ["OPEN", "INVESTIGATING", "CLOSED"] as const;
export const caseOutcomes = ["FALSE_POSITIVE", "CONFIRMED_RISK", "USEFUL"] as const;
export const casePriorities = ["LOW", "NORMAL", "HIGH", "URGENT"] as const;
export const caseTags = [
  "ADVERSE_MEDIA",
  "FRAUD",
  "IDENTITY",
  "MULE",
  "PEP",
  "REPORTED",
  "SANCTIONS",
  "SOURCE_OF_FUNDS",
  "STRUCTURING",
  "TERRORIST_FINANCING",
  "WAITS_FOR_CUSTOMER",
] as const;
const subjectKinds = ["CUSTOMER", "RECIPIENT", "STAFF"] as const;
const eventKinds = [
  "OPENED",
  "SCREENING_JOINED",
  "TRANSACTION_JOINED",
  "HIT_DECIDED",
  "BLOCK_NOTED",
  "IDENTITY_CHECKED",
  "LIST_CHANGED",
  "TRANSACTION_DECIDED",
  "ASSIGNED",
  "NOTED",
  "FILE_ATTACHED",
  "SNOOZED",
  "CHANGED",
  "CLOSED",
  "REOPENED",
  "EXPORTED",
] as const;

export const CaseFile = shape(
  wire.CaseFile,
  z
    .object({
      fileId: z.string(),
      name: shown(z.string(), "letter.pdf"),
      mediaType: shown(z.string(), "application/pdf").meta({
        description: "By its content: application/pdf, image/jpeg or image/png.",
      }),
      sizeBytes: shown(z.number().int(), 9),
      sha256: leaf.sha256.meta({ description: "Hexadecimal." }),
      attachedBy: leaf.userId,
      attachedAt: instant,
    })
    .meta({ id: "ComplianceCaseFile" }),
  { sizeBytes: "bytes" },
);

const caseMembers = {
  caseId: z.string(),
  number: shown(z.number().int(), 42).meta({ description: "1, 2, 3… of the organisation." }),
  kind: z.enum(caseKinds),
  subjectKind: z.enum(subjectKinds),
  subjectId: leaf.customerId.meta({ description: "A customer's id, customerId/recipientCode, or a user's id." }),
  customerId: leaf.customerId.optional().meta({ description: "Absent where the case is about staff." }),
  transactionIds: z.array(z.string()),
  screeningIds: z.array(z.string()),
  status: z.enum(caseStates),
  outcome: z.enum(caseOutcomes).optional().meta({ description: "Of a closed case." }),
  assignee: leaf.userId.optional().meta({ description: "User id of a MANAGER; absent where nobody works it." }),
  priority: z.enum(casePriorities),
  dueAt: instant,
  snoozedUntil: instant.optional(),
  tags: z.array(z.enum(caseTags)),
  files: z.array(CaseFile),
  openedAt: instant,
  closedAt: instant.optional(),
  previousCaseId: z.string().optional().meta({ description: "The subject's case before this one." }),
  version: shown(z.number().int(), 2).meta({
    description: "Sequence of the timeline's last entry; changes are made onto it.",
  }),
};

export const Case = shape(wire.Case, z.object(caseMembers).meta({ id: "ComplianceCase" }));

const CaseEvent = shape(
  wire.CaseEvent,
  z
    .object({
      sequence: z.number().int().meta({ description: "1, 2, 3… of the case." }),
      at: instant,
      actor: leaf.userId.meta({ description: "User id, or compliance." }),
      kind: z.enum(eventKinds),
      text: shown(z.string(), "The employer confirmed the salary by telephone.").optional(),
      details: z.record(z.string(), z.string()).meta({ description: "Ids and values of the entry by their names." }),
    })
    .meta({ id: "ComplianceCaseEvent" }),
);

/** What is shown of a case where it is looked at, beside what it is by itself. */
const seenMembers = {
  subjectName: shown(nameOut, "Amina Bello"),
  subjectNameState: nameStateOut,
  hitCount: z.number().int().meta({ description: "Of all comparisons of the case." }),
  transactionCount: z.number().int().meta({ description: "Of the case and of its comparisons." }),
};

export const CaseInQueue = shape(
  wire.Case,
  z
    .object({
      ...caseMembers,
      ...seenMembers,
      hits: z.array(HitSummary).meta({ description: "The five that matter most, undecided ones first." }),
      transactions: z.array(CaseTransaction).meta({ description: "The newest five." }),
    })
    .meta({ id: "ComplianceCaseInQueue" }),
);

export const CaseWithTimeline = shape(
  wire.Case,
  z
    .object({
      ...caseMembers,
      ...seenMembers,
      screenings: z
        .array(Screening)
        .meta({ description: "Newest first: 100 where a case is read, all in its export." }),
      transactions: z
        .array(CaseTransaction)
        .meta({ description: "Newest first: 200 where a case is read, all in its export." }),
      timeline: z.array(CaseEvent).meta({ description: "Oldest first." }),
    })
    .meta({ id: "ComplianceCaseWithTimeline" }),
);
