import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, v6 } from "../route.js";
import { maybe, text, wholeNumberIn, shown, cursorQuery, idIn, reasonIn } from "../schema.js";
import { Case, CaseFile } from "../shapes/cases.js";
import { ComplianceDocument } from "../shapes/compliance.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const documentsBase = `${v6}/compliance/documents`;
const documentPath = z.object({ documentId: idIn });
export const casesBase = `${v6}/compliance/cases`;
export const casePath = z.object({ caseId: idIn });
const documentFromWire = readerOf(ComplianceDocument);
const fileFromWire = readerOf(CaseFile);

/** Of a whole file. */
const maxFileBytes = 10 * 1024 * 1024;
const partBytes = 128 * 1024;

/** Members of a body that brings a part of a file. */
const partMembers = partMembersUpTo(maxFileBytes);

/** The same of files that may be larger. */
export function partMembersUpTo(maxBytes: number) {
  return {
    offset: wholeNumberIn(0, maxBytes).meta({ description: `Of the first byte: a multiple of ${partBytes}.` }),
    content: z
      .string()
      .min(1)
      .max(Math.ceil(partBytes / 3) * 4)
      .regex(/^[A-Za-z0-9+/]*={0,2}$/, "must be base64")
      .meta({ description: `At most ${partBytes} bytes, as base64.` }),
  };
}

/** Where a file is read from. */
const readFromQuery = z.object({
  offset: z
    .string()
    .regex(/^\d{1,8}$/, "must be a number")
    .optional()
    .meta({ description: `A multiple of ${partBytes}; 0 when absent.` }),
});

/** Members of an answer that has a part of a file. */
const readMembers = {
  content: shown(z.string(), "JVBERi0xLjcK").meta({ description: "Base64." }),
  nextOffset: shown(z.number().int(), 9).optional().meta({ description: "Absent at the end." }),
};

const uploadDocumentPart = operation({
  method: "post",
  path: `${documentsBase}/parts`,
  tag: "Compliance",
  summary: "Upload a part of a document that is asked for; parts may be repeated and come in any order",
  access: ["AGENT", "CUSTOMER"],
  scopes: ["kyc:perform", "profile:update"],
  body: z
    .object({
      customerId: maybe(idIn),
      uploadKey: text(128).meta({ description: "Chosen by the caller; the same for all parts and the submission." }),
      ...partMembers,
    })
    .meta({ id: "UploadDocumentPartRequest" }),
  answer: z.object({}),
  message: "Part kept",
  // The example is refused: this customer is asked for no document.
  example: {
    as: "kofi@demo.example",
    body: { uploadKey: "passport-2026", offset: 0, content: "JVBERi0xLjcKJSVFT0YK" },
    answers: 404,
  },
  rpc: "compliance.uploadDocumentPart",
});

const submitDocument = operation({
  method: "post",
  path: `${documentsBase}/submit`,
  tag: "Compliance",
  summary: "Hand uploaded parts in as the document that a requirement asks for",
  access: ["AGENT", "CUSTOMER"],
  scopes: ["kyc:perform", "profile:update"],
  body: z
    .object({
      customerId: maybe(idIn),
      uploadKey: text(128),
      requirement: text(64),
      fileName: text(200),
      sizeBytes: wholeNumberIn(1, maxFileBytes),
    })
    .meta({ id: "SubmitDocumentRequest" }),
  answer: ComplianceDocument,
  message: "Document submitted",
  // The example is refused: this customer has uploaded nothing.
  example: {
    as: "kofi@demo.example",
    body: { uploadKey: "passport-2026", requirement: "SELFIE", fileName: "me.png", sizeBytes: 15 },
    answers: 422,
  },
  rpc: "compliance.submitDocument",
});

const listDocuments = operation({
  method: "get",
  path: documentsBase,
  tag: "Compliance",
  summary: "List a customer's documents or, for a manager who names nobody, those that wait for review",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["compliance:read"],
  query: cursorQuery.extend({ customerId: idIn.optional() }),
  answer: z.object({ documents: z.array(ComplianceDocument), nextCursor: leaf.nextCursor.optional() }),
  message: "Documents",
  example: { as: "manager@demo.example" },
  rpc: "compliance.listDocuments",
});

const readDocument = route({
  method: "get",
  path: `${documentsBase}/:documentId/content`,
  tag: "Compliance",
  summary: "Read a document's bytes from an offset on; each reading is in the audit trail",
  access: ["MANAGER", "AGENT"],
  scopes: ["kyc:perform", "compliance:read"],
  params: documentPath,
  query: readFromQuery,
  answer: z.object({ document: ComplianceDocument, ...readMembers }).meta({ id: "DocumentContent" }),
  message: "Document",
  example: { as: "manager@demo.example", params: { documentId: "the-document" }, answers: 404 },
  run: async ({ params, query, call, clients }) => {
    const offset = Number(query.offset ?? 0);
    const request = { documentId: params.documentId, offset: BigInt(offset) };
    const answer = await clients.compliance.readDocument(request, outgoing(call));
    const document = documentFromWire(answer.document);
    return { document, ...readPart(answer.content, offset, document.sizeBytes) };
  },
});

const reviewDocument = operation({
  method: "post",
  path: `${documentsBase}/:documentId/review`,
  tag: "Compliance",
  summary: "Accept or reject a document that somebody else handed in",
  access: ["MANAGER", "AGENT"],
  peopleOnly: "judgement",
  params: documentPath,
  body: z.object({ accept: z.boolean(), reason: reasonIn }).meta({ id: "ReviewDocumentRequest" }),
  answer: ComplianceDocument,
  message: "Document reviewed",
  example: {
    as: "manager@demo.example",
    params: { documentId: "the-document" },
    body: { accept: true, reason: "Passport, valid until 2031" },
    answers: 404,
  },
  rpc: "compliance.reviewDocument",
});

export const complianceDocumentRoutes = {
  uploadDocumentPart,
  submitDocument,
  listDocuments,
  readDocument,
  reviewDocument,
};

const uploadCaseFilePart = operation({
  method: "post",
  path: `${casesBase}/:caseId/files/parts`,
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

const attachCaseFile = operation({
  method: "post",
  path: `${casesBase}/:caseId/files`,
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
});

const readCaseFile = route({
  method: "get",
  path: `${casesBase}/:caseId/files/:fileId/content`,
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

export const caseFileRoutes = { uploadCaseFilePart, attachCaseFile, readCaseFile };

/** What was read of a file from an offset on, and where it goes on. */
function readPart(data: Uint8Array, offset: number, sizeBytes: number) {
  const end = offset + data.length;
  return {
    content: Buffer.from(data).toString("base64"),
    ...(data.length > 0 && end < sizeBytes && { nextOffset: end }),
  };
}
