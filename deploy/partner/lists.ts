import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the lists are, from the project's folder. All names in them are made up. */
export const listsFolder = join("deploy", "partner", "lists");

/** Sources with the files that each is published as: part, and file below the folder. */
const published = {
  OFAC_SDN: { SDN: "sdn.csv", ALT: "alt.csv", ADD: "add.csv", COMMENTS: "sdn_comments.csv" },
  EU: { LIST: "eu.csv" },
  UN: { LIST: "un.xml" },
  UK: { LIST: "uk.csv" },
  PEP: { LIST: "pep.csv" },
  CUSTOM: { LIST: "custom.csv" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface PublishedFile {
  source: string;
  /** "LIST" where a source is one file. */
  part: string;
  content: Buffer;
  /** Hexadecimal. */
  sha256: string;
}

/**
 * Lists as their sources publish them, with what was put in the place
 * of some. Reads the folder once.
 */
export function createPublishedLists(folder = listsFolder) {
  const shipped = Object.entries(published).flatMap(([source, files]) =>
    Object.entries(files).map(([part, file]) => fileOf(source, part, readFileSync(join(folder, file)))),
  );
  const replaced = new Map<string, PublishedFile>();
  const current = () => shipped.map((file) => replaced.get(keyOf(file)) ?? file);
  return {
    /** By source, in the order of the sources. */
    sources: () => [...Map.groupBy(current(), ({ source }) => source)],
    find: (source: string, part: string) => current().find((file) => file.source === source && file.part === part),
    /**
     * Publishes other bytes in a file's place until `restore`. False where there is no such file.
     */
    replace(source: string, part: string, content: Buffer): boolean {
      if (!shipped.some((file) => file.source === source && file.part === part)) return false;
      const file = fileOf(source, part, content);
      replaced.set(keyOf(file), file);
      return true;
    },
    restore: () => replaced.clear(),
  };
}

export type PublishedLists = ReturnType<typeof createPublishedLists>;

function fileOf(source: string, part: string, content: Buffer): PublishedFile {
  return { source, part, content, sha256: createHash("sha256").update(content).digest("hex") };
}

function keyOf({ source, part }: Pick<PublishedFile, "source" | "part">): string {
  return `${source} ${part}`;
}
