import { createHash } from "node:crypto";
import { crashPoint } from "../../../shared/crash-point.js";
import { judgeList, type ListCounts } from "../../domain/screening/screening-list.js";
import type { EntryRow } from "../../store/screening-list-entries.js";
import type { ScreeningListStore, StoredList } from "../../store/screening-lists.js";
import { fingerprintOf } from "./fingerprint.js";
import { ListFault, type ListFile, type ListPart } from "./list-file.js";
import type { InflationLimits } from "./ods-rows.js";
import { parseList } from "./parse-list.js";

export interface LoadDeps {
  store: ScreeningListStore;
  now: () => Date;
  limits?: InflationLimits | undefined;
}

const rowsAtOnce = 500;
/** How long a load is its replica's, and how often that is said again. */
export const leaseMs = 30_000;
const renewEveryMs = 10_000;
const maxAttempts = 3;

/** The load is another replica's now; what this one has read goes. */
class LoadTaken extends Error {
  override readonly name = "LoadTaken";
}

/**
 * Reads a version that was taken (`takeDue`) and puts it to use, lets it wait, or ends it with the reason. Cut off anywhere it is
 * taken up again after the lease, up to three times. Throws what is no fault of the list.
 */
export async function loadList(list: StoredList, deps: LoadDeps): Promise<void> {
  const ofOwner = deps.store.forOwner(list.tenantId);
  const loadId = `${list.listId}.${list.attempts}`;
  if (list.attempts > maxAttempts) {
    return ofOwner.end(list, { status: "FAILED", reason: `the load was cut off ${maxAttempts} times` });
  }
  try {
    await readAndJudge(list, loadId, deps);
  } catch (error) {
    await deps.store.entries.forOwner(list.tenantId).remove(loadId);
    if (error instanceof LoadTaken) return;
    if (!(error instanceof ListFault)) throw error;
    await ofOwner.end(list, { status: "FAILED", reason: reasonOf(error), line: error.line });
  }
  await clear(list, deps);
}

async function readAndJudge(list: StoredList, loadId: string, deps: LoadDeps): Promise<void> {
  const { store } = deps;
  const ofOwner = store.forOwner(list.tenantId);
  const inUse = await ofOwner.findActive(list.source);
  if (inUse !== undefined && inUse.version > list.version) throw new ListFault("a newer version is in use");
  const read = await readEntries(list, loadId, inUse?.loadId ?? "", deps);
  const verdict = judgeList(read.counts, read.publishedAt, inUse);
  const publishedAt = read.publishedAt ?? list.publishedAt;
  const found = { ...read.counts, publishedAt, loadId, comparedWith: inUse?.listId ?? "" };
  crashPoint("compliance.list.read");
  if (verdict.verdict === "FAILED") throw new ListFault(verdict.reason);
  if (verdict.verdict === "WAITING") return ofOwner.end(list, { ...found, status: "WAITING", reason: verdict.reason });
  if (!(await ofOwner.renew(list, new Date(deps.now().getTime() + leaseMs)))) throw new LoadTaken();
  const isSwapped = await ofOwner.swap({ ...list, comparedWith: found.comparedWith }, found);
  crashPoint("compliance.list.swapped");
  if (!isSwapped) throw new ListFault("another version has come into use meanwhile: load the file again");
}

interface Read {
  counts: ListCounts;
  publishedAt: Date | undefined;
}

async function readEntries(list: StoredList, loadId: string, before: string, deps: LoadDeps): Promise<Read> {
  const rows = deps.store.entries.forOwner(list.tenantId);
  const known = await rows.fingerprints(before);
  const counts: ListCounts = { entries: 0, names: 0, added: 0, changed: 0, removed: 0 };
  const { files, assertWhole } = filesOf(list, deps);
  const parsed = parseList(list.source, files, deps.limits);
  const hold = holder(list, deps);
  let batch: EntryRow[] = [];
  const write = async () => {
    if (batch.length > 0) await rows.insert(batch);
    batch = [];
    crashPoint("compliance.list.entries");
    await hold();
  };
  for await (const entry of parsed.entries) {
    const fingerprint = fingerprintOf(entry);
    const old = known.get(entry.entryId);
    known.delete(entry.entryId);
    const change = old === undefined ? "ADDED" : old === fingerprint ? undefined : "CHANGED";
    counts.entries += 1;
    counts.names += entry.names.length;
    if (change !== undefined) counts[change === "ADDED" ? "added" : "changed"] += 1;
    batch.push({ loadId, entryId: entry.entryId, fingerprint, entry, ...(change !== undefined && { change }) });
    if (batch.length === rowsAtOnce) await write();
  }
  assertWhole();
  counts.removed = known.size;
  const removed = [...known.keys()];
  for (let at = 0; at < removed.length; at += rowsAtOnce) {
    const gone = await rows.find(before, removed.slice(at, at + rowsAtOnce));
    batch.push(...gone.map((row) => ({ ...row, loadId, change: "REMOVED" as const })));
    await write();
  }
  await write();
  return { counts, publishedAt: parsed.publishedAt() };
}

/** Renews the lease now and then. Throws LoadTaken where it is lost. */
function holder(list: StoredList, { store, now }: LoadDeps): () => Promise<void> {
  let renewed = performance.now();
  return async () => {
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
