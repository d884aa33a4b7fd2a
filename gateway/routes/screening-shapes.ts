import { z } from "zod";
import type {
  Hit as WireHit,
  HitPart as WirePart,
  HitWord as WireWord,
  ListEntry as WireEntry,
  ScreenedDocument as WireDocument,
  Screening as WireScreening,
  ScreeningSubject as WireSubject,
} from "../../proto/gen/compliance/v1/screening.js";
import { instant } from "../schema.js";
import { gender } from "../shapes/personal-details.js";
import { absentIfEmpty, filled, timeText } from "../wire.js";

export const screeningSources = ["OFAC_SDN", "EU", "UN", "UK", "CUSTOM", "PEP"] as const;
export const subjectKinds = ["CUSTOMER", "RECIPIENT", "STAFF", "SEARCH"] as const;
export const screeningTriggers = [
  "REGISTERED",
  "CHANGED",
  "TRANSACTION",
  "LIST_UPDATED",
  "MANUAL",
  "RESCREENED",
] as const;
export const screeningStatuses = ["NO_HIT", "IN_REVIEW", "CONFIRMED_HIT", "ERROR"] as const;
export const partyKinds = ["PERSON", "COMPANY", "UNKNOWN"] as const;
const entryKinds = ["PERSON", "COMPANY", "VESSEL", "OTHER"] as const;
export const hitStates = ["OPEN", "FALSE_POSITIVE", "CONFIRMATION_ASKED", "CONFIRMED", "EXEMPT", "RELEASED"] as const;
export const releaseWays = ["CONTINUE", "REFUND"] as const;
const parts = [
  "GIVEN",
  "FAMILY",
  "PATRONYMIC",
  "NAME",
  "COMPANY_FORM",
  "DATE_OF_BIRTH",
  "GENDER",
  "COUNTRY",
  "DOCUMENT",
] as const;

/** As an approval takes it. */

type OneOf<T extends readonly string[]> = T[number];
export type Source = OneOf<typeof screeningSources>;

const perMille = z.number().int();

export const ScreeningSubject = z
  .object({
    kind: z.enum(subjectKinds),
    id: z.string().meta({
      description:
        "A customer's id; customerId/recipientCode, with /holder for who owns the account; a user's id; or the id of a search.",
    }),
    customerId: z.string().optional().meta({ description: "Themself, or who sends to the recipient." }),
    name: z.string(),
  })
  .meta({ id: "ScreeningSubject" });

const ScreenedDocument = z
  .object({ type: z.string(), number: z.string(), country: z.string().optional() })
  .meta({ id: "ScreenedDocument" });

const ListEntry = z
  .object({
    entryId: z.string().meta({ description: "Of the source, the same from version to version." }),
    source: z.enum(screeningSources),
    kind: z.enum(entryKinds),
    names: z.array(z.string()),
    datesOfBirth: z.array(z.string()).meta({ description: "YYYY-MM-DD, YYYY-MM, YYYY, or YYYY/YYYY for a span." }),
    gender: gender.optional().meta({ description: "Absent where the list does not say." }),
    countries: z.array(z.string()),
    documents: z.array(ScreenedDocument),
    programmes: z.array(z.string()),
    remarks: z.string().optional(),
  })
  .meta({ id: "ScreeningListEntry" });

export const HitPart = z
  .object({
    part: z.enum(parts),
    ours: z.string(),
    theirs: z.string(),
    score: perMille.meta({ description: "Per mille, of this part by itself." }),
    effect: perMille.meta({ description: "What it adds to the whole score, per mille; negative where it lowers." }),
    note: z.string().optional().meta({
      description:
        "Why it takes nothing that it would take else, as what a payer says of a recipient; or that letters look alike.",
    }),
  })
  .meta({ id: "ScreeningHitPart" });

/** What a person said of a hit, or of an exemption. */
export const ScreeningWord = z
  .object({ by: z.string(), reason: z.string(), at: instant })
  .meta({ id: "ScreeningWord" });

const HitRelease = z
  .object({
    transactions: z.enum(["CONTINUE", "REFUND"]),
    asked: ScreeningWord,
    agreed: ScreeningWord.optional().meta({ description: "Absent until another MANAGER has agreed." }),
    approvalId: z.string(),
  })
  .meta({ id: "ScreeningHitRelease" });

const Hit = z
  .object({
    hitId: z.string(),
    entry: ListEntry,
    matchedName: z.string().meta({ description: "The entry's name that fits best, as the list writes it." }),
    score: perMille.meta({ description: "Per mille: the effects of the parts add up to it." }),
    parts: z.array(HitPart),
    state: z.enum(hitStates),
    decidedBy: z.string().optional().meta({ description: "Who told it apart, or said that it is the same." }),
    reason: z.string().optional(),
    decidedAt: instant.optional(),
    approvalId: z.string().optional().meta({ description: "By which another MANAGER agrees or refuses." }),
    agreed: ScreeningWord.optional().meta({ description: "Of a confirmed hit: the other MANAGER's word." }),
    release: HitRelease.optional(),
    exemptionId: z.string().optional().meta({ description: "Made with this hit, or by which it is EXEMPT." }),
    exemptUntil: instant.optional().meta({ description: "Until when that exemption was to hold." }),
    listId: z.string().optional(),
    listVersion: z.number().int().optional().meta({ description: "Of the list, that has the entry as it is here." }),
    offListSince: z.number().int().optional().meta({
      description: "The first version of the list that was found without the entry; absent while the list has it.",
    }),
  })
  .meta({ id: "ScreeningHit" });

export const Screening = z
  .object({
    screeningId: z.string(),
    subject: ScreeningSubject,
    trigger: z.enum(screeningTriggers),
    lists: z.array(
      z
        .object({ source: z.enum(screeningSources), listId: z.string(), version: z.number().int() })
        .meta({ id: "UsedScreeningList" }),
    ),
    policyVersion: z.number().int().meta({ description: "0 for the platform's own." }),
    status: z.enum(screeningStatuses),
    hits: z.array(Hit).meta({ description: "Best first." }),
    transactionIds: z.array(z.string()).meta({ description: "What waits for it." }),
    caseId: z.string().optional(),
    screenedAt: instant,
    reason: z.string().optional().meta({ description: "Why it is ERROR." }),
    isCut: z.boolean().meta({
      description: "It resembles more entries than its hits: the others are compared once these are decided.",
    }),
  })
  .meta({ id: "Screening" });

export function screeningFromWire(wire: WireScreening | undefined): z.output<typeof Screening> {
  const one = filled(wire, "screening");
  return {
    screeningId: one.screeningId,
    subject: subjectFromWire(one.subject),
    trigger: one.trigger as OneOf<typeof screeningTriggers>,
    lists: one.lists.map(({ source, listId, version }) => ({ source: source as Source, listId, version })),
    policyVersion: one.policyVersion,
    status: one.status as OneOf<typeof screeningStatuses>,
    hits: one.hits.map(hitFromWire),
    transactionIds: one.transactionIds,
    caseId: absentIfEmpty(one.caseId),
    screenedAt: timeText(one.screenedAt, "screening.screened_at"),
    reason: absentIfEmpty(one.reason),
    isCut: one.isCut,
  };
}

export function subjectFromWire(wire: WireSubject | undefined): z.output<typeof ScreeningSubject> {
  const { kind, id, customerId, name } = filled(wire, "subject");
  return { kind: kind as OneOf<typeof subjectKinds>, id, customerId: absentIfEmpty(customerId), name };
}

function hitFromWire(hit: WireHit): z.output<typeof Hit> {
  const { hitId, entry, matchedName, score, state, decidedBy, reason, decidedAt, approvalId } = hit;
  const { agreed, release, exemptionId, exemptUntil } = hit;
  return {
    hitId,
    entry: entryFromWire(filled(entry, "hit.entry")),
    matchedName,
    score,
    parts: hit.parts.map(partFromWire),
    state: state as OneOf<typeof hitStates>,
    decidedBy: absentIfEmpty(decidedBy),
    reason: absentIfEmpty(reason),
    decidedAt: decidedAt?.toISOString(),
    approvalId: absentIfEmpty(approvalId),
    agreed: agreed && wordFromWire(agreed),
    release: release && {
      transactions: release.transactions as "CONTINUE" | "REFUND",
      asked: wordFromWire(filled(release.asked, "hit.release.asked")),
      agreed: release.agreed && wordFromWire(release.agreed),
      approvalId: release.approvalId,
    },
    exemptionId: absentIfEmpty(exemptionId),
    exemptUntil: exemptUntil?.toISOString(),
    ...(hit.listVersion > 0 && { listId: hit.listId, listVersion: hit.listVersion }),
    ...(hit.offListSince > 0 && { offListSince: hit.offListSince }),
  };
}

export function partFromWire({ part, note, ...compared }: WirePart): z.output<typeof HitPart> {
  return { part: part as OneOf<typeof parts>, ...compared, ...(note !== "" && { note }) };
}

export function wordFromWire({ by, reason, at }: WireWord): z.output<typeof ScreeningWord> {
  return { by, reason, at: timeText(at, "word.at") };
}

function entryFromWire(entry: WireEntry): z.output<typeof ListEntry> {
  const { source, kind, documents, gender: said, remarks, ...rest } = entry;
  return {
    ...rest,
    source: source as Source,
    kind: kind as OneOf<typeof entryKinds>,
    gender: absentIfEmpty(said) as z.output<typeof gender> | undefined,
    documents: documents.map(documentFromWire),
    remarks: absentIfEmpty(remarks),
  };
}

function documentFromWire({ type, number, country }: WireDocument): z.output<typeof ScreenedDocument> {
  return { type, number, country: absentIfEmpty(country) };
}
