import { z } from "zod";
import { ScreeningList as WireList } from "../../proto/gen/compliance/v1/screening.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf, shape } from "../codec.js";
import { operation } from "../operation.js";
import { route, type Route } from "../route.js";
import { instant, instantIn, maybe } from "../schema.js";
import { answerNothing, v6 } from "./base.js";
import { cursorQuery, idIn } from "./cursor-pages.js";
import { bytesOfPart, partMembersUpTo } from "./file-parts.js";
import { screeningSources } from "../shapes/screenings.js";

const base = `${v6}/compliance/screening-lists`;
const statuses = ["LOADING", "WAITING", "ACTIVE", "SUPERSEDED", "FAILED"] as const;
const parts = ["SDN", "ALT", "ADD", "COMMENTS"] as const;
// The largest published file has 18 MB.
const maxListBytes = 64 * 1024 * 1024;
const count = z.number().int();
const listPath = z.object({ listId: idIn });

const ScreeningList = shape(
  WireList,
  z
    .object({
      listId: z.string(),
      source: z.enum(screeningSources),
      version: count.meta({ description: "1, 2, 3… per owner and source." }),
      status: z.enum(statuses).meta({
        description: "Of each source one version is ACTIVE; WAITING is for a second person's approval.",
      }),
      publishedAt: instant.meta({ description: "As the file says, or who loads it; else the time of loading." }),
      sha256: z.string(),
      entries: count,
      added: count.meta({ description: "Against the version that was in use." }),
      changed: count,
      removed: count,
      reason: z.string().optional().meta({ description: "Why it failed or waits." }),
      line: count.optional().meta({ description: "Of the file, where the reason lies at one." }),
      loadedAt: instant,
      loadedBy: z.string().meta({ description: "A user's id, connector, or operator." }),
      approvedBy: z.string().optional(),
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

const listFromWire = readerOf(ScreeningList);

/** Ours */
const listScreeningLists = operation({
  method: "get",
  path: base,
  operationId: "listScreeningLists",
  tag: "Compliance",
  summary: "List versions of screening lists, the operator's and one's own, newest first",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  query: cursorQuery.extend({
    source: z.enum(screeningSources).optional(),
    status: z.enum(statuses).optional(),
  }),
  answer: z.object({ lists: z.array(ScreeningList), nextCursor: z.string().optional() }),
  message: "Screening lists",
  renames: { cursor: "query.cursor", pageSize: "query.size" },
  example: { as: "manager@demo.example", query: { status: "ACTIVE" } },
  rpc: "screening.listScreeningLists",
});

/** Ours */
const readScreeningList = operation({
  method: "get",
  path: `${base}/:listId`,
  operationId: "readScreeningList",
  tag: "Compliance",
  summary: "Read a version of a screening list: what it changed, or why it failed or waits",
  access: ["MANAGER"],
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
  gives: "list",
});

/** Ours */
const uploadScreeningListPart = route({
  method: "post",
  path: `${base}/parts`,
  operationId: "uploadScreeningListPart",
  tag: "Compliance",
  summary: "Upload a part of a list's file; parts may be repeated and come in any order",
  access: ["MANAGER"],
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
  run: async ({ body, call, clients }) => {
    const request = { uploadId: body.uploadKey, offset: BigInt(body.offset), data: bytesOfPart(body.content) };
    return answerNothing(clients.screening.uploadScreeningListPart(request, outgoing(call)));
  },
});

/** Ours */
const loadScreeningList = route({
  method: "post",
  path: `${base}/load`,
  operationId: "loadScreeningList",
  tag: "Compliance",
  summary:
    "Read uploaded files as the organisation's own version of a list; the one in use stays until the new one is whole",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  body: z
    .object({
      source: z.enum(screeningSources),
      files: z
        .array(
          z.object({
            uploadKey: idIn,
            part: maybe(z.enum(parts)).meta({ description: "Of OFAC_SDN alone, which is up to four files." }),
            sha256: z
              .string()
              .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
              .meta({ description: "Of the whole file." }),
          }),
        )
        .min(1)
        .max(4),
      publishedAt: maybe(instantIn).meta({ description: "Where the file does not say it." }),
    })
    .meta({ id: "LoadScreeningListRequest" }),
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
  run: async ({ body, call, clients }) => {
    const { source, publishedAt } = body;
    const files = body.files.map(({ uploadKey, part = "", sha256 }) => ({ uploadId: uploadKey, part, sha256 }));
    const request = { source, files, ...(publishedAt !== undefined && { publishedAt: new Date(publishedAt) }) };
    const { list } = await clients.screening.loadScreeningList(request, outgoing(call));
    return listFromWire(list);
  },
});

/** Ours */
const approveScreeningList = operation({
  method: "post",
  path: `${base}/:listId/approve`,
  operationId: "approveScreeningList",
  tag: "Compliance",
  summary: "Put a version that waits to use, as a second person",
  access: ["MANAGER"],
  peopleOnly: "judgement",
  params: listPath,
  answer: ScreeningList,
  message: "List approved",
  example: { as: "manager2@demo.example", params: { listId: "the-list" }, answers: 404 },
  rpc: "screening.approveScreeningList",
  gives: "list",
});

export const screeningListRoutes: readonly Route[] = [
  listScreeningLists,
  uploadScreeningListPart,
  loadScreeningList,
  readScreeningList,
  approveScreeningList,
];
