import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** A program on PATH; undefined where there is none. */
export function onPath(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether tests can use what was looked for. Who waits for `npm test` goes without it; at any other
 * depth a run cannot go green by leaving them out, and this throws with `howToGetIt`.
 */
export function isThere(found: string | object | undefined, howToGetIt: string): boolean {
  if (found !== undefined) return true;
  if ((process.env["TEST_DEPTH"] ?? "quick") === "quick") return false;
  throw new Error(`These tests need ${howToGetIt}.`);
}
