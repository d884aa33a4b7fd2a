import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/cases.js";
import * as screening from "../../proto/gen/compliance/v1/screening.js";
import { decisions } from "../../services/platform/events/shapes/customer-compliance-shape.js";
import { shape } from "../codec.js";
import { decimalText, instant } from "../schema.js";
import { HitPart, hitStates, Screening, ScreeningSubject, screeningSources } from "./screenings.js";

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
      entryId: z.string(),
      matchedName: z.string(),
      score: z.number().int().meta({ description: "Per mille: the effects of the parts add up to it." }),
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
      transactionId: z.string(),
      transactionCode: z.string().optional(),
      customerId: z.string(),
      operation: z.string().meta({ description: "REMITTANCE, WALLET_PAYMENT, LOAN_APPLICATION or INVESTMENT" }),
      amount: decimalText,
      currency: z.string(),
      originCountry: z.string(),
      receivingCountry: z.string(),
      receivingCurrency: z.string(),
      recipient: z.string().optional().meta({ description: "The recipient's code, or the customer who is paid." }),
      recipientName: z.string().optional().meta({ description: "As the transaction keeps it." }),
      askedAt: instant.meta({ description: "When compliance was asked first." }),
      decision: z.enum(decisions),
      reasonCode: z.string().optional(),
      decidedBy: z.string().meta({ description: "User id, or rules." }),
      decidedAt: instant,
      status: z.string().optional().meta({
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
      name: z.string(),
      mediaType: z.string().meta({ description: "By its content: application/pdf, image/jpeg or image/png." }),
      sizeBytes: z.number().int(),
      sha256: z.string().meta({ description: "Hexadecimal." }),
      attachedBy: z.string(),
      attachedAt: instant,
    })
    .meta({ id: "ComplianceCaseFile" }),
  { sizeBytes: "bytes" },
);

const caseMembers = {
  caseId: z.string(),
  number: z.number().int().meta({ description: "1, 2, 3… of the organisation." }),
  kind: z.enum(caseKinds),
  subjectKind: z.enum(subjectKinds),
  subjectId: z.string().meta({ description: "A customer's id, customerId/recipientCode, or a user's id." }),
  customerId: z.string().optional().meta({ description: "Absent where the case is about staff." }),
  transactionIds: z.array(z.string()),
  screeningIds: z.array(z.string()),
  status: z.enum(caseStates),
  outcome: z.enum(caseOutcomes).optional().meta({ description: "Of a closed case." }),
  assignee: z.string().optional().meta({ description: "User id of a MANAGER; absent where nobody works it." }),
  priority: z.enum(casePriorities),
  dueAt: instant,
  snoozedUntil: instant.optional(),
  tags: z.array(z.enum(caseTags)),
  files: z.array(CaseFile),
  openedAt: instant,
  closedAt: instant.optional(),
  previousCaseId: z.string().optional().meta({ description: "The subject's case before this one." }),
  version: z.number().int().meta({ description: "Sequence of the timeline's last entry; changes are made onto it." }),
};

export const Case = shape(wire.Case, z.object(caseMembers).meta({ id: "ComplianceCase" }));

const CaseEvent = shape(
  wire.CaseEvent,
  z
    .object({
      sequence: z.number().int().meta({ description: "1, 2, 3… of the case." }),
      at: instant,
      actor: z.string().meta({ description: "User id, or compliance." }),
      kind: z.enum(eventKinds),
      text: z.string().optional(),
      details: z.record(z.string(), z.string()).meta({ description: "Ids and values of the entry by their names." }),
    })
    .meta({ id: "ComplianceCaseEvent" }),
);

/** What is shown of a case where it is looked at, beside what it is by itself. */
const seenMembers = {
  subjectName: nameOut,
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
