import { createHash } from "node:crypto";
import type { ScreeningListStore } from "../store/screening-lists.js";

export const maxPartBytes = 1024 * 1024;
/** The largest published file has 18 MB. */
export const maxUploadBytes = 64 * 1024 * 1024;
export const keepUploadsMs = 24 * 3_600_000;

/** Keeps a file in parts; its digest. */
export async function keepFile(
  store: ScreeningListStore,
  { owner, uploadId, now }: { owner: string; uploadId: string; now: Date },
  stream: AsyncIterable<Uint8Array>,
): Promise<string> {
  const parts = store.parts.forOwner(owner);
  const digest = createHash("sha256");
  const expiresAt = new Date(now.getTime() + keepUploadsMs);
  let waiting: Uint8Array[] = [];
  let [bytes, offset] = [0, 0];
  const write = async () => {
    const data = Buffer.concat(waiting);
    for (let at = 0; at < data.length; at += maxPartBytes) {
      await parts.put(uploadId, offset + at, data.subarray(at, at + maxPartBytes), expiresAt);
    }
    offset += data.length;
    [waiting, bytes] = [[], 0];
  };
  for await (const chunk of stream) {
    digest.update(chunk);
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxPartBytes) await write();
  }
  if (bytes > 0) await write();
  return digest.digest("hex");
}

/**
 * What was uploaded: its bytes up to the first gap with their digest, and where the last part ends.
 */
export async function readUpload(
  store: ScreeningListStore,
  { owner, uploadId }: { owner: string; uploadId: string },
): Promise<{ bytes: number; end: number; sha256: string }> {
  const parts = store.parts.forOwner(owner);
  const digest = createHash("sha256");
  let bytes = 0;
  for await (const chunk of parts.stream(uploadId)) {
    digest.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, end: await parts.end(uploadId), sha256: digest.digest("hex") };
}
