import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ReleaseError } from "./release-error.js";

export const sumsName = "SHA256SUMS";
export const signatureName = `${sumsName}.minisig`;

/** Writes the sums of all that the folder holds, as `sha256sum --check` reads them. */
export async function writeSums(folder: string): Promise<void> {
  await writeFile(join(folder, sumsName), await sumsOf(folder));
}

/** Throws a ReleaseError where the folder does not hold what its sums say, no more and no less. */
export async function checkSums(folder: string): Promise<void> {
  const written = await readFile(join(folder, sumsName), "utf8").catch(() => "");
  if (written === "" || written !== (await sumsOf(folder))) {
    throw new ReleaseError(`${folder} does not hold what its ${sumsName} says: remove it and build it again`);
  }
}

async function sumsOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(sumsName)).toSorted();
  const lines: string[] = [];
  for (const name of names) lines.push(`${await sha256Of(join(folder, name))}  ${name}\n`);
  return lines.join("");
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
