import { createHash } from "node:crypto";
import { invalidInput } from "../../kernel/refusal.js";

// Enough to catch a cursor used with another request; it guards nothing.
const scopeBytes = 6;

/** A page's end, as callers hand it back with the same request (`scope`). */
export function cursorOf(scope: readonly unknown[], position: string): string {
  return Buffer.concat([scopeHash(scope), Buffer.from(position, "utf8")]).toString("base64url");
}

/**
 * The position of a cursor; undefined for none. Refuses INVALID_INPUT for one of another request.
 */
export function positionOf(scope: readonly unknown[], cursor: string, path = "cursor"): string | undefined {
  if (cursor === "") return undefined;
  const bytes = Buffer.from(cursor, "base64url");
  if (bytes.length <= scopeBytes || !bytes.subarray(0, scopeBytes).equals(scopeHash(scope))) {
    throw invalidInput(path, "is not the next_cursor of a page of this request");
  }
  return bytes.subarray(scopeBytes).toString("utf8");
}

/** As positionOf, for a sequence. */
export function sequenceOf(scope: readonly unknown[], cursor: string): bigint | undefined {
  const position = positionOf(scope, cursor);
  if (position === undefined) return undefined;
  if (!/^\d{1,19}$/.test(position)) throw invalidInput("cursor", "is not the next_cursor of a page of this request");
  return BigInt(position);
}

function scopeHash(scope: readonly unknown[]): Buffer {
  return createHash("sha256").update(JSON.stringify(scope)).digest().subarray(0, scopeBytes);
}
