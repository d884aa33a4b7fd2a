import { createHash } from "node:crypto";
import type { mongo } from "mongoose";

export interface Digest {
  readonly count: number;
  /** Hexadecimal, of 256 bits. */
  readonly sum: string;
}

const modulus = 2n ** 256n;

/**
 * Adds up SHA-256 of documents' bytes: equal for equal documents in any order, so that nothing has
 * to be sorted or remembered.
 */
export function createDigest() {
  let count = 0;
  let sum = 0n;
  return {
    add(bytes: Uint8Array): void {
      count++;
      sum = (sum + BigInt(`0x${createHash("sha256").update(bytes).digest("hex")}`)) % modulus;
    },
    get: (): Digest => ({ count, sum: sum.toString(16).padStart(64, "0") }),
  };
}

export function isSame(a: Digest, b: Digest): boolean {
  return a.count === b.count && a.sum === b.sum;
}

/** Of a tenant's documents in a collection, one by one as their bytes lie there. */
export async function digestOf(collection: mongo.Collection, tenantId: string): Promise<Digest> {
  const digest = createDigest();
  for await (const bytes of rawOf(collection, tenantId)) digest.add(bytes);
  return digest.get();
}

/** A tenant's documents as BSON. */
export function rawOf(collection: mongo.Collection, tenantId: string): AsyncIterable<Uint8Array> {
  return collection.find({ tenantId }, { raw: true, batchSize: 500 }) as unknown as AsyncIterable<Uint8Array>;
}
