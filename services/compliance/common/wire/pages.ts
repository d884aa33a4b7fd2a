import { invalidInput } from "../../../kernel/refusal.js";

/** Refuses INVALID_INPUT beyond 1 to 100; 0 means 20. */
export function pageFromWire({ pageSize, cursor }: { pageSize: number; cursor: string }) {
  if (pageSize < 0 || pageSize > 100) throw invalidInput("pageSize", "must be 1 to 100");
  if (cursor.length > 128) throw invalidInput("cursor", "must be the cursor of the page before");
  return { limit: pageSize === 0 ? 20 : pageSize, ...(cursor !== "" && { after: cursor }) };
}

/**
 * The same, of a list whose cursor is a number that counts down. Refuses INVALID_INPUT for any
 * other cursor.
 */
export function numberedPageFromWire(request: { pageSize: number; cursor: string }) {
  if (!/^\d{0,15}$/.test(request.cursor)) throw invalidInput("cursor", "must be the cursor of the page before");
  return pageFromWire(request);
}

/** The cursor of the next page; empty where this one is the last. */
export function nextCursor<T>(found: readonly T[], { limit }: { limit: number }, idOf: (item: T) => string): string {
  const last = found.at(-1);
  return last === undefined || found.length < limit ? "" : idOf(last);
}
