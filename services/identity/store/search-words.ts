import { isDeepStrictEqual } from "node:util";
import type { Connection } from "mongoose";
import { createHeldTenants } from "../../shared/mongo/held-tenants.js";
import { acrossTenants, type BulkOperation } from "../../shared/mongo/tenant-collection.js";
import { searchWordsOf } from "../domain/search-words.js";
import type { StoredUser } from "./collections.js";

const batch = 500;

/** Hears of a customer whose words cannot be said. */
type Leave = (about: { tenantId: string; userId: string }, error: unknown) => void;
const rethrow: Leave = (_about, error) => {
  throw error;
};

/** Of `users`, for takeWordsOfErased. */
export const erasedWithWords = "erased_with_words";

/**
 * Gives every customer the words that they are found by, and takes them from whoever was erased. Only what differs is written, and only
 * while name, address, status and erasure are as they were read, so it may run again, twice at once, and beside whatever changes people.
 * One whose words cannot be said is left, where somebody hears of it.
 */
export async function fillSearchWords(db: Connection, leave: Leave = rethrow): Promise<void> {
  const users = acrossTenants<StoredUser>(db, "users", "words that customers are found by");
  const held = createHeldTenants(db, "users");
  for (let after = ""; ;) {
    const which = { ...(await held.look()), "customer.id": { $exists: true }, _id: { $gt: after } };
    const found = await users.find(which, {
      sort: { _id: 1 },
      limit: batch,
      projection: { tenantId: 1, emailKey: 1, erasedAt: 1, customer: 1 },
    });
    const changes = found.flatMap((one) => {
      try {
        return changeOf(one);
      } catch (error) {
        leave({ tenantId: one.tenantId, userId: one._id }, error);
        return [];
      }
    });
    if (changes.length > 0) await users.bulkWrite(changes, { ordered: false });
    if (found.length < batch) return;
    after = found.at(-1)!._id;
  }
}

/**
 * Takes the words of whoever was erased: by an index that holds nobody else, and nobody at all but where the version before, which
 * knows no words, erased them. Those of a tenant that is held have their turn later.
 */
export async function takeWordsOfErased(db: Connection): Promise<void> {
  const users = acrossTenants<StoredUser>(db, "users", "words of whoever was erased");
  const held = createHeldTenants(db, "users");
  for (;;) {
    const which = { ...(await held.look()), erasedAt: { $exists: true }, "customer.searchWords": { $exists: true } };
    const projection = { tenantId: 1 } as const;
    const found = await users.find(which, { limit: batch, hint: erasedWithWords, projection });
    const changes = found.map(({ _id, tenantId }) => ({
      updateOne: {
        filter: { _id, tenantId, erasedAt: { $exists: true } },
        update: { $unset: { "customer.searchWords": true } },
      },
    }));
    if (changes.length > 0) await users.bulkWrite(changes as never, { ordered: false });
    if (found.length < batch) return;
  }
}

/** A customer as they were read, as far as words follow from it. */
export function wordsAsRead({ _id, emailKey, erasedAt, customer }: StoredUser): object {
  return {
    _id,
    emailKey,
    "customer.firstName": customer?.firstName,
    "customer.lastName": customer?.lastName,
    "customer.standing.sequence": customer?.standing?.sequence ?? { $exists: false },
    erasedAt: { $exists: erasedAt !== undefined },
  };
}

function changeOf(found: StoredUser): BulkOperation<StoredUser>[] {
  const { tenantId, emailKey, erasedAt, customer } = found;
  if (customer === undefined) return [];
  const words = erasedAt === undefined ? searchWordsOf({ emailKey, customer }) : undefined;
  if (isDeepStrictEqual(words, customer.searchWords)) return [];
  const filter = { ...wordsAsRead(found), tenantId };
  const path = "customer.searchWords";
  const update = words === undefined ? { $unset: { [path]: true } } : { $set: { [path]: words } };
  return [{ updateOne: { filter, update } } as unknown as BulkOperation<StoredUser>];
}
