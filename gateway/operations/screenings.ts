import { z } from "zod";
import { operation } from "../operation.js";
import { v6 } from "../route.js";
import { countryIn, instantIn, maybe, text, wholeNumberIn, cursorQuery, idIn, reasonIn } from "../schema.js";
import { gender } from "../shapes/people.js";
import {
  exemptionStates,
  partyKinds,
  releaseWays,
  Screening,
  ScreeningExemption,
  screeningStatuses,
  screeningTriggers,
} from "../shapes/screenings.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const ofManagers = { tag: "Compliance", access: ["MANAGER"] } as const;

const base = `${v6}/compliance/screenings`;
const exemptions = `${v6}/compliance/screening-exemptions`;
const hitPath = z.object({ screeningId: idIn, hitId: idIn });
const partialDate = z
  .string()
  .regex(/^\d{4}(-\d\d(-\d\d)?)?$/, "must be YYYY-MM-DD, YYYY-MM or YYYY")
  .meta({ examples: ["1961-05-17"] });

const listScreenings = operation({
  ...ofManagers,
  method: "get",
  path: base,
  summary: "List comparisons with lists that found something or were asked for by a person, newest first",
  scopes: ["compliance:read"],
  query: cursorQuery.extend({
    customerId: idIn.optional(),
    status: z.enum(screeningStatuses).optional(),
    trigger: z.enum(screeningTriggers).optional(),
    transactionId: idIn.optional(),
    offList: z.enum(["true"]).optional().meta({
      description: "Those alone that stop somebody by an entry which its list has not any more.",
    }),
  }),
  answer: z.object({ screenings: z.array(Screening), nextCursor: leaf.nextCursor.optional() }),
  message: "Screenings",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", query: { status: "IN_REVIEW" } },
  rpc: "screening.listScreenings",
});

const searchScreeningLists = operation({
  ...ofManagers,
  method: "post",
  path: `${base}/search`,
  summary: "Compare a name with the lists in use; the search is kept",
  peopleOnly: "casework",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      kind: maybe(z.enum(partyKinds)).meta({ description: "UNKNOWN when absent." }),
      names: z.array(text(500)).min(1).max(8).meta({ description: "The name; further ones are other spellings." }),
      dateOfBirth: maybe(partialDate),
      gender: maybe(gender),
      countries: maybe(z.array(countryIn).max(20)),
      documents: maybe(
        z.array(z.object({ type: maybe(text(64)), number: text(64), country: maybe(countryIn) })).max(20),
      ),
      threshold: maybe(wholeNumberIn(500, 1_000)).meta({ description: "Per mille; the policy's when absent." }),
      size: maybe(wholeNumberIn(1, 50)).meta({ description: "How many hits; 10 when absent." }),
    })
    .meta({ id: "SearchScreeningListsRequest" }),
  answer: Screening,
  message: "Screening",
  renames: { limit: "size" },
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "search-2026-0042" },
    body: { kind: "PERSON", names: ["Chidi Okafor"], dateOfBirth: "1961", countries: ["NGA"] },
  },
  rpc: "screening.searchScreeningLists",
  fields: {
    kind: { field: "party.kind", absent: "UNKNOWN" },
    names: "party.names",
    dateOfBirth: "party.dateOfBirth",
    gender: "party.gender",
    countries: "party.countries",
    documents: "party.documents",
    size: "limit",
  },
});

const readScreening = operation({
  ...ofManagers,
  method: "get",
  path: `${base}/:screeningId`,
  summary: "Read a comparison with lists, with what explains each hit",
  scopes: ["compliance:read"],
  params: z.object({ screeningId: idIn }),
  answer: Screening,
  message: "Screening",
  example: { as: "manager@demo.example", params: { screeningId: "the-screening" }, answers: 404 },
  rpc: "screening.getScreening",
});

const hitDecision = {
  decision: z.enum(["FALSE_POSITIVE", "CONFIRMED"]),
  reason: reasonIn,
  exemptUntil: maybe(instantIn).meta({
    description:
      "Of FALSE_POSITIVE: until when, within two years, the entry is no hit for this subject, as long as neither changes.",
  }),
};

/** Another person is decided by one MANAGER; the same one by two. */
const decideScreeningHit = operation({
  ...ofManagers,
  method: "post",
  path: `${base}/:screeningId/hits/:hitId/decide`,
  summary: "Say that a hit is another person, or ask that it be confirmed, which another manager does",
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: hitPath,
  body: z.object(hitDecision).meta({ id: "DecideScreeningHitRequest" }),
  answer: Screening,
  message: "Hit decided",
  waits: "Confirmation waits for another manager",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "hit-2026-0042" },
    params: { screeningId: "the-screening", hitId: "1" },
    body: { decision: "FALSE_POSITIVE", reason: "Another person: born 1984, not 1961" },
    answers: 404,
  },
  rpc: "screening.decideHit",
  isWaiting: ({ hits }, { hitId }) => hits.some((hit) => hit.hitId === hitId && hit.state === "CONFIRMATION_ASKED"),
});

/** One word on several hits, of which CONFIRMED is one approval. */
const decideScreeningHits = operation({
  ...ofManagers,
  method: "post",
  path: `${base}/:screeningId/hits/decide`,
  summary: "Say the same of several hits of one screening, all of them or none",
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: z.object({ screeningId: idIn }),
  body: z
    .object({
      hitIds: z.array(idIn).min(1).max(50).meta({ description: "Each once. 409 names those that are decided." }),
      ...hitDecision,
    })
    .meta({ id: "DecideScreeningHitsRequest" }),
  answer: Screening,
  message: "Hits decided",
  waits: "Confirmation waits for another manager",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "hits-2026-0042" },
    params: { screeningId: "the-screening" },
    body: { hitIds: ["1", "2"], decision: "FALSE_POSITIVE", reason: "Another person: born 1984, not 1961" },
    answers: 404,
  },
  rpc: "screening.decideHits",
  isWaiting: ({ hits }, { hitIds = [] }) =>
    hits.some(({ hitId, state }) => hitIds.includes(hitId) && state === "CONFIRMATION_ASKED"),
});

/** Asked for by one MANAGER, agreed to by another. */
const releaseScreeningHit = operation({
  ...ofManagers,
  method: "post",
  path: `${base}/:screeningId/hits/:hitId/release`,
  summary: "Ask that what a confirmed hit stopped go on or be refunded, which another manager lets happen",
  peopleOnly: "judgement",
  headers: { idempotencyKey: "required" },
  params: hitPath,
  body: z.object({ transactions: z.enum(releaseWays), reason: reasonIn }).meta({ id: "ReleaseScreeningHitRequest" }),
  answer: Screening,
  message: "Release asked for",
  waits: true,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "release-2026-0042" },
    params: { screeningId: "the-screening", hitId: "1" },
    body: { transactions: "REFUND", reason: "The authority has let the money go back" },
    answers: 404,
  },
  rpc: "screening.releaseConfirmedHit",
  isWaiting: ({ hits }, { hitId }) => hits.some((hit) => hit.hitId === hitId && hit.state === "CONFIRMED"),
});

const listScreeningExemptions = operation({
  ...ofManagers,
  method: "get",
  path: exemptions,
  summary: "List entries that are no hit for somebody, newest first",
  scopes: ["compliance:read"],
  query: cursorQuery.extend({ customerId: idIn.optional(), state: z.enum(exemptionStates).optional() }),
  answer: z.object({ exemptions: z.array(ScreeningExemption), nextCursor: leaf.nextCursor.optional() }),
  message: "Exemptions",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", query: { state: "VALID" } },
  rpc: "screening.listScreeningExemptions",
});

const endScreeningExemption = operation({
  ...ofManagers,
  method: "post",
  path: `${exemptions}/:exemptionId/end`,
  summary: "End an exemption before its time: the subject is compared anew",
  peopleOnly: "judgement",
  params: z.object({ exemptionId: idIn }),
  body: z.object({ reason: reasonIn }).meta({ id: "EndScreeningExemptionRequest" }),
  answer: ScreeningExemption,
  message: "Exemption ended",
  example: {
    as: "manager@demo.example",
    params: { exemptionId: "the-exemption" },
    body: { reason: "The customer has moved to the listed town" },
    answers: 404,
  },
  rpc: "screening.endScreeningExemption",
});

// The path of the search comes before that of one screening, which would take it for an id.
export const screeningRoutes = {
  listScreenings,
  searchScreeningLists,
  readScreening,
  decideScreeningHit,
  decideScreeningHits,
  releaseScreeningHit,
  listScreeningExemptions,
  endScreeningExemption,
};
