import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, type Route } from "../route.js";
import { maybe, text } from "../schema.js";
import { Case, CaseFile } from "../shapes/cases.js";
import { v6 } from "./base.js";
import { idIn } from "./cursor-pages.js";
import { partMembers, readFromQuery, readMembers, readPart } from "./file-parts.js";

export const casesBase = `${v6}/compliance/cases`;
export const casePath = z.object({ caseId: idIn });
const fileFromWire = readerOf(CaseFile);

/** Ours */
const uploadCaseFilePart = operation({
  method: "post",
  path: `${casesBase}/:caseId/files/parts`,
  operationId: "uploadCaseFilePart",
  tag: "Compliance",
  summary: "Upload a part of a case's file; parts may be repeated and come in any order",
  access: ["MANAGER"],
  peopleOnly: "casework",
  params: casePath,
  body: z
    .object({
      uploadKey: idIn.meta({ description: "Chosen by the caller; the same for all parts and the attachment." }),
      ...partMembers,
    })
    .meta({ id: "UploadCaseFilePartRequest" }),
  answer: z.object({}),
  message: "Part kept",
  renames: { uploadId: "uploadKey", data: "content" },
  example: {
    as: "manager@demo.example",
    params: { caseId: "the-case" },
    body: { uploadKey: "letter-2026", offset: 0, content: "JVBERi0xLjcKJSVFT0YK" },
    answers: 404,
  },
  rpc: "cases.uploadCaseFilePart",
  fields: { uploadKey: "uploadId", content: "data" },
});

/** Ours */
const attachCaseFile = operation({
  method: "post",
  path: `${casesBase}/:caseId/files`,
  operationId: "attachCaseFile",
  tag: "Compliance",
  summary: "Attach uploaded parts to a case, open or closed, as one file",
  access: ["MANAGER"],
  peopleOnly: "casework",
  params: casePath,
  body: z
    .object({
      uploadKey: idIn,
      name: text(200),
      mediaType: maybe(z.enum(["application/pdf", "image/jpeg", "image/png"])).meta({
        description: "What the caller takes it for; the content decides.",
      }),
      sha256: z
        .string()
        .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
        .meta({ description: "Of the whole file." }),
    })
    .meta({ id: "AttachCaseFileRequest" }),
  answer: Case,
  message: "File attached",
  renames: { uploadId: "uploadKey" },
  example: {
    as: "manager@demo.example",
    params: { caseId: "the-case" },
    body: {
      uploadKey: "letter-2026",
      name: "letter.pdf",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    answers: 404,
  },
  rpc: "cases.attachCaseFile",
  fields: { uploadKey: "uploadId" },
  gives: "case",
});

/** Ours */
const readCaseFile = route({
  method: "get",
  path: `${casesBase}/:caseId/files/:fileId/content`,
  operationId: "readCaseFile",
  tag: "Compliance",
  summary: "Read a case's file from an offset on; each reading is in the audit trail",
  access: ["MANAGER"],
  scopes: ["compliance:read"],
  params: casePath.extend({ fileId: idIn }),
  query: readFromQuery,
  answer: z.object({ file: CaseFile, ...readMembers }).meta({ id: "CaseFileContent" }),
  message: "File of a case",
  renames: { offset: "query.offset" },
  example: { as: "manager@demo.example", params: { caseId: "the-case", fileId: "the-file" }, answers: 404 },
  run: async ({ params, query, call, clients }) => {
    const offset = Number(query.offset ?? 0);
    const answer = await clients.cases.readCaseFile({ ...params, offset: BigInt(offset) }, outgoing(call));
    const file = fileFromWire(answer.file);
    return { file, ...readPart(answer.data, offset, file.sizeBytes) };
  },
});

export const caseFileRoutes: readonly Route[] = [uploadCaseFilePart, attachCaseFile, readCaseFile];
