import { createHash } from "node:crypto";
import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import { createKeyedMutex } from "../../../kernel/batching/keyed-mutex.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { contentTypeOf, maxDocumentBytes, type DocumentRecord } from "../domain/document.js";
import { activeContentOf } from "./active-content.js";
import { fileNameFromWire, fileNameOf } from "../domain/file-name.js";
import { requiresDocument, renew, type Requirement } from "../domain/requirements.js";
import { chunkBytes } from "../../common/store/chunks.js";
import { documentToWire } from "../wire/documents.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";
import { dropUpload, keepPart, type UploadedParts } from "../../common/handlers/uploaded-parts.js";

const maxPartBytes = 16 * chunkBytes;
// Each requirement's document in the making, some begun anew.
const limits = { uploads: 8, bytes: 4 * maxDocumentBytes };

/** Documents that fulfil requirements, from their first bytes until they are handed in. */
export function uploadHandlers({ store, documents, customers, people, times }: ComplianceDeps) {
  const turns = createKeyedMutex();

  function uploadedParts({ tenantId }: Call): UploadedParts {
    const chunks = documents.forTenant(tenantId);
    return { store, chunks, quotas: chunks.quotas, turns, tenantId };
  }

  async function uploaded(documentId: string, sizeBytes: number, call: Call): Promise<Buffer> {
    const chunks = await documents
      .forTenant(call.tenantId)
      .readChunks(documentId, 0, maxDocumentBytes / chunkBytes + 1);
    const bytes = Buffer.concat(chunks);
    if (bytes.length !== sizeBytes) {
      throw new Refusal("DOCUMENT_INVALID", `${bytes.length} of ${sizeBytes} bytes have been uploaded`);
    }
    return bytes;
  }

  return {
    async uploadDocumentPart(request, call) {
      const person = await people.reach(request.customerId, call);
      const { customerId } = person;
      const documentId = documentIdOf(customerId, request.uploadKey, call);
      const { content } = request;
      const offset = Number(request.offset);
      if (offset < 0 || offset % chunkBytes !== 0) throw invalidInput("offset", `must be a multiple of ${chunkBytes}`);
      if (content.length === 0 || content.length > maxPartBytes) {
        throw invalidInput("content", `must have 1 to ${maxPartBytes} bytes`);
      }
      if (offset + content.length > maxDocumentBytes) throw tooLarge();
      await keepPart(uploadedParts(call), {
        owner: ownerOf(customerId),
        limits,
        fileId: documentId,
        offset,
        data: content,
        async assertRequested() {
          const { requirements } = await customers.current(originOf(call), person);
          const now = (await times.forTenant(call.tenantId, call.interactionId)).now();
          if (requirements.some((one) => one.documentId === undefined && requiresDocument(one, now))) return;
          throw new Refusal("NOT_FOUND", "no document is asked of this customer");
        },
      });
      return {};
    },

    async submitDocument(request, call) {
      const person = await people.reach(request.customerId, call);
      const documentId = documentIdOf(person.customerId, request.uploadKey, call);
      const { requirement } = request;
      const fileName = fileNameFromWire(request.fileName, "fileName");
      const sizeBytes = Number(request.sizeBytes);
      if (sizeBytes < 1) throw invalidInput("sizeBytes", "must be positive");
      if (sizeBytes > maxDocumentBytes) throw tooLarge();
      const ofTenant = documents.forTenant(call.tenantId);
      const handedIn = await ofTenant.findDocument(documentId);
      if (handedIn !== undefined) return { document: documentToWire(sameSubmission(handedIn, requirement, sizeBytes)) };
      const bytes = await uploaded(documentId, sizeBytes, call);
      const contentType = contentTypeOf(bytes);
      const active = contentType && (await activeContentOf(bytes, contentType));
      if (contentType === undefined || active !== undefined) {
        // It can never be taken: kept, it would count against what the customer may upload.
        await dropUpload(uploadedParts(call), { owner: ownerOf(person.customerId), fileId: documentId });
        throw new Refusal("DOCUMENT_INVALID", active ?? "the content is no whole PDF, JPEG or PNG");
      }
      const { userId: submittedBy } = requireUser(call);
      const document: DocumentRecord = {
        documentId,
        customerId: person.customerId,
        requirement,
        state: "SUBMITTED",
        fileName: fileNameOf(fileName, contentType),
        contentType,
        sizeBytes,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        submittedAt: (await times.forTenant(call.tenantId, call.interactionId)).now(),
        submittedBy,
        reason: "",
      };
      const origin = originOf(call);
      await customers.current(origin, person);
      await customers.change(origin, person, `${requirement} handed in`, async (before, { now, session }) => {
        const requested = before.requirements.find((one) => one.kind === requirement);
        if (requested?.documentId === documentId) return before;
        if (requested === undefined || !requiresDocument(requested, now)) {
          throw new Refusal("NOT_FOUND", "no such document is asked of this customer");
        }
        if (requested.documentId !== undefined) {
          throw new Refusal("STATE_CONFLICT", "another document for it waits for its review");
        }
        if (!(await ofTenant.insertDocument(document, session))) {
          throw new Refusal("DOCUMENT_INVALID", "the upload is over: upload it again");
        }
        await ofTenant.quotas.release(ownerOf(person.customerId), documentId, session);
        const handed = { ...(requested.state === "FULFILLED" ? requested : renew(requested)), documentId };
        return { ...before, requirements: replaced(before.requirements, handed) };
      });
      crashPoint("compliance.document.submitted");
      return { document: documentToWire(document) };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

/** Whose quota it is. */
function ownerOf(customerId: string): string {
  return `customer:${customerId}`;
}

/** The same for every part and for handing it in: a repeated request finds its own. */
function documentIdOf(customerId: string, uploadKey: string, call: Call): string {
  const key = idFromWire(uploadKey, "uploadKey");
  const text = [call.tenantId, requireUser(call).userId, customerId, key].join("\0");
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

function sameSubmission(document: DocumentRecord, requirement: string, sizeBytes: number): DocumentRecord {
  if (document.requirement === requirement && document.sizeBytes === sizeBytes) return document;
  throw new Refusal("KEY_REUSED", "this upload key was used for another document");
}

function replaced(requirements: readonly Requirement[], by: Requirement): Requirement[] {
  return requirements.map((one) => (one.kind === by.kind ? by : one));
}

function tooLarge(): Refusal {
  return new Refusal("BODY_TOO_LARGE", `a document has at most ${maxDocumentBytes / 1024 / 1024} MB`);
}
