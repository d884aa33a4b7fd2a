import { createHash } from "node:crypto";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { judgeList, type ListLoader } from "../domain/screening-list.js";
import { isOperators, operatorsOwnerFor } from "../domain/list-owner.js";
import type { Session } from "../../common/store/collections.js";
import type { ScreeningListStore, StoredList } from "../store/screening-lists.js";
import { ListFault, type ListFile, type ListPart } from "./list-file.js";
import type { InflationLimits } from "./ods-rows.js";
import { parseList } from "./parse-list.js";
import { readEntries } from "./read-entries.js";

export interface LoadDeps {
  store: ScreeningListStore;
  now: () => Date;
  limits?: InflationLimits | undefined;
  /** Aborted when the process ends: the load is given back. */
  signal?: AbortSignal | undefined;
  /** In the transaction that puts a version to use. */
  onSwap?: ((list: StoredList, session: Session) => Promise<void>) | undefined;
}

/** Who loads what the connector offers. */
export const connectorName = "connector";
/** How long a load is its replica's, and how often that is said again. */
export const leaseMs = 30_000;
const renewEveryMs = 10_000;
const maxAttempts = 3;

/** Whether a load ended by being cut off, which says nothing of the file. */
export function wasCutOff({ status, attempts }: Pick<StoredList, "status" | "attempts">): boolean {
  return status === "FAILED" && attempts > maxAttempts;
}

/** The load is another replica's now; what this one has read goes. */
class LoadTaken extends Error {
  override readonly name = "LoadTaken";
}

/** The process ends: what this one has read goes, and the next one begins anew. */
class LoadStopped extends Error {
  override readonly name = "LoadStopped";
}

/**
 * Reads a version that was taken (`takeDue`) and puts it to use, lets it wait, or ends it
 * with the reason. Cut off anywhere it is taken up again after the lease, up to three times.
 * Throws what is no fault of the list.
 */
export async function loadList(list: StoredList, deps: LoadDeps): Promise<void> {
  const ofOwner = deps.store.forOwner(list.tenantId);
  const entries = deps.store.entries.forOwner(list.tenantId);
  // What loads that were cut off have left; one that still runs finds its lease gone.
  for (let attempt = 1; attempt < list.attempts; attempt++) await entries.remove(loadIdOf(list, attempt));
  if (list.attempts > maxAttempts) {
    await ofOwner.end(list, { status: "FAILED", reason: `the load was cut off ${maxAttempts} times` });
    return clear(list, deps);
  }
  const loadId = loadIdOf(list, list.attempts);
  try {
    while (!(await readAndJudge(list, loadId, deps))) await entries.remove(loadId);
  } catch (error) {
    await entries.remove(loadId);
    if (error instanceof LoadTaken) return;
    if (error instanceof LoadStopped) return ofOwner.giveBack(list, deps.now());
    if (!(error instanceof ListFault)) throw error;
    await ofOwner.end(list, { status: "FAILED", reason: reasonOf(error), line: error.line });
  }
  await clear(list, deps);
}

function loadIdOf({ listId }: StoredList, attempt: number): string {
  return `${listId}.${attempt}`;
}

/**
 * False where another version has come into use meanwhile: what was compared
 * with the one before is read again.
 */
async function readAndJudge(list: StoredList, loadId: string, deps: LoadDeps): Promise<boolean> {
  const { store } = deps;
  const ofOwner = store.forOwner(list.tenantId);
  const inUse = await ofOwner.findActive(list.source);
  if (inUse !== undefined && inUse.version > list.version) throw new ListFault("a newer version is in use");
  const { files, assertWhole } = filesOf(list, deps);
  const parsed = parseList(list.source, files, deps.limits);
  const read = await readEntries({ ...parsed, store, loadId, inUse, owner: list.tenantId, hold: holder(list, deps) });
  assertWhole();
  const replaces = await replacesOperators(list, inUse, store);
  const verdict = judgeList(read, inUse, { loader: loaderOf(list), replacesOperators: replaces });
  const publishedAt = read.publishedAt ?? list.publishedAt;
  const found = { ...read.counts, publishedAt, loadId, comparedWith: inUse?.listId ?? "" };
  crashPoint("compliance.list.read");
  if (verdict.verdict === "FAILED") throw new ListFault(verdict.reason);
  if (!(await ofOwner.renew(list, new Date(deps.now().getTime() + leaseMs)))) throw new LoadTaken();
  if (verdict.verdict === "WAITING") return ofOwner.wait(list, { ...found, reason: verdict.reason });
  const isSwapped = await ofOwner.swap({ ...list, comparedWith: found.comparedWith }, found, deps.onSwap);
  crashPoint("compliance.list.swapped");
  return isSwapped;
}

function loaderOf({ tenantId, loadedBy, plugin }: StoredList): ListLoader {
  if (loadedBy === connectorName || plugin?.isPublishers === true) return "CONNECTOR";
  return isOperators(tenantId) ? "OPERATOR" : "ORGANISATION";
}

/** Whether it would be the first of a tenant's own, where the operator's counts until then. */
async function replacesOperators(
  { tenantId, source }: StoredList,
  inUse: StoredList | undefined,
  store: ScreeningListStore,
): Promise<boolean> {
  if (inUse !== undefined || isOperators(tenantId)) return false;
  return (await store.forOwner(operatorsOwnerFor(tenantId)).findActive(source)) !== undefined;
}

/**
 * Renews the lease now and then. Throws LoadTaken where it is lost,
 * LoadStopped where the process ends.
 */
function holder(list: StoredList, { store, now, signal }: LoadDeps): () => Promise<void> {
  let renewed = performance.now();
  return async () => {
    if (signal?.aborted === true) throw new LoadStopped();
    if (performance.now() - renewed < renewEveryMs) return;
    renewed = performance.now();
    if (!(await store.forOwner(list.tenantId).renew(list, new Date(now().getTime() + leaseMs)))) throw new LoadTaken();
  };
}

/** The uploaded files, and whether each was what its digest said once all are read. */
function filesOf(list: StoredList, { store }: LoadDeps): { files: ListFile[]; assertWhole(): void } {
  const parts = store.parts.forOwner(list.tenantId);
  const digests = list.files.map(() => createHash("sha256"));
  async function* hashed(index: number, uploadId: string) {
    for await (const chunk of parts.stream(uploadId)) {
      digests[index]!.update(chunk);
      yield chunk;
    }
  }
  const files = list.files.map(({ part, uploadId }, index) => ({
    part: part as ListPart,
    stream: hashed(index, uploadId),
  }));
  return {
    files,
    assertWhole() {
      list.files.forEach(({ part, sha256 }, index) => {
        if (digests[index]!.digest("hex") !== sha256)
          throw new ListFault("the uploaded bytes have another SHA-256 than was said", 0, part as ListPart);
      });
    },
  };
}

function reasonOf({ reason, part }: ListFault): string {
  return part === "" ? reason : `${part}: ${reason}`;
}

/** The uploaded parts, and entries of versions that nobody goes back to. */
async function clear(list: StoredList, { store }: LoadDeps): Promise<void> {
  const ofOwner = store.forOwner(list.tenantId);
  for (const { uploadId } of list.files) await store.parts.forOwner(list.tenantId).remove(uploadId);
  for (const over of await ofOwner.findOver(list.source)) {
    await store.entries.forOwner(list.tenantId).remove(over.loadId);
    await ofOwner.forgetEntries(over.listId);
  }
}
