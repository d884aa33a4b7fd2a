import { mongo } from "mongoose";

/** Bytes as they are written, or as MongoDB answers them. */
export type StoredBytes = Uint8Array | mongo.Binary;

export function bytesOf(stored: StoredBytes): Uint8Array {
  return stored instanceof mongo.Binary ? stored.buffer.subarray(0, stored.length()) : stored;
}
