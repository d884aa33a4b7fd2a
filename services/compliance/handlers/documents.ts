import { systemClock } from "../../shared/clocks/clock.js";
import { createHash } from "node:crypto";
import {
  DocumentState as WireState,
  type ComplianceServiceDefinition,
  type Document as WireDocument,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { auditEntry } from "./audit.js";
import { contentTypeOf, maxDocumentBytes, type DocumentRecord } from "../domain/document.js";
import { chunkBytes } from "../store/documents.js";
import { fulfil, reject, renew, type Requirement } from "../domain/requirements.js";
import { idFromWire } from "../../shared/wire-text.js";
import { nextCursor, pageFromWire, reasonFromWire } from "../wire/transactions.js";
import { originOf, type ComplianceDeps } from "./deps.js";

type Rpcs = "uploadDocumentPart" | "submitDocument" | "listDocuments" | "readDocument" | "reviewDocument";

const maxPartBytes = 16 * chunkBytes;
const keepUploadsMs = 24 * 3_600_000;
const contactKinds: ReadonlySet<string> = new Set(["EMAIL", "PHONE_NUMBER"]);

/** Documents that fulfil requirements, from their bytes to their review. */
export function documentHandlers({
  store,
  documents,
  customers,
  people,
  times,
  clock,
}: Pick<ComplianceDeps, "store" | "documents" | "customers" | "people" | "times" | "clock">): Pick<
  Handlers<ComplianceServiceDefinition>,
  Rpcs
> {
  async function find(documentId: string, call: Call): Promise<DocumentRecord> {
    const found = await documents.forTenant(call.tenantId).findDocument(idFromWire(documentId, "documentId"));
    if (found === undefined) throw new Refusal("NOT_FOUND", "no such document");
    return found;
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
      const { customerId } = await people.reach(request.customerId, call);
      const documentId = documentIdOf(customerId, request.uploadKey, call);
      const { content } = request;
      const offset = Number(request.offset);
      if (offset < 0 || offset % chunkBytes !== 0) throw invalidInput("offset", `must be a multiple of ${chunkBytes}`);
      if (content.length === 0 || content.length > maxPartBytes) {
        throw invalidInput("content", `must have 1 to ${maxPartBytes} bytes`);
      }
      if (offset + content.length > maxDocumentBytes) throw tooLarge();
      // Real time, whatever the business date: it is MongoDB that clears away what nobody finishes.
      const expiresAt = new Date(systemClock.now().getTime() + keepUploadsMs);
      for (let at = 0; at < content.length; at += chunkBytes) {
        const data = Buffer.from(content.subarray(at, at + chunkBytes));
        const kept = await documents
          .forTenant(call.tenantId)
          .putChunk(documentId, (offset + at) / chunkBytes, data, expiresAt);
        if (!kept.equals(data)) throw new Refusal("KEY_REUSED", "this upload key was used for another content");
      }
      return {};
    },

    async submitDocument(request, call) {
      const person = await people.reach(request.customerId, call);
      const documentId = documentIdOf(person.customerId, request.uploadKey, call);
      const { requirement } = request;
      const fileName = fileNameFromWire(request.fileName);
      const sizeBytes = Number(request.sizeBytes);
      if (sizeBytes < 1) throw invalidInput("sizeBytes", "must be positive");
      if (sizeBytes > maxDocumentBytes) throw tooLarge();
      const ofTenant = documents.forTenant(call.tenantId);
      const before = await ofTenant.findDocument(documentId);
      if (before !== undefined) return { document: documentToWire(sameSubmission(before, requirement, sizeBytes)) };
      const bytes = await uploaded(documentId, sizeBytes, call);
      const contentType = contentTypeOf(bytes);
      if (contentType === undefined) {
        throw new Refusal("DOCUMENT_INVALID", "the content is no whole PDF, JPEG or PNG");
      }
      const { userId: submittedBy } = requireUser(call);
      const document: DocumentRecord = {
        documentId,
        customerId: person.customerId,
        requirement,
        state: "SUBMITTED",
        fileName,
        contentType,
        sizeBytes,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        submittedAt: (await times.forTenant(call.tenantId, call.interactionId)).now(),
        submittedBy,
        reason: "",
      };
      const origin = originOf(call);
      await customers.current(origin, person);
      await customers.change(origin, person, `${requirement} handed in`, async (now, { session }) => {
        const asked = now.requirements.find((one) => one.kind === requirement);
        if (asked === undefined || contactKinds.has(requirement)) {
          throw new Refusal("NOT_FOUND", "no such document is asked of this customer");
        }
        if (asked.documentId === documentId) return now;
        if (asked.documentId !== undefined) {
          throw new Refusal("STATE_CONFLICT", "another document for it waits for its review");
        }
        if (!(await ofTenant.insertDocument(document, session))) {
          throw new Refusal("DOCUMENT_INVALID", "the upload is over: upload it again");
        }
        const handed = { ...(asked.state === "FULFILLED" ? asked : renew(asked)), documentId };
        return { ...now, requirements: replaced(now.requirements, handed) };
      });
      crashPoint("compliance.document.submitted");
      return { document: documentToWire(document) };
    },

    async listDocuments(request, call) {
      const page = pageFromWire(request);
      const { role } = requireUser(call);
      // The queue of reviews is the MANAGER's; others name whose documents they look at.
      const isQueue = request.customerId === "" && role === "MANAGER";
      const customerId = isQueue ? undefined : (await people.reach(request.customerId, call)).customerId;
      const filter = { ...page, ...(customerId !== undefined && { customerId }) };
      const found = await documents.forTenant(call.tenantId).listDocuments(filter);
      return {
        documents: found.map(documentToWire),
        nextCursor: nextCursor(found, page, ({ documentId }) => documentId),
      };
    },

    async readDocument(request, call) {
      const document = await find(request.documentId, call);
      await people.reach(document.customerId, call);
      const offset = Number(request.offset);
      if (offset < 0 || offset % chunkBytes !== 0) throw invalidInput("offset", `must be a multiple of ${chunkBytes}`);
      if (offset === 0) {
        const decided = { action: "document.read", subject: `customer:${document.customerId}` };
        const content = { documentId: document.documentId };
        await store.forTenant(call.tenantId).insertAudit(auditEntry(call, clock, { ...decided, content }));
      }
      const chunks = await documents.forTenant(call.tenantId).readChunks(document.documentId, offset / chunkBytes, 16);
      return { document: documentToWire(document), content: Buffer.concat(chunks) };
    },

    async reviewDocument(request, call) {
      const found = await find(request.documentId, call);
      const person = await people.reach(found.customerId, call);
      const reason = reasonFromWire(request.reason);
      const { userId } = requireUser(call);
      if (found.submittedBy === userId) {
        throw new Refusal("FORBIDDEN", "somebody else than who handed it in must review it");
      }
      const state = request.accept ? "ACCEPTED" : "REJECTED";
      const ofTenant = documents.forTenant(call.tenantId);
      const { documentId, requirement } = found;
      const cause = `${requirement} ${state.toLowerCase()}`;
      const subject = `customer:${found.customerId}`;
      const decided = {
        action: `document.${state.toLowerCase()}`,
        subject,
        reason,
        content: { documentId, requirement },
      };
      await customers.change(originOf(call), person, cause, async (before, { now, session, tenant }) => {
        const current = await ofTenant.findDocument(documentId, session);
        if (current?.state === state) return before;
        if (current?.state !== "SUBMITTED")
          throw new Refusal("STATE_CONFLICT", `the document is ${current?.state} already`);
        const review = { state, reviewedAt: now, reviewedBy: userId, reason } as const;
        await ofTenant.reviewDocument(documentId, review, session);
        await tenant.insertAudit(auditEntry(call, clock, decided), session);
        const requirements = before.requirements.map((one) => {
          if (one.documentId !== documentId) return one;
          return request.accept ? fulfil(one, userId, reason, now) : reject(one, userId, reason);
        });
        return { ...before, requirements };
      });
      crashPoint("compliance.document.reviewed");
      return { document: documentToWire(await find(documentId, call)) };
    },
  };
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

function fileNameFromWire(name: string): string {
  // What a browser sends may be a whole path, or try to be one.
  const base = name.split(/[\\/]/).at(-1)?.trim() ?? "";
  if (base === "" || base.length > 200) throw invalidInput("fileName", "must have 1 to 200 characters");
  return base;
}

function replaced(requirements: readonly Requirement[], by: Requirement): Requirement[] {
  return requirements.map((one) => (one.kind === by.kind ? by : one));
}

function tooLarge(): Refusal {
  return new Refusal("BODY_TOO_LARGE", `a document has at most ${maxDocumentBytes / 1024 / 1024} MB`);
}

function documentToWire(document: DocumentRecord): WirePartial<WireDocument> {
  const { state, sizeBytes, ...rest } = document;
  return { ...rest, sizeBytes: BigInt(sizeBytes), state: WireState[`DOCUMENT_STATE_${state}`] };
}
