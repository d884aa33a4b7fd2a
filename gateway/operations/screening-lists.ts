import { z } from "zod";
import { operation } from "../operation.js";
import { v6 } from "../route.js";
import { maybe, wholeNumberIn, cursorQuery, idIn } from "../schema.js";
import {
  contentFields,
  listStatuses,
  maxRevision,
  ScreeningList,
  ScreeningListLoad,
  ScreeningPolicy,
  ScreeningPolicyDraft,
  ScreeningPolicyDraftRequest,
  ScreeningPolicyTrial,
} from "../shapes/screening-lists.js";
import { screeningSources } from "../shapes/screenings.js";
import { partMembersUpTo } from "./compliance-files.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const ofManagers = { tag: "Compliance", access: ["MANAGER"] } as const;

const lists = `${v6}/compliance/screening-lists`;
// The largest published file has 18 MB.
const maxListBytes = 64 * 1024 * 1024;
const listPath = z.object({ listId: idIn });

const listScreeningLists = operation({
  ...ofManagers,
  method: "get",
  path: lists,
  summary: "List versions of screening lists, the operator's and one's own, newest first",
  scopes: ["compliance:read"],
  query: cursorQuery.extend({
    source: z.enum(screeningSources).optional(),
    status: z.enum(listStatuses).optional(),
  }),
  answer: z.object({ lists: z.array(ScreeningList), nextCursor: leaf.nextCursor.optional() }),
  message: "Screening lists",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", query: { status: "ACTIVE" } },
  rpc: "screening.listScreeningLists",
});

const readScreeningList = operation({
  ...ofManagers,
  method: "get",
  path: `${lists}/:listId`,
  summary: "Read a version of a screening list: what it changed, or why it failed or waits",
  scopes: ["compliance:read"],
  params: listPath,
  answer: ScreeningList,
  message: "Screening list",
  example: {
    as: "manager@demo.example",
    params: { listId: "the-list" },
    from: { "params.listId": "listScreeningLists data.lists.0.listId" },
  },
  rpc: "screening.getScreeningList",
});

const uploadScreeningListPart = operation({
  ...ofManagers,
  method: "post",
  path: `${lists}/parts`,
  summary: "Upload a part of a list's file; parts may be repeated and come in any order",
  peopleOnly: "casework",
  body: z
    .object({
      uploadKey: idIn.meta({ description: "Chosen by the caller; the same for all parts of a file and for the load." }),
      ...partMembersUpTo(maxListBytes),
    })
    .meta({ id: "UploadScreeningListPartRequest" }),
  answer: z.object({}),
  message: "Part kept",
  renames: { uploadId: "uploadKey", data: "content" },
  example: {
    as: "manager@demo.example",
    // id,name and two lines of it
    body: {
      uploadKey: "own-list-2026",
      offset: 0,
      content: "aWQsbmFtZQpYMSxLcm9lc3ZlbGQgRXhhbXBsZQpYMixaZXBoeXJsaW5lIEV4YW1wbGUK",
    },
  },
  rpc: "screening.uploadScreeningListPart",
  fields: { uploadKey: "uploadId", content: "data" },
});

const loadScreeningList = operation({
  ...ofManagers,
  method: "post",
  path: `${lists}/load`,
  summary:
    "Read uploaded files as the organisation's own version of a list; the one in use stays until the new one is whole",
  peopleOnly: "judgement",
  body: ScreeningListLoad,
  answer: ScreeningList,
  message: "List is being read",
  renames: { uploadId: "uploadKey" },
  example: {
    as: "manager@demo.example",
    body: {
      source: "CUSTOM",
      files: [
        { uploadKey: "own-list-2026", sha256: "a9d238c9149a939e26bb8d69405fa03c10e9c70f268947b6c33b6ecf8f095e38" },
      ],
    },
  },
  rpc: "screening.loadScreeningList",
});

const approveScreeningList = operation({
  ...ofManagers,
  method: "post",
  path: `${lists}/:listId/approve`,
  summary: "Put a version that waits to use, as a second person",
  peopleOnly: "judgement",
  params: listPath,
  answer: ScreeningList,
  message: "List approved",
  example: { as: "manager2@demo.example", params: { listId: "the-list" }, answers: 404 },
  rpc: "screening.approveScreeningList",
});

const readScreeningPolicy = operation({
  ...ofManagers,
  method: "get",
  path: `${v6}/compliance/screening-policy`,
  summary: "Read how people are compared with lists",
  scopes: ["compliance:read"],
  answer: ScreeningPolicy,
  message: "Screening policy",
  example: { as: "manager@demo.example" },
  rpc: "screening.getScreeningPolicy",
});

const saveScreeningPolicyDraft = operation({
  ...ofManagers,
  method: "put",
  path: `${v6}/compliance/screening-policy-draft/save`,
  summary: "Write the draft of the next screening policy; each fault is named by its path",
  peopleOnly: "judgement",
  body: ScreeningPolicyDraftRequest,
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
  rpc: "screening.saveScreeningPolicyDraft",
  fields: contentFields,
});

const readScreeningPolicyDraft = operation({
  ...ofManagers,
  method: "get",
  path: `${v6}/compliance/screening-policy-draft`,
  summary: "Read the draft of the next screening policy, or what one begins from where none is saved",
  scopes: ["compliance:read"],
  answer: ScreeningPolicyDraft,
  message: "Draft",
  example: { as: "manager@demo.example" },
  rpc: "screening.getScreeningPolicyDraft",
});

const tryScreeningPolicyDraft = operation({
  ...ofManagers,
  method: "post",
  path: `${v6}/compliance/screening-policy-draft/try`,
  summary: "Compare past customers and recipients by the draft, beside the policy in use, and see what would change",
  scopes: ["compliance:read"],
  body: z
    .object({
      subjects: maybe(wholeNumberIn(1, 10_000)).meta({ description: "So many of the newest; 1,000 when absent." }),
    })
    .meta({ id: "TryScreeningPolicyDraftRequest" }),
  bodyOptional: true,
  answer: ScreeningPolicyTrial,
  message: "Trial of the draft",
  example: { as: "manager@demo.example", body: { subjects: 100 } },
  rpc: "screening.tryScreeningPolicyDraft",
});

/** Another manager than the draft's author. */
const publishScreeningPolicyDraft = operation({
  ...ofManagers,
  method: "post",
  path: `${v6}/compliance/screening-policy-draft/publish`,
  summary: "Publish the draft, which another manager has written, as the next version; everybody is compared anew",
  peopleOnly: "judgement",
  body: z.object({ revision: wholeNumberIn(1, maxRevision) }).meta({ id: "PublishScreeningPolicyDraftRequest" }),
  answer: ScreeningPolicy,
  message: "Policy published",
  // The author of a draft may not publish it.
  example: { as: "manager@demo.example", body: { revision: 1 }, answers: 403 },
  rpc: "screening.publishScreeningPolicyDraft",
});

export const screeningListRoutes = {
  listScreeningLists,
  uploadScreeningListPart,
  loadScreeningList,
  readScreeningList,
  approveScreeningList,
  readScreeningPolicy,
  saveScreeningPolicyDraft,
  readScreeningPolicyDraft,
  tryScreeningPolicyDraft,
  publishScreeningPolicyDraft,
};
