import type { Filter, FindOptions, GuardedCollection } from "../../shared/mongo/collection.js";
import type { CustomerStatus } from "../domain/people.js";
import { firstWordFound, pairOf, statusWordOf, wordRange, type CustomerSearch } from "../domain/search-words.js";
import type { StoredUser } from "./collections.js";

/** Which customers are listed: those of an agent where one is named. Whoever was erased is found by no search and no status. */
export interface CustomerFilter {
  agentId?: string;
  search?: CustomerSearch;
  status?: CustomerStatus;
}

export interface Page {
  /** Id of the last customer of the page before. */
  after: string;
  limit: number;
}

interface ListDeps {
  users: GuardedCollection<StoredUser>;
  tenantId: string;
  lookUp(number: string): string;
}

const byWords = "customer_words";
/** A word that so many customers have is not looked at from its beginning to its end where there is a rarer one. */
const manyCustomers = 200;

/** Customers, page by page, each list along an index. */
export function customerLists({ users, tenantId, lookUp }: ListDeps) {
  /** In the order of their ids. */
  function byId(which: Filter<StoredUser>, { after, limit }: Page, hint?: string): Promise<StoredUser[]> {
    const filter = { ...which, "customer.id": { $gt: after } };
    return users.find(filter, { sort: { "customer.id": 1 }, limit, ...(hint !== undefined && { hint }) });
  }

  /** A stretch of the index of words, from a place to the last word that begins so. */
  function stretch(
    prefix: string,
    from: { word: string; id?: string },
  ): Required<Pick<FindOptions, "min" | "max" | "hint">> {
    const place = (word: string, id: string) => ({ tenantId, "customer.searchWords": word, "customer.id": id });
    return { min: place(from.word, from.id ?? ""), max: place(wordRange(prefix).$lt, ""), hint: byWords };
  }

  async function isOfMany(prefix: string): Promise<boolean> {
    const options = { ...stretch(prefix, { word: prefix }), skip: manyCustomers, limit: 1 };
    return (await users.find({}, { ...options, projection: { _id: 0, "customer.id": 1 } })).length > 0;
  }

  /** What is gone along: a rare word, or else that of a status and a word, or else the pair of two, or else the longest. */
  async function rarestOf(prefixes: readonly string[], status: CustomerStatus | undefined): Promise<string> {
    const longestFirst = prefixes.toSorted((one, other) => other.length - one.length);
    const pair = (status && statusWordOf(status, longestFirst)) ?? pairOf(longestFirst);
    if (pair === undefined) return longestFirst[0]!;
    const ofMany = await Promise.all(longestFirst.map(isOfMany));
    return longestFirst[ofMany.indexOf(false)] ?? pair;
  }

  /**
   * In the order of the first of their words that begins so, then of their ids. MongoDB gives them as they lie in the index: to sort
   * them it would read all customers whose names begin so.
   */
  async function byWord(which: Filter<StoredUser>, prefix: string, last: Place | undefined, limit: number) {
    const from = last === undefined ? { word: prefix } : { word: last.word, id: `${last.id}\0` };
    const before = last === undefined ? [] : alreadyGiven(prefix, last);
    const filter = { ...which, ...(before.length > 0 && { $nor: before }) } as Filter<StoredUser>;
    return limit === 0 ? [] : users.find(filter, { ...stretch(prefix, from), limit });
  }

  /** First whoever has the number, then whoever has the words. */
  async function searched(
    narrowed: object,
    { search: { prefixes, phoneNumbers }, status }: { search: CustomerSearch; status: CustomerStatus | undefined },
    { after, limit }: Page,
  ) {
    const prefix = await rarestOf(prefixes, status);
    const words = prefixes.map((one) => ({ "customer.searchWords": { $elemMatch: wordRange(one) } }));
    const last = after === "" ? null : await users.findOne({ "customer.id": after });
    const numbers = phoneNumbers.map(lookUp);
    const hasNumber = numbers.includes(last?.customer?.phone?.lookUp ?? "");
    const word = firstWordFound(last?.customer?.searchWords ?? [], prefix);
    const withNumber =
      numbers.length > 0 && (after === "" || hasNumber)
        ? await byId(
            { ...narrowed, "customer.phone.lookUp": { $in: numbers } } as object,
            { after, limit },
            "customer_phone",
          )
        : [];
    const others = numbers.length === 0 ? {} : { "customer.phone.lookUp": { $nin: numbers } };
    const place = last === null || hasNumber || word === undefined ? undefined : { word, id: after };
    const which = { ...narrowed, ...others, $and: words } as object;
    return [...withNumber, ...(await byWord(which, prefix, place, limit - withNumber.length))];
  }

  return {
    async list({ agentId, search, status }: CustomerFilter, page: Page): Promise<StoredUser[]> {
      const managed = agentId === undefined ? {} : { "customer.agentId": agentId };
      if (search === undefined && status === undefined) return byId(managed, page);
      const narrowed = { ...managed, ...(status !== undefined && ofStatus(status)), erasedAt: { $exists: false } };
      if (search !== undefined) return searched(narrowed, { search, status }, page);
      return byId(narrowed, page, agentId === undefined ? "customer_status" : undefined);
    },
  };
}

interface Place {
  word: string;
  id: string;
}

/** A customer is given once, at the first of their words that begins so; pages before had those up to a place. */
function alreadyGiven(prefix: string, { word, id }: Place): object[] {
  return [
    { "customer.searchWords": { $elemMatch: { $gte: prefix, $lt: word } } },
    { "customer.searchWords": word, "customer.id": { $lte: id } },
  ];
}

/** Nothing was said of whoever is PENDING: null finds what is absent. */
function ofStatus(status: CustomerStatus): object {
  return { "customer.standing.status": status === "PENDING" ? { $in: [status, null] } : status };
}
