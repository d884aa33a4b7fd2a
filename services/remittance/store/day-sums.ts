import type { ClientSession, Connection } from "mongoose";
import type { BulkOperation, Filter } from "../../kernel/mongo/collection.js";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, retryDuplicates } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import { countedOf, type CountedBy } from "../domain/counted.js";
import {
  addChange,
  everyAgent,
  noChange,
  type CorridorSums,
  type CreatorKey,
  type CreatorSums,
  type DayKey,
  type DaySums,
  type SumsChange,
} from "../domain/day-sums.js";
import { createDayEnds } from "../domain/promised-day.js";
import { rateAt, type Rate } from "../domain/rate.js";
import type { Transaction } from "../domain/transaction.js";
import { collections } from "./collections.js";
import type { createRateStore } from "./rates.js";
import { flat, incrementsOf } from "./sum-figures.js";
import type { StoredTransaction } from "./transaction-cipher.js";

type Stored<Key> = Key & { tenantId: string } & Record<string, unknown>;

/** Whose sums of which days, both included. */
export interface SumsQuestion {
  from: string;
  to: string;
  /** One agent's own; all where absent, and each agent's apart where `byAgent`. */
  agentId?: string;
  byAgent?: boolean;
}

/** How many transactions are added to the sums in one commit. */
export const foldedAtOnce = 200;
// A report adds what the sums have not yet itself, up to so many.
const mostUncounted = 5_000;
/** Documents that one report reads. */
export const mostSums = 40_000;
// Of a pair: older ones are looked for one by one.
const mostRates = 500;

// A document without the field would cost a statement of its own to write.
const nothingBehind = new Date(0);
const anyTime = { $gt: nothingBehind };
const uncountedIndex = { tenantId: 1, uncountedSince: 1 } as const;

/** Sums of days, and what they are behind (docs/decisions/0076-day-sums.md). */
export function createDaySumStore(db: Connection, rates: ReturnType<typeof createRateStore>) {
  const transactions = tenantCollection<StoredTransaction & { tenantId: string }>(db, collections.transactions);
  const days = tenantCollection<Stored<DayKey>>(db, collections.reportDays);
  const creators = tenantCollection<Stored<CreatorKey>>(db, collections.reportCreators);
  const all = acrossTenants<{ tenantId: string; uncountedSince: Date }>(db, collections.transactions, "day sums");
  const held = createHeldTenants(db, collections.reportDays);

  return {
    /** The next tenant, by its id, whose sums are behind what was changed before a time. */
    async nextUncounted(after: string, before: Date): Promise<string | undefined> {
      const { tenantId } = await held.otherTenants();
      const due = { tenantId: { ...tenantId, $gt: after }, uncountedSince: { ...anyTime, $lte: before } };
      const found = await all.findOne(due, { sort: { tenantId: 1 }, hint: uncountedIndex });
      return found?.tenantId;
    },

    forTenant(tenantId: string) {
      const own = transactions.forTenant(tenantId);

      /** What the sums are behind, as it is in this session. */
      async function behind(before: Date | undefined, limit: number, timeZone: string, session: ClientSession) {
        const uncountedSince = { ...anyTime, ...(before !== undefined && { $lte: before }) };
        const found = await own.find({ uncountedSince }, { session, limit, hint: uncountedIndex, projection: counted });
        const by = {
          timeZone,
          endOf: createDayEnds(timeZone),
          ratesOf: await ratesOf(rates.forTenant(tenantId), found),
        };
        const change = noChange();
        const next = found.map((one) => {
          const transaction = one as unknown as Transaction;
          const { sendCurrency, receivingCurrency } = pairOf(one);
          const known = by.ratesOf.get(`${sendCurrency} ${receivingCurrency}`) ?? [];
          const middleAt: CountedBy["middleAt"] = (at) => rateAt(known, at)?.rate;
          const after = countedOf(transaction, one.counted, { ...by, middleAt });
          addChange(change, transaction, one.counted, after);
          return { transactionId: one.transactionId, after };
        });
        return { change, next };
      }

      /** Sums and what they are behind, of one moment. */
      async function read<Key>(
        timeZone: string,
        stored: (session: ClientSession) => Promise<DaySums<Key>[]>,
        added: (change: SumsChange) => Iterable<DaySums<Key>>,
      ): Promise<DaySums<Key>[]> {
        const readBoth = async (session: ClientSession) => {
          const sums = await stored(session);
          const { change, next } = await behind(undefined, mostUncounted + 1, timeZone, session);
          if (next.length > mostUncounted) {
            throw new Refusal("OVERLOADED", "the sums of days are being made", { retryAfterS: 2 });
          }
          return [...sums, ...added(change)];
        };
        return inTransaction(db, readBoth, { readBack: async () => undefined });
      }

      return {
        /**
         * Adds to the sums what was changed before a time; how many transactions it was. Each is
         * added by the commit that says so with it.
         */
        foldSums: (before: Date, timeZone: string): Promise<number> =>
          retryDuplicates(() =>
            inTransaction(
              db,
              async (session) => {
                const { change, next } = await behind(before, foldedAtOnce, timeZone, session);
                if (next.length === 0) return 0;
                // Long values: a statement for many (updateEach) costs MongoDB ten times as much.
                const updates = next.map(({ transactionId, after }) => ({
                  updateOne: {
                    filter: { transactionId },
                    update: { $set: { counted: after, uncountedSince: nothingBehind } },
                  },
                }));
                await own.bulkWrite(updates, { session });
                await days.forTenant(tenantId).bulkWrite(upserts(change.corridors), { session });
                await creators.forTenant(tenantId).bulkWrite(upserts(change.creators), { session });
                return next.length;
              },
              // What was added after all is not found again.
              { readBack: async () => undefined },
            ),
          ),

        /**
         * Of corridors, the figures whose paths begin with any of some. Refuses INVALID_INPUT for
         * too many sums, OVERLOADED while far behind.
         */
        readDaySums: (question: SumsQuestion, paths: readonly string[], timeZone: string): Promise<CorridorSums[]> =>
          read(
            timeZone,
            async (session) => {
              const projection = { _id: 0, ...fieldsOf(dayKeys), ...fieldsOf(paths) };
              const options = { session, projection, limit: mostSums + 1 };
              const found = await days.forTenant(tenantId).find(filterOf(question), options);
              if (found.length > mostSums) throw tooMany();
              return found.map((one) => ({ key: keyOf<DayKey>(one, dayKeys), figures: flat(one, "") }));
            },
            ({ corridors }) =>
              corridors
                .values()
                .filter(({ key }) => isWithin(key, question))
                .map(({ key, figures }) => ({
                  key,
                  figures: new Map(figures.entries().filter(([path]) => paths.some((one) => isAt(path, one)))),
                })),
          ),

        /** Of a day's creators. Refuses as readDaySums. */
        readCreatorSums: (day: string, agentId: string | undefined, timeZone: string): Promise<CreatorSums[]> =>
          read(
            timeZone,
            async (session) => {
              const which = { day, ...(agentId !== undefined && { agentId }) } as Filter<Stored<CreatorKey>>;
              const found = await creators.forTenant(tenantId).find(which, { session, limit: mostSums + 1 });
              if (found.length > mostSums) throw tooMany();
              return found.map((one) => ({
                key: keyOf<CreatorKey>(one, creatorKeys),
                figures: flat(one["created"] as object, "created."),
              }));
            },
            (change) =>
              change.creators
                .values()
                .filter(({ key }) => key.day === day && (agentId === undefined || key.agentId === agentId)),
          ),
      };
    },
  };
}

const dayKeys: readonly (keyof DayKey)[] = [
  "day",
  "agentId",
  "originCountry",
  "receivingCountry",
  "sendCurrency",
  "receivingCurrency",
];
const creatorKeys: readonly (keyof CreatorKey)[] = ["day", "agentId", "createdBy", "createdByRole", "sendCurrency"];

// What is counted, without what of it lies sealed.
const counted = {
  _id: 0,
  transactionId: 1,
  status: 1,
  "block.shownAs": 1,
  createdAt: 1,
  createdBy: 1,
  createdByRole: 1,
  agentId: 1,
  paidAt: 1,
  availableOn: 1,
  deliveryMethod: 1,
  price: 1,
  "terms.middleRate": 1,
  "transferInformation.originCountry": 1,
  "transferInformation.receivingCountry": 1,
  payout: 1,
  "pickup.tries": 1,
  "recipientWallet.accountId": 1,
  refunds: 1,
  "timeline.status": 1,
  "timeline.at": 1,
  "timeline.shownAs": 1,
  counted: 1,
};

const tooMany = () =>
  new Refusal("INVALID_INPUT", `the report reads more than ${mostSums} sums: ask for fewer days`, {
    figures: { mostSums: String(mostSums) },
  });

const fieldsOf = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 1]));
const keyOf = <Key>(document: Stored<Key>, keys: readonly (keyof Key & string)[]) =>
  Object.fromEntries(keys.map((key) => [key, document[key]])) as unknown as Key;

function filterOf({ from, to, agentId, byAgent }: SumsQuestion) {
  const whose = byAgent === true && agentId === undefined ? { $ne: everyAgent } : (agentId ?? everyAgent);
  return { day: { $gte: from, $lte: to }, agentId: whose } as unknown as Filter<Stored<DayKey>>;
}

const isAt = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}.`);

function isWithin(key: DayKey, { from, to, agentId, byAgent }: SumsQuestion): boolean {
  if (key.day < from || key.day > to) return false;
  if (agentId !== undefined) return key.agentId === agentId;
  return byAgent === true ? key.agentId !== everyAgent : key.agentId === everyAgent;
}

const pairOf = ({ price }: StoredTransaction) => ({
  sendCurrency: price.principal.currency,
  receivingCurrency: price.receive.currency,
});

/** Rates of the pairs of what is completed, which tell what came of its margin. */
async function ratesOf(
  rates: ReturnType<ReturnType<typeof createRateStore>["forTenant"]>,
  found: readonly StoredTransaction[],
): Promise<Map<string, Rate[]>> {
  const latest = new Map<string, { pair: ReturnType<typeof pairOf>; at: Date }>();
  for (const one of found) {
    const at = one.timeline.find(({ status }) => status === "COMPLETED")?.at;
    const isKnown = one.counted?.events.some(({ kind }) => kind === "COMPLETED") ?? false;
    const pair = pairOf(one);
    const name = `${pair.sendCurrency} ${pair.receivingCurrency}`;
    if (at === undefined || isKnown || pair.sendCurrency === pair.receivingCurrency) continue;
    const before = latest.get(name);
    if (before === undefined || before.at < at) latest.set(name, { pair, at });
  }
  const read = latest.entries().map(async ([name, { pair, at }]) => {
    return [name, await rates.listBegunRates(pair, at, mostRates)] as const;
  });
  return new Map(await Promise.all(read));
}

/** One update of each document that changes. */
function upserts<Key extends object>(all: ReadonlyMap<string, DaySums<Key>>): BulkOperation<Stored<Key>>[] {
  return [...all.values()].flatMap(({ key, figures }) => {
    const added = Object.fromEntries([...figures].flatMap(([path, by]) => (by === 0n ? [] : incrementsOf(path, by))));
    if (Object.keys(added).length === 0) return [];
    return [{ updateOne: { filter: key, update: { $inc: added }, upsert: true } }];
  }) as unknown as BulkOperation<Stored<Key>>[];
}
