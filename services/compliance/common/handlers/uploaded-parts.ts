import type { KeyedMutex } from "../../../kernel/batching/keyed-mutex.js";
import { systemClock } from "../../../kernel/time/clock.js";
import { Refusal } from "../../../kernel/refusal.js";
import { chunkBytes, type ChunkStore } from "../store/chunks.js";
import type { ComplianceStore, Session } from "../../decisions/store/index.js";
import type { UploadLimits, UploadQuotas } from "../store/upload-quotas.js";

export const keepUploadsMs = 24 * 3_600_000;

export interface PartToKeep {
  owner: string;
  limits: UploadLimits;
  fileId: string;
  /** Of the file, a multiple of `chunkBytes`. */
  offset: number;
  data: Uint8Array;
  /** Refuses what nobody has asked for; not asked of a part that is there already. */
  assertRequested?: (() => Promise<void>) | undefined;
}

export interface UploadedParts {
  /** Parts of one owner at a time: at once they would only run into each other. */
  turns: KeyedMutex;
  tenantId: string;
  store: Pick<ComplianceStore, "transaction">;
  chunks: Pick<ChunkStore, "putChunk" | "dropChunks">;
  quotas: ReturnType<UploadQuotas["forTenant"]>;
}

/**
 * Keeps a part of a file whole or not at all; one that is repeated counts once. Refuses KEY_REUSED
 * for other bytes at its place, and UPLOAD_LIMIT_REACHED.
 */
export async function keepPart(
  { store, chunks, quotas, turns, tenantId }: UploadedParts,
  part: PartToKeep,
): Promise<void> {
  const { owner, limits, fileId, offset, data, assertRequested } = part;
  // The expiry is real time, since MongoDB clears uploads that nobody finishes.
  const now = systemClock.now();
  const expiresAt = new Date(now.getTime() + keepUploadsMs);
  let requested: Promise<void> | undefined;
  async function keep(session: Session): Promise<void> {
    let bytes = 0;
    for (let at = 0; at < data.length; at += chunkBytes) {
      const chunk = Buffer.from(data.subarray(at, at + chunkBytes));
      const before = await chunks.putChunk(fileId, (offset + at) / chunkBytes, chunk, { expiresAt, session });
      if (before === undefined) bytes += chunk.length;
      else if (!before.equals(chunk)) throw new Refusal("KEY_REUSED", "this upload key was used for another content");
    }
    if (bytes === 0) return;
    await (requested ??= assertRequested?.());
    await quotas.take(owner, { uploadId: fileId, bytes, expiresAt, now }, limits, session);
  }
  // What a lost answer leaves open is settled by the part's repetition.
  await turns.runExclusive(`${tenantId} ${owner}`, () => store.transaction(keep, async () => undefined));
}

/**
 * Drops an upload whose content is refused, so that it counts no more; what
 * somebody has kept since stays.
 */
export async function dropUpload(
  { store, chunks, quotas, turns, tenantId }: UploadedParts,
  { owner, fileId }: Pick<PartToKeep, "owner" | "fileId">,
): Promise<void> {
  async function drop(session: Session): Promise<void> {
    await chunks.dropChunks(fileId, session);
    await quotas.release(owner, fileId, session);
  }
  await turns.runExclusive(`${tenantId} ${owner}`, () => store.transaction(drop, async () => undefined));
}
