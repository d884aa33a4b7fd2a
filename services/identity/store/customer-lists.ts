import type { Filter, FindOptions } from "../../kernel/mongo/collection.js";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { CustomerStatus } from "../domain/people.js";
import { firstWordFound, pairOf, statusWordOf, wordRange, type CustomerSearch } from "../domain/search-words.js";
import type { StoredUser, StoredUserDocument } from "./collections.js";

/**
 * Which customers are listed: those of an agent where one is named. Whoever was erased is
 * found by no search and no status.
 */
export interface CustomerFilter {
  agentId?: string;
  search?: CustomerSearch;
  status?: CustomerStatus;
}

export interface Page {
  /** What the page before gave as its end; empty for the first. */
  after: string;
  limit: number;
}

export interface FoundCustomers {
  users: StoredUser[];
  /** Where a page ends that has this one last. No name is in it. */
  endAt(customerId: string): string;
}

interface ListDeps {
  users: RecordCollection<StoredUser, "userId">;
  tenantId: string;
  lookUp(number: string): string;
}

const byWords = "customer_words";
/**
 * A word that so many customers have is not looked at from its beginning to its
 * end where there is a rarer one.
 */
const manyCustomers = 200;
/** So many of a status are still looked at rather than all whose words begin so. */
const manyOfStatus = 2_000;

/**
 * What a search goes along: the beginning of one of its words, of a pair, or of a status and a
 * word. All pages of a search go one way.
 */
interface Way {
  /** `p` for the pair, `s` for the status, or which word it is. */
  name: string;
  prefix: string;
}

/** The ways that a search may go. */
interface Ways {
  longestFirst: Way[];
  byStatus: Way | undefined;
  byPair: Way | undefined;
}

/** Customers, page by page, each list along an index. */
export function customerLists({ users, tenantId, lookUp }: ListDeps) {
  /** In the order of their ids. */
  function byId(which: Filter<StoredUserDocument>, after: string, limit: number, hint?: string): Promise<StoredUser[]> {
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

  async function isOfMany({ prefix }: Way, many: number): Promise<boolean> {
    const options = { ...stretch(prefix, { word: prefix }), skip: many, limit: 1 };
    return (await users.find({}, { ...options, projection: { _id: 0, "customer.id": 1 } })).length > 0;
  }

  /**
   * A rare word, or else the status and a word where not too many have both, or else the
   * pair of two, or else the longest.
   */
  async function chooseWay({ longestFirst, byStatus, byPair }: Ways): Promise<Way> {
    if (longestFirst.length === 1 && byStatus === undefined) return longestFirst[0]!;
    const ofMany = await Promise.all(longestFirst.map((way) => isOfMany(way, manyCustomers)));
    const rare = longestFirst[ofMany.indexOf(false)];
    if (rare !== undefined) return rare;
    if (byStatus !== undefined && !(await isOfMany(byStatus, manyOfStatus))) return byStatus;
    return byPair ?? longestFirst[0]!;
  }

  /**
   * In the order of the first of their words that begins so, then of their ids. MongoDB gives them
   * as they lie in the index: to sort them it would read all customers whose names begin so.
   */
  async function byWord(which: Filter<StoredUserDocument>, prefix: string, last: Place | undefined, limit: number) {
    const from = last === undefined ? { word: prefix } : { word: last.word, id: `${last.id}\0` };
    const before = last === undefined ? [] : alreadyGiven(prefix, last);
    const filter = { ...which, ...(before.length > 0 && { $nor: before }) } as Filter<StoredUserDocument>;
    return limit === 0 ? [] : users.find(filter, { ...stretch(prefix, from), limit });
  }

  /** First whoever has the number, then whoever has the words. */
  async function searched(narrowed: object, filter: SearchFilter, page: Page): Promise<FoundCustomers> {
    const { prefixes, phoneNumbers } = filter.search;
    const [, wayBefore, after] = /^([sp\d]):(.*)$/su.exec(page.after) ?? ["", "", page.after];
    const ways = waysOf(filter);
    const all = [...ways.longestFirst, ways.byStatus, ways.byPair];
    const way = all.find((one) => one?.name === wayBefore) ?? (await chooseWay(ways));
    const begins = prefixes.map((one) => ({ "customer.searchWords": { $elemMatch: wordRange(one) } }));
    const last = after === "" ? undefined : await users.findOne({ "customer.id": after });
    const numbers = phoneNumbers.map(lookUp);
    const hasNumber = numbers.includes(last?.customer?.phone?.lookUp ?? "");
    const withNumber =
      numbers.length > 0 && (after === "" || hasNumber)
        ? await byId(
            { ...narrowed, "customer.phone.lookUp": { $in: numbers } } as object,
            after,
            page.limit,
            "customer_phone",
          )
        : [];
    const others = numbers.length === 0 ? {} : { "customer.phone.lookUp": { $nin: numbers } };
    const place = last === undefined || hasNumber ? undefined : placeOf(last, way);
    const which = { ...narrowed, ...others, $and: begins } as object;
    const withWords = await byWord(which, way.prefix, place, page.limit - withNumber.length);
    return { users: [...withNumber, ...withWords], endAt: (customerId) => `${way.name}:${customerId}` };
  }

  return {
    async list({ agentId, search, status }: CustomerFilter, page: Page): Promise<FoundCustomers> {
      const { after, limit } = page;
      const managed = agentId === undefined ? {} : { "customer.agentId": agentId };
      const narrowed = { ...managed, ...(status !== undefined && ofStatus(status)), erasedAt: { $exists: false } };
      if (search !== undefined) return searched(narrowed, { search, status }, page);
      const found =
        status === undefined
          ? byId(managed, after, limit)
          : byId(narrowed, after, limit, agentId === undefined ? "customer_status" : undefined);
      return { users: await found, endAt: (customerId) => customerId };
    },
  };
}

interface SearchFilter {
  search: CustomerSearch;
  status: CustomerStatus | undefined;
}

function waysOf({ search: { prefixes }, status }: SearchFilter): Ways {
  const words = prefixes.map((prefix, index) => ({ name: String(index), prefix }));
  const longestFirst = words.toSorted((one, other) => other.prefix.length - one.prefix.length);
  const sorted = longestFirst.map(({ prefix }) => prefix);
  const [ofStatus, pair] = [status && statusWordOf(status, sorted), pairOf(sorted)];
  return {
    longestFirst,
    byStatus: ofStatus === undefined ? undefined : { name: "s", prefix: ofStatus },
    byPair: pair === undefined ? undefined : { name: "p", prefix: pair },
  };
}

/** Of pairs and statuses there is one word, whatever has become of the customer since. */
function placeOf({ customer }: StoredUser, { prefix }: Way): Place | undefined {
  if (customer === undefined) return undefined;
  const word = prefix.startsWith(" ") ? prefix : firstWordFound(customer.searchWords ?? [], prefix);
  return word === undefined ? undefined : { word, id: customer.id };
}

interface Place {
  word: string;
  id: string;
}

/**
 * A customer is given once, at the first of their words that begins so; pages
 * before had those up to a place.
 */
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
