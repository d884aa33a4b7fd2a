import { z } from "zod";
import type {
  Case as WireCase,
  CaseEvent as WireEvent,
  CaseFile as WireFile,
} from "../../proto/gen/compliance/v1/cases.js";
import { instant } from "../schema.js";
import { absentIfEmpty, filled, timeText } from "../wire.js";
import { v6 } from "./base.js";
import {
  CaseTransaction,
  caseTransactionFromWire,
  HitSummary,
  hitSummaryFromWire,
  nameOut,
  nameStateOut,
  type nameStates,
} from "./case-content-shapes.js";
import { idIn } from "./cursor-pages.js";
import { Screening, screeningFromWire } from "./screening-shapes.js";

export const casesBase = `${v6}/compliance/cases`;
export const casePath = z.object({ caseId: idIn });
export const caseKeys = { idempotencyKey: "headers.x-idempotency-key" };

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

export const CaseFile = z
  .object({
    fileId: z.string(),
    name: z.string(),
    mediaType: z.string().meta({ description: "By its content: application/pdf, image/jpeg or image/png." }),
    sizeBytes: z.number().int(),
    sha256: z.string().meta({ description: "Hexadecimal." }),
    attachedBy: z.string(),
    attachedAt: instant,
  })
  .meta({ id: "ComplianceCaseFile" });

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

export const Case = z.object(caseMembers).meta({ id: "ComplianceCase" });

const CaseEvent = z
  .object({
    sequence: z.number().int().meta({ description: "1, 2, 3… of the case." }),
    at: instant,
    actor: z.string().meta({ description: "User id, or compliance." }),
    kind: z.enum(eventKinds),
    text: z.string().optional(),
    details: z.record(z.string(), z.string()).meta({ description: "Ids and values of the entry by their names." }),
  })
  .meta({ id: "ComplianceCaseEvent" });

/** What is shown of a case where it is looked at, beside what it is by itself. */
const seenMembers = {
  subjectName: nameOut,
  subjectNameState: nameStateOut,
  hitCount: z.number().int().meta({ description: "Of all comparisons of the case." }),
  transactionCount: z.number().int().meta({ description: "Of the case and of its comparisons." }),
};

export const CaseInQueue = z
  .object({
    ...caseMembers,
    ...seenMembers,
    hits: z.array(HitSummary).meta({ description: "The five that matter most, undecided ones first." }),
    transactions: z.array(CaseTransaction).meta({ description: "The newest five." }),
  })
  .meta({ id: "ComplianceCaseInQueue" });

export const CaseWithTimeline = z
  .object({
    ...caseMembers,
    ...seenMembers,
    screenings: z.array(Screening).meta({ description: "Newest first: 100 where a case is read, all in its export." }),
    transactions: z
      .array(CaseTransaction)
      .meta({ description: "Newest first: 200 where a case is read, all in its export." }),
    timeline: z.array(CaseEvent).meta({ description: "Oldest first." }),
  })
  .meta({ id: "ComplianceCaseWithTimeline" });

type OneOf<T extends readonly string[]> = T[number];

export function caseFromWire(wire: WireCase | undefined): z.output<typeof Case> {
  const one = filled(wire, "case");
  return {
    caseId: one.caseId,
    number: Number(one.number),
    kind: one.kind as OneOf<typeof caseKinds>,
    subjectKind: one.subjectKind as OneOf<typeof subjectKinds>,
    subjectId: one.subjectId,
    customerId: absentIfEmpty(one.customerId),
    transactionIds: one.transactionIds,
    screeningIds: one.screeningIds,
    status: one.status as OneOf<typeof caseStates>,
    outcome: absentIfEmpty(one.outcome) as OneOf<typeof caseOutcomes> | undefined,
    assignee: absentIfEmpty(one.assignee),
    priority: one.priority as OneOf<typeof casePriorities>,
    dueAt: timeText(one.dueAt, "case.due_at"),
    snoozedUntil: one.snoozedUntil?.toISOString(),
    tags: one.tags as OneOf<typeof caseTags>[],
    files: one.files.map(caseFileFromWire),
    openedAt: timeText(one.openedAt, "case.opened_at"),
    closedAt: one.closedAt?.toISOString(),
    previousCaseId: absentIfEmpty(one.previousCaseId),
    version: one.version,
  };
}

export function queuedCaseFromWire(wire: WireCase): z.output<typeof CaseInQueue> {
  return {
    ...caseFromWire(wire),
    ...seenFromWire(wire),
    hits: wire.hits.map(hitSummaryFromWire),
    transactions: wire.transactions.map(caseTransactionFromWire),
  };
}

export function wholeCaseFromWire(wire: WireCase | undefined): z.output<typeof CaseWithTimeline> {
  const one = filled(wire, "case");
  return {
    ...caseFromWire(one),
    ...seenFromWire(one),
    screenings: one.screenings.map(screeningFromWire),
    transactions: one.transactions.map(caseTransactionFromWire),
    timeline: one.timeline.map(eventFromWire),
  };
}

function seenFromWire({ subjectName, subjectNameState, hitCount, transactionCount }: WireCase) {
  return {
    subjectName: absentIfEmpty(subjectName),
    subjectNameState: subjectNameState as OneOf<typeof nameStates>,
    hitCount,
    transactionCount,
  };
}

export function caseFileFromWire(file: WireFile): z.output<typeof CaseFile> {
  const { fileId, name, mediaType, bytes, sha256, attachedBy, attachedAt } = file;
  const when = timeText(attachedAt, "file.attached_at");
  return { fileId, name, mediaType, sizeBytes: Number(bytes), sha256, attachedBy, attachedAt: when };
}

function eventFromWire({ sequence, at, actor, kind, text, details }: WireEvent): z.output<typeof CaseEvent> {
  const when = timeText(at, "event.at");
  return { sequence, at: when, actor, kind: kind as OneOf<typeof eventKinds>, text: absentIfEmpty(text), details };
}
