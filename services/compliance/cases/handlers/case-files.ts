import { createHash } from "node:crypto";
import type { CaseServiceDefinition } from "../../../../proto/gen/compliance/v1/cases.js";
import { createKeyedMutex } from "../../../kernel/batching/keyed-mutex.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import type { Case, CaseFile } from "../domain/case.js";
import { contentTypeOf, maxDocumentBytes } from "../../decisions/domain/document.js";
import { activeContentOf } from "../../decisions/handlers/active-content.js";
import { fileNameFromWire, fileNameOf } from "../../decisions/domain/file-name.js";
import { chunkBytes } from "../../common/store/chunks.js";
import { caseToWire, fileToWire } from "../wire/cases.js";
import { auditEntry, caseAuditSubjects } from "../../common/handlers/audit.js";
import { isOwnCase, noCase, type CaseDeps } from "./deps.js";
import { dropUpload, keepPart, type UploadedParts } from "../../common/handlers/uploaded-parts.js";

const chunksAtOnce = 16;
const maxFiles = 100;
// Of all cases of an organisation.
const owner = "case-files";
const limits = { uploads: 100, bytes: 20 * maxDocumentBytes };

/** Files of cases: uploaded in parts, attached when whole, read by managers. */
export function caseFileHandlers({ store, cases, times, clock }: CaseDeps) {
  const turns = createKeyedMutex();

  function uploadedParts({ tenantId }: Call): UploadedParts {
    const chunks = cases.forTenant(tenantId);
    return { store, chunks, quotas: chunks.quotas, turns, tenantId };
  }

  async function find(caseId: string, call: Call): Promise<Case> {
    const found = await cases.forTenant(call.tenantId).findCase(idFromWire(caseId, "caseId"));
    if (found === undefined || isOwnCase(found, call)) throw noCase();
    return found;
  }

  return {
    async uploadCaseFilePart(request, call) {
      const { caseId } = await find(request.caseId, call);
      const fileId = fileIdOf(caseId, request.uploadId, call);
      const { data } = request;
      const offset = offsetOf(request.offset);
      if (data.length === 0 || data.length > chunksAtOnce * chunkBytes) {
        throw invalidInput("data", `must have 1 to ${chunksAtOnce * chunkBytes} bytes`);
      }
      if (offset + data.length > maxDocumentBytes) throw tooLarge();
      await keepPart(uploadedParts(call), { owner, limits, fileId, offset, data });
      return {};
    },

    async attachCaseFile(request, call) {
      const before = await find(request.caseId, call);
      const fileId = fileIdOf(before.caseId, request.uploadId, call);
      const name = fileNameFromWire(request.name, "name");
      const ofTenant = cases.forTenant(call.tenantId);
      const bytes = Buffer.concat(await ofTenant.readChunks(fileId, 0, maxDocumentBytes / chunkBytes + 1));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      if (bytes.length === 0) throw new Refusal("DOCUMENT_INVALID", "no part was uploaded, or one of them is missing");
      const mediaType = contentTypeOf(bytes);
      if (sha256 !== request.sha256.toLowerCase()) {
        throw await refusedContent(`the ${bytes.length} bytes that were uploaded have another sha256`);
      }
      if (mediaType === undefined) throw await refusedContent("the content is no whole PDF, JPEG or PNG");
      const active = await activeContentOf(bytes, mediaType);
      if (active !== undefined) throw await refusedContent(active);
      if (request.mediaType !== "" && request.mediaType !== mediaType) {
        throw await refusedContent(`the content is ${mediaType}`);
      }
      const { userId: attachedBy } = requireUser(call);
      const attachedAt = (await times.forTenant(call.tenantId, call.interactionId)).now();
      const file: CaseFile = {
        fileId,
        name: fileNameOf(name, mediaType),
        mediaType,
        bytes: bytes.length,
        sha256,
        attachedBy,
        attachedAt,
      };
      const after = await store.transaction(
        (session) => attach(before.caseId, file, session),
        async () => withFile(await ofTenant.findCase(before.caseId), fileId),
      );
      return { case: caseToWire(after) };

      /** Kept, it would count against what the organisation may upload. */
      async function refusedContent(why: string): Promise<Refusal> {
        await dropUpload(uploadedParts(call), { owner, fileId });
        return new Refusal("DOCUMENT_INVALID", `${why}: upload the file again`);
      }

      async function attach(caseId: string, added: CaseFile, session: Parameters<typeof ofTenant.keepChunks>[2]) {
        const now = await ofTenant.findCase(caseId, session);
        if (now === undefined) throw noCase();
        const same = now.files.find((one) => one.fileId === added.fileId);
        if (same !== undefined) {
          if (same.name === added.name && same.sha256 === added.sha256) return now;
          throw new Refusal("KEY_REUSED", "this upload was attached under another name");
        }
        if (now.files.length >= maxFiles) throw new Refusal("STATE_CONFLICT", `a case has at most ${maxFiles} files`);
        if (!(await ofTenant.keepChunks(added.fileId, added.bytes, session))) {
          throw new Refusal("DOCUMENT_INVALID", "the upload is over: upload it again");
        }
        await ofTenant.quotas.release(owner, added.fileId, session);
        const details = { fileId: added.fileId, sha256: added.sha256, bytes: `${added.bytes}` };
        const made = {
          after: { ...now, files: [...now.files, added] },
          events: [{ kind: "FILE_ATTACHED" as const, text: added.name, details }],
        };
        return ofTenant.putCase(made, { actor: attachedBy, at: attachedAt }, session);
      }
    },

    async readCaseFile(request, call) {
      const found = await find(request.caseId, call);
      const file = found.files.find(({ fileId }) => fileId === request.fileId);
      if (file === undefined) throw new Refusal("NOT_FOUND", "no such file");
      const offset = offsetOf(request.offset);
      if (offset === 0) {
        const content = { caseId: found.caseId, fileId: file.fileId };
        const decided = { action: "case-file.read", ...caseAuditSubjects(found), content };
        await store.forTenant(call.tenantId).insertAudit(auditEntry(call, clock, decided));
      }
      const chunks = await cases.forTenant(call.tenantId).readChunks(file.fileId, offset / chunkBytes, chunksAtOnce);
      return { file: fileToWire(file), data: Buffer.concat(chunks) };
    },
  } satisfies Partial<Handlers<CaseServiceDefinition>>;
}

function withFile(found: Case | undefined, fileId: string): Case | undefined {
  return found?.files.some((file) => file.fileId === fileId) === true ? found : undefined;
}

/** The same for every part and for attaching it: a repeated request finds its own. */
function fileIdOf(caseId: string, uploadId: string, call: Call): string {
  const key = idFromWire(uploadId, "uploadId");
  const text = [call.tenantId, requireUser(call).userId, caseId, key].join("\0");
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

function offsetOf(given: bigint): number {
  const offset = Number(given);
  if (offset < 0 || offset % chunkBytes !== 0) throw invalidInput("offset", `must be a multiple of ${chunkBytes}`);
  return offset;
}

function tooLarge(): Refusal {
  return new Refusal("BODY_TOO_LARGE", `a file has at most ${maxDocumentBytes / 1024 / 1024} MB`);
}
