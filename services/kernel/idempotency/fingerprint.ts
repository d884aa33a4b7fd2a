import { createHash } from "node:crypto";

interface MessageType<T> {
  encode(message: T): { finish(): Uint8Array };
  fromPartial(partial: never): T;
}

/**
 * SHA-256 (hex) of the request's deterministic encoding. `omit` names what may differ between tries
 * of one request: idempotency key, password, OTP, PIN. Maps are encoded in the order of their keys.
 */
export function fingerprintOf<T extends object>(
  messageType: MessageType<T>,
  request: T,
  omit: readonly (keyof T)[],
): string {
  const retained = Object.fromEntries(Object.entries(request).filter(([name]) => !omit.includes(name as keyof T)));
  const bytes = messageType.encode(messageType.fromPartial(inOrder(retained) as never)).finish();
  return createHash("sha256").update(bytes).digest("hex");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null || value instanceof Date || ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item)]));
}
