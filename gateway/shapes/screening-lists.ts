import { z } from "zod";
import * as wire from "../../proto/gen/compliance/v1/screening.js";
import { shape } from "../codec.js";
import { idIn, instant, instantIn, maybe, wholeNumberIn, shown } from "../schema.js";
import { screeningSources, ScreeningSubject } from "./screenings.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const count = z.number().int();

export const listStatuses = ["LOADING", "WAITING", "ACTIVE", "SUPERSEDED", "FAILED"] as const;

export const ScreeningList = shape(
  wire.ScreeningList,
  z
    .object({
      listId: z.string(),
      source: z.enum(screeningSources),
      version: count.meta({ description: "1, 2, 3… per owner and source." }),
      status: z.enum(listStatuses).meta({
        description: "Of each source one version is ACTIVE; WAITING is for a second person's approval.",
      }),
      publishedAt: instant.meta({ description: "As the file says, or who loads it; else the time of loading." }),
      sha256: leaf.sha256,
      entries: count,
      added: count.meta({ description: "Against the version that was in use." }),
      changed: count,
      removed: count,
      reason: leaf.reason.optional().meta({ description: "Why it failed or waits." }),
      line: count.optional().meta({ description: "Of the file, where the reason lies at one." }),
      loadedAt: instant,
      loadedBy: leaf.userId.meta({ description: "A user's id, connector, or operator." }),
      approvedBy: leaf.userId.optional(),
      isOperators: z
        .boolean()
        .meta({ description: "True for the operator's, which count where the organisation has none of its own." }),
      isUsed: z.boolean().meta({
        description:
          "Whether the screening policy compares with its source: without that an ACTIVE version is not looked at.",
      }),
    })
    .meta({ id: "ScreeningList" }),
);

const parts = ["SDN", "ALT", "ADD", "COMMENTS"] as const;

const ScreeningListFile = shape(
  wire.ScreeningListFile,
  z.object({
    uploadKey: idIn,
    part: maybe(z.enum(parts)).meta({ description: "Of OFAC_SDN alone, which is up to four files." }),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
      .meta({ description: "Of the whole file." }),
  }),
  { uploadKey: "uploadId" },
);

export const ScreeningListLoad = z
  .object({
    source: z.enum(screeningSources),
    files: z.array(ScreeningListFile).min(1).max(4),
    publishedAt: maybe(instantIn).meta({ description: "Where the file does not say it." }),
  })
  .meta({ id: "LoadScreeningListRequest" });

const yearEffects = ["IGNORE", "LOWER", "EXCLUDE"] as const;

const contentMembers = {
  lists: z.array(z.enum(screeningSources)).meta({ description: "Sources that are on." }),
  threshold: shown(z.number().int(), 785).meta({ description: "Per mille: a hit begins here." }),
  otherYearOfBirth: z.enum(yearEffects),
  yearTolerance: z.number().int(),
  staleAfterHours: shown(z.number().int(), 72),
  rescreenAfterDays: shown(z.number().int(), 30),
  blocksSender: z.boolean(),
};

export const ScreeningPolicy = shape(
  wire.ScreeningPolicy,
  z
    .object({
      ...contentMembers,
      version: z.number().int().meta({ description: "0 for the platform's own, where none was published." }),
      publishedAt: instant.optional(),
      publishedBy: leaf.userId.optional(),
      draftedBy: leaf.userId.optional(),
    })
    .meta({ id: "ScreeningPolicy" }),
);

/** Where a policy lies in its draft. */
export const contentFields = {
  lists: "content.lists",
  threshold: "content.threshold",
  otherYearOfBirth: "content.otherYearOfBirth",
  yearTolerance: "content.yearTolerance",
  staleAfterHours: "content.staleAfterHours",
  rescreenAfterDays: "content.rescreenAfterDays",
  blocksSender: "content.blocksSender",
} as const;

export const ScreeningPolicyDraft = shape(
  wire.ScreeningPolicyDraft,
  z
    .object({
      ...contentMembers,
      revision: z.number().int().meta({
        description:
          "0 where no draft is saved: what is in force, which a draft begins from, by nobody and at no time.",
      }),
      basedOn: z.number().int().meta({ description: "The version that it was begun on." }),
      savedAt: instant.optional(),
      savedBy: leaf.userId.optional(),
      authors: z.array(leaf.userId).meta({ description: "Who wrote any of its revisions: none of them publishes it." }),
    })
    .meta({ id: "ScreeningPolicyDraft" }),
  contentFields,
);

export const maxRevision = 1_000_000;

export const ScreeningPolicyDraftRequest = z
  .object({
    revision: wholeNumberIn(0, maxRevision).meta({ description: "That was read; 0 where there was none." }),
    lists: z.array(z.enum(screeningSources)).min(1).max(screeningSources.length),
    threshold: wholeNumberIn(500, 1_000).meta({ description: "Per mille: a hit begins here." }),
    otherYearOfBirth: z.enum(yearEffects).meta({
      description:
        "What a year of birth that differs by more than the tolerance does: nothing, lower the score, or rule the entry out.",
    }),
    yearTolerance: wholeNumberIn(0, 20),
    staleAfterHours: wholeNumberIn(1, 720).meta({
      description: "A list that was last seen current longer ago counts as not there: everybody waits for a person.",
    }),
    rescreenAfterDays: wholeNumberIn(0, 3_650).meta({ description: "0 for never." }),
    blocksSender: z
      .boolean()
      .meta({ description: "Whether a confirmed hit of a recipient blocks the customer who sends to them." }),
  })
  .meta({ id: "SaveScreeningPolicyDraftRequest" });

export const ScreeningPolicyTrial = shape(
  wire.TryScreeningPolicyDraftResponse,
  z
    .object({
      subjects: z.number().int().meta({ description: "How many were compared." }),
      hitsNow: z.number().int(),
      hitsByDraft: z.number().int(),
      differences: z
        .array(
          z.object({
            subject: ScreeningSubject,
            entriesNow: z.array(z.string()),
            entriesByDraft: z.array(z.string()),
          }),
        )
        .meta({ description: "The first 200. Entries as SOURCE:entryId." }),
    })
    .meta({ id: "ScreeningPolicyTrial" }),
);
