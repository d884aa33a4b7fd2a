import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterFile } from "./cluster-file.js";
import { projectRoot } from "./project.js";

/**
 * Whether the demo tenants are in the databases of a data folder already: the same demo, loaded by
 * the same program, for the same address and services, into the databases that still lie there. Of
 * a MongoDB that is not our own nothing is taken for granted.
 */
export function seedingOf({ dataDir, baseUrl, addresses }: ClusterFile) {
  const path = join(dataDir, "seeded");

  function fingerprint(): string | undefined {
    // Made once, when the databases are.
    const born = statSync(join(dataDir, "mongo", "storage.bson"), { throwIfNoEntry: false });
    if (born === undefined || process.env.MONGODB_URI) return undefined;
    const hash = createHash("sha256").update(
      JSON.stringify([baseUrl, Object.keys(addresses), born.ino, born.birthtimeMs]),
    );
    for (const folder of [join(projectRoot(), "dist", "deploy", "seed"), join(projectRoot(), "deploy", "seed")]) {
      for (const name of existsSync(folder) ? readdirSync(folder).toSorted() : []) {
        if (/(?<!\.test)\.(js|ts|yaml|json)$/.test(name)) hash.update(readFileSync(join(folder, name)));
      }
    }
    return hash.digest("hex");
  }

  function read(name: string): string {
    try {
      return readFileSync(name, "utf8");
    } catch {
      return "";
    }
  }

  function isWhole(text: string): boolean {
    try {
      return Array.isArray((JSON.parse(text) as { tenants?: unknown } | null)?.tenants);
    } catch {
      return false;
    }
  }

  return {
    // A file that a full disk or a power cut left half is made again.
    isDone: (): boolean => isWhole(read(join(dataDir, "demo.json"))) && read(path) === fingerprint(),
    note(): void {
      const now = fingerprint();
      if (now !== undefined) writeFileSync(path, now, { mode: 0o600 });
    },
  };
}
