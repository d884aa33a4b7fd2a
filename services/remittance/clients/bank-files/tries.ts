import { createHash } from "node:crypto";
import type { InboxOptions } from "./inbox.js";
import type { WaitingFile } from "./folders.js";
import { FileFault, TriesFault } from "./xml.js";

const mostTries = 3;
// Far longer than a file may take: a try that a crash has cut off is over then.
const takenForMs = 120_000;

/** Whether nobody tries again after this one. */
export function isLast(tries: number): boolean {
  return tries >= mostTries;
}

/** Throws FileFault where every try that a file has was begun, and none of them came to an end. */
export function tooManyTries(tries: number): void {
  if (tries > mostTries) throw new FileFault(`could not be read in ${mostTries} tries: each was cut off`);
}

/**
 * Counts how often each file was tried, before it is opened: one that ends the process is not
 * opened for ever. What is no fault of the file, such as a database that is away, is no try.
 */
export function fileTries({
  tenantId,
  installationId,
  store,
}: Pick<InboxOptions, "tenantId" | "installationId" | "store">) {
  const { bankFiles } = store.forTenant(tenantId);
  return {
    /** What may hold others up comes last. */
    async leastTriedFirst(files: readonly WaitingFile[]): Promise<WaitingFile[]> {
      const known = await bankFiles.listTries(installationId, files.map(keyOf));
      const tries = new Map(known.map((one) => [one.file, one.tries]));
      return files.toSorted((a, b) => (tries.get(keyOf(a)) ?? 0) - (tries.get(keyOf(b)) ?? 0));
    },
    /** Those that were begun and came to no end. */
    async unended(files: readonly WaitingFile[]): Promise<WaitingFile[]> {
      const known = new Set((await bankFiles.listTries(installationId, files.map(keyOf))).map(({ file }) => file));
      return files.filter((file) => known.has(keyOf(file)));
    },
    /** Nothing where the last try may be somebody else's who is at it. */
    async count<Report>(file: WaitingFile, read: (tries: number) => Promise<Report[]>): Promise<Report[]> {
      const key = keyOf(file);
      // Leases are of real time, not of business time.
      const number = await bankFiles.beginTry(installationId, key, {
        now: new Date(),
        forMs: takenForMs,
        most: mostTries,
      });
      if (number === undefined) return [];
      try {
        const reports = await read(number);
        await bankFiles.forgetTries(installationId, key);
        return reports;
      } catch (error) {
        await bankFiles.endTry(installationId, key, new Date(), error instanceof TriesFault);
        throw error;
      }
    },
  };
}

function keyOf({ name, size, changedAt }: WaitingFile): string {
  return createHash("sha256").update(`${size} ${changedAt.getTime()} ${name}`).digest("hex");
}
