import { createHash } from "node:crypto";
import type { ScreeningServiceDefinition } from "../../../../proto/gen/compliance/v1/screening.js";
import { systemClock } from "../../../kernel/time/clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { isOperators, operatorsOwnerFor } from "../domain/list-owner.js";
import { assertMayApprove } from "../domain/screening-list.js";
import { requestLoad, findRequestedLoad } from "../loading/request-load.js";
import { keepUploadsMs, maxPartBytes, maxUploadBytes, readUpload } from "../loading/uploads.js";
import type { Session } from "../../decisions/store/index.js";
import { placeOfList, type StoredList } from "../store/screening-lists.js";
import { listCursorAfter, listQueryFromWire, listToWire, loadFromWire } from "../wire/screening-lists.js";
import { auditEntry } from "../../common/handlers/audit.js";
import type { ScreeningListDeps } from "./deps.js";

/** Of an owner: OFAC's are four files, and the largest list may be tried again. */
const openUploads = { uploads: 16, bytes: 8 * maxUploadBytes };

/**
 * Versions of lists. A manager sees the operator's and the tenant's own, and loads the tenant's
 * own; the operator's are the operator's to load and to approve.
 */
export function screeningListHandlers(deps: ScreeningListDeps) {
  const { store, clock, lists, screeningPolicyVersions } = deps;

  /** As the caller sees them. The operator's people have no policy. */
  async function shownTo(call: Call, found: readonly StoredList[]) {
    const compared = call.caller === "operator" ? [] : (await screeningPolicyVersions.current(call.tenantId)).lists;
    return found.map((list) => listToWire(list, call, compared));
  }
  const answerOf = async (call: Call, list: StoredList) => ({ list: (await shownTo(call, [list]))[0]! });

  async function find(named: string, call: Call): Promise<StoredList> {
    const listId = idFromWire(named, "listId");
    for (const owner of ownersFor(call)) {
      const found = await lists.store.forOwner(owner).find(listId);
      if (found !== undefined) return found;
    }
    throw new Refusal("NOT_FOUND", "no such list");
  }

  function audit(call: Call, action: string, list: Partial<StoredList>, by: string, session?: Session) {
    const { source, listId, version, sha256 } = list;
    const subject = `screening-list:${source}`;
    // What was found names the version by its id.
    const subjects = [subject, `screening-list:${listId}`];
    const decided = { action, subject, subjects, content: { listId, source, version, sha256, by } };
    return store.forTenant(ownerOf(call)).insertAudit(auditEntry(call, clock, decided), session);
  }

  /**
   * What is wrong with uploads, naming the field; they stay, to be loaded again with what is right.
   */
  async function faultOf(
    files: readonly { uploadId: string; sha256: string }[],
    owner: string,
  ): Promise<Refusal | undefined> {
    for (const [index, { uploadId, sha256 }] of files.entries()) {
      const found = await readUpload(lists.store, { owner, uploadId });
      const of = (field: string, what: string) => invalidInput(`files.${index}.${field}`, what);
      if (found.end === 0) return of("uploadId", "has no uploaded parts: upload them first, as the same person");
      if (found.bytes < found.end) return of("uploadId", `has no part that begins at byte ${found.bytes}`);
      if (found.sha256 !== sha256) return of("sha256", `is not that of the ${found.bytes} bytes that were uploaded`);
    }
    return undefined;
  }

  // Whoever asked need not wait for it, and it is begun within seconds by itself.
  const wake = () => void lists.wake().catch(() => undefined);

  return {
    async listScreeningLists(request, call) {
      const { by, ...page } = listQueryFromWire(request);
      const found = await Promise.all(ownersFor(call).map((owner) => lists.store.forOwner(owner).list(page, by)));
      const newest = found.flat().toSorted((a, b) => (placeOfList(a) < placeOfList(b) ? 1 : -1));
      const shown = newest.slice(0, page.limit);
      return { lists: await shownTo(call, shown), nextCursor: listCursorAfter(shown, page.limit) };
    },

    async getScreeningList({ listId }, call) {
      return answerOf(call, await find(listId, call));
    },

    async uploadScreeningListPart({ uploadId, offset, data }, call) {
      const at = Number(offset);
      if (data.length === 0 || data.length > maxPartBytes)
        throw invalidInput("data", `must have 1 to ${maxPartBytes} bytes`);
      if (!(at >= 0)) throw invalidInput("offset", "must not be negative");
      if (at + data.length > maxUploadBytes)
        throw new Refusal("BODY_TOO_LARGE", `a list's file has at most ${maxUploadBytes / 1024 ** 2} MB`);
      const parts = lists.store.parts.forOwner(ownerOf(call));
      const now = systemClock.now();
      const expiresAt = new Date(now.getTime() + keepUploadsMs);
      const named = uploadOf(uploadId, "uploadId", call);
      const stored = await parts.putWithin(openUploads, { uploadId: named, offset: at, data, expiresAt, now });
      if (!stored.equals(data)) throw new Refusal("KEY_REUSED", "this upload was used for another content");
      return {};
    },

    async loadScreeningList(request, call) {
      const requested = loadFromWire(request);
      const loadedBy = personOf(call, request.operator);
      const { publishedAt } = request;
      const now = systemClock.now();
      if (publishedAt !== undefined && publishedAt > now) throw invalidInput("publishedAt", "must not lie ahead");
      const files = requested.files.map(({ part, sha256, uploadId }, index) => ({
        part,
        sha256,
        uploadId: uploadOf(uploadId, `files.${index}.uploadId`, call),
      }));
      const owner = ownerOf(call);
      const { source } = requested;
      const requestedAs = JSON.stringify(files.map(({ part, sha256, uploadId }) => [part, sha256, uploadId]));
      // Once a version is made of them the uploads go: asked for again, it is that version.
      const isKnown = async () => (await findRequestedLoad(lists.store, { owner, source, requestedAs })) !== undefined;
      const fault = (await isKnown()) ? undefined : await faultOf(files, owner);
      if (fault !== undefined && !(await isKnown())) throw fault;
      const list = await requestLoad(
        lists.store,
        {
          owner,
          source,
          files,
          loadedBy,
          now,
          requestedAs,
          ...(publishedAt !== undefined && { publishedAt }),
        },
        (made) => audit(call, "screening-list.load", made, loadedBy),
      );
      crashPoint("compliance.list.asked");
      wake();
      return answerOf(call, list);
    },

    async approveScreeningList(request, call) {
      const approver = personOf(call, request.operator);
      const list = await find(request.listId, call);
      if (isOperators(list.tenantId) && call.caller !== "operator")
        throw new Refusal("FORBIDDEN", "the operator's lists are approved by the operator");
      if (list.status === "ACTIVE" && list.approvedBy === approver) return answerOf(call, list);
      assertMayApprove(list, approver);
      const ofOwner = lists.store.forOwner(list.tenantId);
      const isSwapped = await ofOwner.swap(list, { approvedBy: approver }, async (swapped, session) => {
        await audit(call, "screening-list.approve", swapped, approver, session);
        await lists.onSwap?.(swapped, session);
      });
      crashPoint("compliance.list.approved");
      if (!isSwapped)
        throw new Refusal(
          "STATE_CONFLICT",
          "another version has come into use since this one was compared: load it again",
        );
      wake();
      return answerOf(call, (await ofOwner.find(list.listId)) ?? list);
    },
  } satisfies Partial<Handlers<ScreeningServiceDefinition>>;
}

/** Whose lists a call changes. */
function ownerOf(call: Call): string {
  if (call.caller === "operator") return operatorsOwnerFor(call.tenantId);
  requireUser(call);
  return call.tenantId;
}

/** Whose lists a call sees. */
function ownersFor(call: Call): string[] {
  return [...new Set([ownerOf(call), operatorsOwnerFor(call.tenantId)])];
}

/** Who is written down: the user, or who of the operator's people it says that it is. */
function personOf(call: Call, operator: string): string {
  if (call.caller !== "operator") {
    if (operator !== "") throw invalidInput("operator", "is of the operator's calls alone");
    return requireUser(call).userId;
  }
  if (!/^[\w.@-]{1,64}$/.test(operator))
    throw invalidInput("operator", "must name who asks: 1 to 64 letters, digits, _ . @ -");
  return `operator:${operator}`;
}

/** The same for every part and for the load, and nobody else's. */
function uploadOf(uploadId: string, path: string, call: Call): string {
  const text = [call.user?.userId ?? call.caller, idFromWire(uploadId, path)].join("\0");
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}
