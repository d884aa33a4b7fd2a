import { z } from "zod";
import type {
  ScreeningPolicy as WirePolicy,
  ScreeningPolicyDraft as WireDraft,
} from "../../proto/gen/compliance/v1/screening.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route, type Route } from "../route.js";
import { instant, maybe, wholeNumberIn } from "../schema.js";
import { absentIfEmpty, filled } from "../wire.js";
import { v6 } from "./base.js";
import { screeningSources, ScreeningSubject, subjectFromWire, type Source } from "../shapes/screenings.js";

const base = `${v6}/compliance`;
const yearEffects = ["IGNORE", "LOWER", "EXCLUDE"] as const;
const maxRevision = 1_000_000;

const contentMembers = {
  lists: z.array(z.enum(screeningSources)).meta({ description: "Sources that are on." }),
  threshold: z.number().int().meta({ description: "Per mille: a hit begins here." }),
  otherYearOfBirth: z.enum(yearEffects),
  yearTolerance: z.number().int(),
  staleAfterHours: z.number().int(),
  rescreenAfterDays: z.number().int(),
  blocksSender: z.boolean(),
};

const ScreeningPolicy = z
  .object({
    ...contentMembers,
    version: z.number().int().meta({ description: "0 for the platform's own, where none was published." }),
    publishedAt: instant.optional(),
    publishedBy: z.string().optional(),
    draftedBy: z.string().optional(),
  })
  .meta({ id: "ScreeningPolicy" });

const ScreeningPolicyDraft = z
  .object({
    ...contentMembers,
    revision: z.number().int().meta({
      description: "0 where no draft is saved: what is in force, which a draft begins from, by nobody and at no time.",
    }),
    basedOn: z.number().int().meta({ description: "The version that it was begun on." }),
    savedAt: instant.optional(),
    savedBy: z.string().optional(),
  })
  .meta({ id: "ScreeningPolicyDraft" });

/** Ours */
const readScreeningPolicy = route({
  method: "get",
  path: `${base}/screening-policy`,
  operationId: "readScreeningPolicy",
  tag: "Compliance",
  summary: "Read how people are compared with lists",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  answer: ScreeningPolicy,
  message: "Screening policy",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const { policy } = await clients.screening.getScreeningPolicy({}, outgoing(call));
    return policyFromWire(filled(policy, "policy"));
  },
});

/** Ours */
const saveScreeningPolicyDraft = route({
  method: "put",
  path: `${base}/screening-policy-draft/save`,
  operationId: "saveScreeningPolicyDraft",
  tag: "Compliance",
  summary: "Write the draft of the next screening policy; each fault is named by its path",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  body: z
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
    .meta({ id: "SaveScreeningPolicyDraftRequest" }),
  answer: ScreeningPolicyDraft,
  message: "Draft saved",
  example: {
    as: "manager@demo.example",
    body: {
      revision: 0,
      lists: ["OFAC_SDN", "EU", "UN", "UK"],
      threshold: 785,
      otherYearOfBirth: "LOWER",
      yearTolerance: 1,
      staleAfterHours: 72,
      rescreenAfterDays: 30,
      blocksSender: true,
    },
  },
  run: async ({ body, call, clients }) => {
    const { revision, ...content } = body;
    const { draft } = await clients.screening.saveScreeningPolicyDraft({ revision, content }, outgoing(call));
    return draftFromWire(filled(draft, "draft"));
  },
});

/** Ours */
const readScreeningPolicyDraft = route({
  method: "get",
  path: `${base}/screening-policy-draft`,
  operationId: "readScreeningPolicyDraft",
  tag: "Compliance",
  summary: "Read the draft of the next screening policy, or what one begins from where none is saved",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  answer: ScreeningPolicyDraft,
  message: "Draft",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const { draft } = await clients.screening.getScreeningPolicyDraft({}, outgoing(call));
    return draftFromWire(filled(draft, "draft"));
  },
});

/** Ours */
const tryScreeningPolicyDraft = route({
  method: "post",
  path: `${base}/screening-policy-draft/try`,
  operationId: "tryScreeningPolicyDraft",
  tag: "Compliance",
  summary: "Compare past customers and recipients by the draft, beside the policy in use, and see what would change",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  body: z
    .object({
      subjects: maybe(wholeNumberIn(1, 10_000)).meta({ description: "So many of the newest; 1,000 when absent." }),
    })
    .meta({ id: "TryScreeningPolicyDraftRequest" }),
  bodyOptional: true,
  answer: z
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
  message: "Trial of the draft",
  example: { as: "manager@demo.example", body: { subjects: 100 } },
  run: async ({ body, call, clients }) => {
    const trial = await clients.screening.tryScreeningPolicyDraft({ subjects: body.subjects ?? 0 }, outgoing(call));
    const { subjects, hitsNow, hitsByDraft, differences } = trial;
    return {
      subjects,
      hitsNow,
      hitsByDraft,
      differences: differences.map(({ subject, entriesNow, entriesByDraft }) => ({
        subject: subjectFromWire(subject),
        entriesNow,
        entriesByDraft,
      })),
    };
  },
});

/** Ours: another manager than the draft's author. */
const publishScreeningPolicyDraft = route({
  method: "post",
  path: `${base}/screening-policy-draft/publish`,
  operationId: "publishScreeningPolicyDraft",
  tag: "Compliance",
  summary: "Publish the draft, which another manager has written, as the next version; everybody is compared anew",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  body: z.object({ revision: wholeNumberIn(1, maxRevision) }).meta({ id: "PublishScreeningPolicyDraftRequest" }),
  answer: ScreeningPolicy,
  message: "Policy published",
  // The author of a draft may not publish it.
  example: { as: "manager@demo.example", body: { revision: 1 }, answers: 403 },
  run: async ({ body, call, clients }) => {
    const { policy } = await clients.screening.publishScreeningPolicyDraft(body, outgoing(call));
    return policyFromWire(filled(policy, "policy"));
  },
});

function contentFromWire(wire: WirePolicy) {
  const { lists, threshold, otherYearOfBirth, yearTolerance, staleAfterHours, rescreenAfterDays, blocksSender } = wire;
  return {
    lists: lists as Source[],
    threshold,
    otherYearOfBirth: otherYearOfBirth as (typeof yearEffects)[number],
    yearTolerance,
    staleAfterHours,
    rescreenAfterDays,
    blocksSender,
  };
}

function policyFromWire(wire: WirePolicy): z.output<typeof ScreeningPolicy> {
  const { version, publishedAt, publishedBy, draftedBy } = wire;
  return {
    ...contentFromWire(wire),
    version,
    publishedAt: publishedAt?.toISOString(),
    publishedBy: absentIfEmpty(publishedBy),
    draftedBy: absentIfEmpty(draftedBy),
  };
}

function draftFromWire({
  content,
  revision,
  basedOn,
  savedAt,
  savedBy,
}: WireDraft): z.output<typeof ScreeningPolicyDraft> {
  return {
    ...contentFromWire(filled(content, "draft.content")),
    revision,
    basedOn,
    savedAt: savedAt?.toISOString(),
    savedBy: absentIfEmpty(savedBy),
  };
}

export const screeningPolicyRoutes: readonly Route[] = [
  readScreeningPolicy,
  saveScreeningPolicyDraft,
  readScreeningPolicyDraft,
  tryScreeningPolicyDraft,
  publishScreeningPolicyDraft,
];
