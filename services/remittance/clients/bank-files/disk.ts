import { open } from "node:fs/promises";
import { Refusal } from "../../../kernel/refusal.js";

/** Of what a file system refuses; a database's are numbers. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Refusal) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** A file that is not there yet, on the disk. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o640);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Has the disk keep which files a folder has. */
export async function flush(folder: string): Promise<void> {
  const opened = await open(folder, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
