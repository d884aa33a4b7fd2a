import { mongo } from "mongoose";
import { comment } from "../places.js";
import { digestOf, isSame, rawOf, type Digest } from "./digest.js";

const { BSON } = mongo;
// As they were written: an int64 stays one, and so does a double.
const exact = {
  promoteValues: false,
  promoteLongs: false,
  promoteBuffers: false,
  bsonRegExp: true,
  useBigInt64: false,
};
const maxBatch = 500;
const maxBatchBytes = 4 * 1024 * 1024;
const rounds = 3;

interface Stored {
  id: unknown;
  bytes: Uint8Array;
}

/**
 * Makes a tenant's documents of one collection the same at both ends, and proves it by count and
 * digest. What is there already is not sent again, so a copy that was cut off goes on. Holds no
 * more than a batch in memory. Throws when both ends still differ after three rounds, and for an id
 * that another tenant has there.
 */
export async function copyCollection(
  from: mongo.Collection,
  to: mongo.Collection,
  tenantId: string,
): Promise<Digest & { sent: number }> {
  let sent = 0;
  for (let round = 1; round <= rounds; round++) {
    // First, since a document that was deleted and made anew meets its old one in a unique index.
    await removeStrange(from, to, tenantId);
    sent += await sendMissing(from, to, tenantId);
    const [source, target] = [await digestOf(from, tenantId), await digestOf(to, tenantId)];
    if (isSame(source, target)) return { ...source, sent };
  }
  throw new Error(`${from.namespace}: both sides still differ; is the tenant held on both?`);
}

async function sendMissing(from: mongo.Collection, to: mongo.Collection, tenantId: string): Promise<number> {
  let sent = 0;
  for await (const batch of batchesOf(from, tenantId)) {
    const there = await tenantsById(to, batch);
    const missing = batch.filter(({ id }) => {
      const owner = there.get(keyOf(id));
      if (owner !== undefined && owner !== tenantId) {
        throw new Error(`${to.namespace}: ${keyOf(id)} belongs to another tenant there`);
      }
      return owner === undefined;
    });
    if (missing.length === 0) continue;
    const documents = missing.map(({ bytes }) => BSON.deserialize(bytes, exact));
    // The hold refuses all other writers.
    await to.insertMany(documents, { ordered: false, bypassDocumentValidation: true, comment });
    sent += missing.length;
  }
  return sent;
}

/**
 * Takes away at the target what is not at the source byte by byte: it expired there, or differs.
 */
async function removeStrange(from: mongo.Collection, to: mongo.Collection, tenantId: string): Promise<void> {
  for await (const batch of batchesOf(to, tenantId)) {
    const ids = batch.map(({ id }) => id) as never[];
    const found = from.find({ tenantId, _id: { $in: ids } }, { raw: true });
    const known = new Set<string>();
    for await (const bytes of found as unknown as AsyncIterable<Uint8Array>) known.add(textOf(bytes));
    const strange = batch.filter(({ bytes }) => !known.has(textOf(bytes)));
    if (strange.length > 0) await to.deleteMany({ tenantId, _id: { $in: strange.map(({ id }) => id) as never[] } });
  }
}

async function tenantsById(to: mongo.Collection, batch: readonly Stored[]): Promise<Map<string, unknown>> {
  const ids = batch.map(({ id }) => id) as never[];
  const projection = { _id: 1, tenantId: 1 };
  const found = to.find({ _id: { $in: ids } }, { ...exact, projection, comment });
  const there = new Map<string, unknown>();
  for await (const { _id, tenantId } of found) there.set(keyOf(_id), tenantId);
  return there;
}

async function* batchesOf(collection: mongo.Collection, tenantId: string): AsyncGenerator<Stored[]> {
  let batch: Stored[] = [];
  let size = 0;
  for await (const raw of rawOf(collection, tenantId)) {
    // The cursor's own buffer is used again.
    const bytes = Uint8Array.from(raw);
    batch.push({ id: BSON.deserialize(bytes, exact)["_id"], bytes });
    size += bytes.byteLength;
    if (batch.length < maxBatch && size < maxBatchBytes) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

const keyOf = (id: unknown): string => BSON.EJSON.stringify({ id }, { relaxed: false });
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
