import type { Filter, FindOptions } from "../../kernel/mongo/collection.js";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import type { CustomerSought } from "../domain/customer-find.js";
import { birthKey, documentKey, nameKeysOf, type KeyedHash } from "../domain/find-keys.js";
import type { StoredUser, StoredUserDocument } from "./collections.js";

interface CandidateDeps {
  users: RecordCollection<StoredUser, "userId">;
  hash: KeyedHash;
  /** The keyed hash of a phone number. */
  lookUp(number: string): string;
}

/**
 * The most that is read of each way to be found: more than is shown, since who is read is then
 * compared, and few enough that a search costs the same in a tenant of any size.
 */
const most = { same: 40, alike: 60, word: 40, born: 60, phone: 40, document: 20 };
/** So many by surer keys make the next ones idle. */
const enough = 40;

/** What nobody compares: long lists of keys. */
const projection = { "customer.searchWords": 0, "customer.findKeys": 0, factors: 0 };

/** Customers who may be the one that is sought, by equal keys; whoever asks compares them. */
export function customerCandidates({ users, hash, lookUp }: CandidateDeps) {
  /** Of an agent's customers where one is named. */
  return async (sought: CustomerSought, agentId: string | undefined): Promise<StoredUser[]> => {
    const { name, phoneNumbers, document, customerCode, dateOfBirth } = sought;
    const managed: Filter<StoredUserDocument> = agentId === undefined ? {} : { "customer.agentId": agentId };
    const found = new Map<string, StoredUser>();

    async function add(which: object, options: Pick<FindOptions, "limit" | "hint">): Promise<number> {
      const living = { ...managed, ...which, erasedAt: { $exists: false } } as Filter<StoredUserDocument>;
      const before = found.size;
      for (const one of await users.find(living, { ...options, projection })) found.set(one.userId, one);
      return found.size - before;
    }
    const byKeys = (keys: readonly string[], limit: number): Promise<number> =>
      keys.length === 0
        ? Promise.resolve(0)
        : add({ "customer.findKeys": { $in: [...new Set(keys)] } }, { limit, hint: "customer_find" });

    await Promise.all([
      customerCode === undefined ? 0 : add({ "customer.code": customerCode }, { limit: 1, hint: "customer_code" }),
      document === undefined ? 0 : byKeys([documentKey(document.number, hash)], most.document),
      phoneNumbers.length === 0
        ? 0
        : add(
            { "customer.phone.lookUp": { $in: phoneNumbers.map(lookUp) } },
            { limit: most.phone, hint: "customer_phone" },
          ),
      name === undefined || dateOfBirth === undefined ? 0 : byKeys([birthKey(dateOfBirth, hash)], most.born),
    ]);
    if (name === undefined) return [...found.values()];

    const { same, sound, near, word, nearWord } = nameKeysOf(name);
    const isOneWord = same.length === 0;
    let named = 0;
    for (const [keys, limit] of [
      [same, most.same],
      [sound, most.alike],
      [near, most.alike],
      [word, isOneWord ? most.alike : most.word],
      [nearWord, isOneWord ? most.alike : most.word],
    ] as const) {
      if (named >= enough) break;
      named += await byKeys(keys, limit);
    }
    return [...found.values()];
  };
}
