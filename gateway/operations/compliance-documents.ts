import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf } from "../codec.js";
import { operation } from "../operation.js";
import { route, type Route } from "../route.js";
import { maybe, text, wholeNumberIn } from "../schema.js";
import { ComplianceDocument } from "../shapes/compliance.js";
import { v6 } from "./base.js";
import { cursorQuery, idIn, reasonIn } from "./cursor-pages.js";
import { maxFileBytes, partMembers, readFromQuery, readMembers, readPart } from "./file-parts.js";

const base = `${v6}/compliance/documents`;
const documentPath = z.object({ documentId: idIn });

const documentFromWire = readerOf(ComplianceDocument);

/** Ours */
const uploadDocumentPart = operation({
  method: "post",
  path: `${base}/parts`,
  operationId: "uploadDocumentPart",
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

/** Ours */
const submitDocument = operation({
  method: "post",
  path: `${base}/submit`,
  operationId: "submitDocument",
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
  gives: "document",
});

/** Ours */
const listDocuments = operation({
  method: "get",
  path: base,
  operationId: "listDocuments",
  tag: "Compliance",
  summary: "List a customer's documents or, for a manager who names nobody, those that wait for review",
  access: ["MANAGER", "AGENT", "CUSTOMER"],
  scopes: ["compliance:read"],
  query: cursorQuery.extend({ customerId: idIn.optional() }),
  answer: z.object({ documents: z.array(ComplianceDocument), nextCursor: z.string().optional() }),
  message: "Documents",
  example: { as: "manager@demo.example" },
  rpc: "compliance.listDocuments",
});

/** Ours */
const readDocument = route({
  method: "get",
  path: `${base}/:documentId/content`,
  operationId: "readDocument",
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

/** Ours */
const reviewDocument = operation({
  method: "post",
  path: `${base}/:documentId/review`,
  operationId: "reviewDocument",
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
  gives: "document",
});

export const complianceDocumentRoutes: readonly Route[] = [
  uploadDocumentPart,
  submitDocument,
  listDocuments,
  readDocument,
  reviewDocument,
];
