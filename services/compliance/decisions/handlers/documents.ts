import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import type { DocumentRecord } from "../domain/document.js";
import { fulfil, reject } from "../domain/requirements.js";
import { chunkBytes } from "../../common/store/chunks.js";
import { documentToWire } from "../wire/documents.js";
import { nextCursor, pageFromWire } from "../../common/wire/pages.js";
import { reasonFromWire } from "../../../kernel/text/reason.js";
import { auditEntry } from "../../common/handlers/audit.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";

/** Documents that were handed in: who reads them, and their review. */
export function documentHandlers({ store, documents, customers, people, clock }: ComplianceDeps) {
  async function find(documentId: string, call: Call): Promise<DocumentRecord> {
    const found = await documents.forTenant(call.tenantId).findDocument(idFromWire(documentId, "documentId"));
    if (found === undefined) throw new Refusal("NOT_FOUND", "no such document");
    return found;
  }

  return {
    async listDocuments(request, call) {
      const page = pageFromWire(request);
      const { role } = requireUser(call);
      // Only a MANAGER sees the queue of reviews; others name whose documents they look at.
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
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}
