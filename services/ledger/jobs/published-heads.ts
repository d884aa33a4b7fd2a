import { appendFile, readFile } from "node:fs/promises";
import type { Logger } from "../../kernel/process/log.js";
import type { PublishedHead } from "../domain/journal.js";

/**
 * Tells heads outside the database, where nobody who edits it reaches: in the log, and in a file
 * that the operator names.
 */
export interface HeadPublisher {
  publish(head: PublishedHead): void;
  /** Resolves when all that was published is written. */
  flush(): Promise<void>;
}

export function createHeadPublisher({ file, log }: { file?: string | undefined; log: Logger }): HeadPublisher {
  const published = new Map<string, string>();
  let writing: Promise<void> = Promise.resolve();

  return {
    publish(head) {
      const { tenantId, seq, records } = head;
      const place = `${seq}/${records}`;
      if (place === "0/0" || published.get(tenantId) === place) return;
      published.set(tenantId, place);
      const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
      const chains = {
        seq: String(seq),
        hash: hex(head.hash),
        records: String(records),
        recordsHash: hex(head.recordsHash),
      };
      const line = { tenantId, ...chains };
      log.info({ ...line }, "head of the journal");
      if (file === undefined) return;
      const text = `${JSON.stringify({ ...line, at: new Date().toISOString() })}\n`;
      // A file that cannot be written stops no money: the log has the head as well.
      writing = writing
        .then(() => appendFile(file, text))
        .catch((error: unknown) => log.error({ err: error, file }, "the head could not be published"));
    },
    flush: () => writing,
  };
}

/**
 * Heads of a file that publishers wrote; lines that were cut off are passed over. Throws when the
 * file cannot be read.
 */
export async function readPublishedHeads(file: string): Promise<PublishedHead[]> {
  const heads: PublishedHead[] = [];
  for (const line of (await readFile(file, "utf8")).split("\n")) {
    const head = headOf(line);
    if (head !== undefined) heads.push(head);
  }
  return heads;
}

function headOf(line: string): PublishedHead | undefined {
  try {
    const { tenantId, seq, hash, records, recordsHash } = JSON.parse(line) as Record<string, unknown>;
    if (typeof tenantId !== "string" || typeof seq !== "string" || typeof hash !== "string") return undefined;
    if (typeof records !== "string" || typeof recordsHash !== "string") return undefined;
    const bytes = (hex: string) => Buffer.from(hex, "hex");
    const chains = { hash: bytes(hash), recordsHash: bytes(recordsHash) };
    return { tenantId, seq: BigInt(seq), records: BigInt(records), ...chains };
  } catch {
    return undefined;
  }
}
