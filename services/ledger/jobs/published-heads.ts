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
  const published = new Map<string, bigint>();
  let writing: Promise<void> = Promise.resolve();

  return {
    publish(head) {
      const { tenantId, seq } = head;
      if (seq === 0n || published.get(tenantId) === seq) return;
      published.set(tenantId, seq);
      const line = { tenantId, seq: String(seq), hash: Buffer.from(head.hash).toString("hex") };
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
    const { tenantId, seq, hash } = JSON.parse(line) as Record<string, unknown>;
    if (typeof tenantId !== "string" || typeof seq !== "string" || typeof hash !== "string") return undefined;
    return { tenantId, seq: BigInt(seq), hash: Buffer.from(hash, "hex") };
  } catch {
    return undefined;
  }
}
