import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/screening.js";
import { shape } from "../codec.js";
import { instant, shown } from "../schema.js";
import { gender } from "./people.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const screeningSources = ["OFAC_SDN", "EU", "UN", "UK", "CUSTOM", "PEP"] as const;
const subjectKinds = ["CUSTOMER", "RECIPIENT", "STAFF", "SEARCH"] as const;
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

const perMille = z.number().int();

export const ScreeningSubject = shape(
  wire.ScreeningSubject,
  z
    .object({
      kind: z.enum(subjectKinds),
      id: shown(z.string(), "0199d0c2-0000-7000-8000-00543af88076").meta({
        description:
          "A customer's id; customerId/recipientCode, with /holder for who owns the account; a user's id; or the id of a search.",
      }),
      customerId: leaf.customerId.optional().meta({ description: "Themself, or who sends to the recipient." }),
      name: leaf.name,
    })
    .meta({ id: "ScreeningSubject" }),
);

const ScreenedDocument = shape(
  wire.ScreenedDocument,
  z.object({ type: z.string(), number: z.string(), country: z.string().optional() }).meta({ id: "ScreenedDocument" }),
);

const ListEntry = shape(
  wire.ListEntry,
  z
    .object({
      entryId: leaf.entryId.meta({ description: "Of the source, the same from version to version." }),
      source: z.enum(screeningSources),
      kind: z.enum(entryKinds),
      names: z.array(leaf.matchedName),
      datesOfBirth: z
        .array(shown(z.string(), "1961"))
        .meta({ description: "YYYY-MM-DD, YYYY-MM, YYYY, or YYYY/YYYY for a span." }),
      gender: gender.optional().meta({ description: "Absent where the list does not say." }),
      countries: z.array(leaf.country),
      documents: z.array(ScreenedDocument),
      programmes: z.array(z.string()),
      remarks: z.string().optional(),
    })
    .meta({ id: "ScreeningListEntry" }),
);

export const HitPart = shape(
  wire.HitPart,
  z
    .object({
      part: z.enum(parts),
      ours: shown(z.string(), "amina bello"),
      theirs: shown(z.string(), "amina bello"),
      score: shown(perMille, 1000).meta({ description: "Per mille, of this part by itself." }),
      effect: shown(perMille, 940).meta({
        description: "What it adds to the whole score, per mille; negative where it lowers.",
      }),
      note: z.string().optional().meta({
        description:
          "Why it takes nothing that it would take else, as what a payer says of a recipient; or that letters look alike.",
      }),
    })
    .meta({ id: "ScreeningHitPart" }),
);

/** What a person said of a hit, or of an exemption. */
export const ScreeningWord = shape(
  wire.HitWord,
  z.object({ by: z.string(), reason: leaf.reason, at: instant }).meta({ id: "ScreeningWord" }),
);

const HitRelease = shape(
  wire.HitRelease,
  z
    .object({
      transactions: z.enum(releaseWays),
      asked: ScreeningWord,
      agreed: ScreeningWord.optional().meta({ description: "Absent until another MANAGER has agreed." }),
      approvalId: z.string(),
    })
    .meta({ id: "ScreeningHitRelease" }),
);

const Hit = shape(
  wire.Hit,
  z
    .object({
      hitId: z.string(),
      entry: ListEntry,
      matchedName: leaf.matchedName.meta({ description: "The entry's name that fits best, as the list writes it." }),
      score: shown(perMille, 940).meta({ description: "Per mille: the effects of the parts add up to it." }),
      parts: z.array(HitPart),
      state: z.enum(hitStates),
      decidedBy: leaf.userId.optional().meta({ description: "Who told it apart, or said that it is the same." }),
      reason: leaf.reason.optional(),
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
    .meta({ id: "ScreeningHit" }),
);

export const Screening = shape(
  wire.Screening,
  z
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
      reason: leaf.reason.optional().meta({ description: "Why it is ERROR." }),
      isCut: z.boolean().meta({
        description: "Of a search: it resembles more entries than were asked for.",
      }),
    })
    .meta({ id: "Screening" }),
);

export const exemptionStates = ["VALID", "OVER", "VOID", "ENDED"] as const;

export const ScreeningExemption = shape(
  wire.ScreeningExemption,
  z
    .object({
      exemptionId: z.string(),
      subject: ScreeningSubject,
      source: z.enum(screeningSources),
      entryId: leaf.ledgerEntryId,
      reason: leaf.reason,
      until: instant,
      madeBy: leaf.userId,
      madeAt: instant,
      state: z.enum(exemptionStates).meta({ description: "VOID once name, date of birth or entry have changed." }),
      ended: ScreeningWord.optional().meta({ description: "Of one that a person ended before its time." }),
      voidAt: instant.optional().meta({ description: "When the change was noticed by which it is VOID." }),
    })
    .meta({ id: "ScreeningExemption" }),
);
