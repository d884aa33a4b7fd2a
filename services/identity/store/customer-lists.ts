import type { Filter } from "../../shared/mongo/collection.js";
import type { CustomerStatus } from "../domain/people.js";
import type { CustomerSearch } from "../domain/search-words.js";
import type { StoredUser } from "./collections.js";

/** Which customers are listed: those of an agent where one is named. Whoever was erased is found by no search and no status. */
export interface CustomerFilter {
  agentId?: string;
  search?: CustomerSearch;
  status?: CustomerStatus;
}

/**
 * What finds the customers of a list, each along its index: where one is to be found among many, MongoDB itself would rather walk
 * through all of them in the order that is asked for.
 */
export function readsOf(
  { agentId, search, status }: CustomerFilter,
  lookUp: (number: string) => string,
): { which: Filter<StoredUser>; hint?: string }[] {
  const managed = agentId === undefined ? {} : { "customer.agentId": agentId };
  if (search === undefined && status === undefined) return [{ which: managed }];
  const narrowed = { ...managed, ...(status !== undefined && ofStatus(status)), erasedAt: { $exists: false } };
  if (search === undefined) return [{ which: narrowed, ...(agentId === undefined && { hint: "customer_status" }) }];
  // `$elemMatch` keeps both ends of a range on one word.
  const words = search.prefixes.map((prefix) => ({
    "customer.searchWords": { $elemMatch: { $gte: prefix, $lt: `${prefix}\u{10ffff}` } },
  }));
  const byWords = { which: { ...narrowed, $and: words } as object, hint: "customer_words" };
  if (search.phoneNumbers.length === 0) return [byWords];
  const numbers = { "customer.phone.lookUp": { $in: search.phoneNumbers.map(lookUp) } };
  return [byWords, { which: { ...narrowed, ...numbers }, hint: "customer_phone" }];
}

/** Nothing was said of whoever is PENDING: null finds what is absent. */
function ofStatus(status: CustomerStatus): object {
  return { "customer.standing.status": status === "PENDING" ? { $in: [status, null] } : status };
}
