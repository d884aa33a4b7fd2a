import { invalidInput } from "../../kernel/refusal.js";
import type { createFaults } from "../../kernel/text/faults.js";

const largestPage = 1_000;

/**
 * What a list's request asks for: 1 to 1000 (0 means 1000), after a token. Refuses INVALID_INPUT.
 */
export function pageOf({ pageSize, pageToken }: { pageSize: number; pageToken: string }) {
  if (pageSize < 0 || pageSize > largestPage) throw invalidInput("pageSize", `must be 1 to ${largestPage}`);
  return { after: pageToken, limit: pageSize === 0 ? largestPage : pageSize };
}

/** Notes a fault unless the key has 1 to 255 characters. */
export function checkKey(key: string, faults: ReturnType<typeof createFaults>): void {
  if (key === "" || key.length > 255) faults.add("idempotencyKey", "must have 1 to 255 characters");
}

/** Notes a fault where the text is empty. */
export function checkGiven(text: string, path: string, faults: ReturnType<typeof createFaults>): void {
  if (text === "") faults.add(path, "is required");
}
