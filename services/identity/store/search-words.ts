import { isDeepStrictEqual } from "node:util";
import type { Connection } from "mongoose";
import { createHeldTenants } from "../../shared/mongo/held-tenants.js";
import { acrossTenants, type BulkOperation } from "../../shared/mongo/tenant-collection.js";
import { searchWordsOf } from "../domain/search-words.js";
import type { StoredUser } from "./collections.js";

const batch = 500;

/**
 * Gives every customer the words that they are found by, and takes them from whoever was erased. Only what differs is written, and only
 * while name, address and erasure are as they were read, so it may run again, twice at once, and beside whatever changes people.
 */
export async function fillSearchWords(db: Connection): Promise<void> {
  const users = acrossTenants<StoredUser>(db, "users", "words that customers are found by");
  const held = createHeldTenants(db, "users");
  for (let after = ""; ;) {
    const which = { ...(await held.look()), "customer.id": { $exists: true }, _id: { $gt: after } };
    const found = await users.find(which, {
      sort: { _id: 1 },
      limit: batch,
      projection: { tenantId: 1, emailKey: 1, erasedAt: 1, customer: 1 },
    });
    const changes = found.flatMap(changeOf);
    if (changes.length > 0) await users.bulkWrite(changes, { ordered: false });
    if (found.length < batch) return;
    after = found.at(-1)!._id;
  }
}

function changeOf({ _id, tenantId, emailKey, erasedAt, customer }: StoredUser): BulkOperation<StoredUser>[] {
  if (customer === undefined) return [];
  const words = erasedAt === undefined ? searchWordsOf({ emailKey, customer }) : undefined;
  if (isDeepStrictEqual(words, customer.searchWords)) return [];
  const { firstName, lastName } = customer;
  const filter = {
    _id,
    tenantId,
    emailKey,
    "customer.firstName": firstName,
    "customer.lastName": lastName,
    erasedAt: { $exists: erasedAt !== undefined },
  };
  const path = "customer.searchWords";
  const update = words === undefined ? { $unset: { [path]: true } } : { $set: { [path]: words } };
  return [{ updateOne: { filter, update } } as unknown as BulkOperation<StoredUser>];
}
