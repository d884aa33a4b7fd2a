import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { wideOf } from "../../kernel/mongo/wide-sum.js";
import type { DayChange } from "../domain/day-sums.js";
import type { Day } from "../domain/days.js";
import type { DaySums, Volume } from "../domain/model.js";
import { collections, type DayDocument, type VolumeDocument } from "./collections.js";
import { dayId, daySumsFromDocument, volumeFromDocument, volumeId, volumeToDocument } from "./mapping.js";

/** What a commit adds to days and volumes other than the open ones. */
export interface SumChanges {
  readonly days: readonly DayChange[];
  readonly volumes: readonly Volume[];
}

export type SumsStore = ReturnType<typeof createSumsStore>;

/** Sums per account and day, and per day, kind and currency, of one tenant. */
export function createSumsStore(db: Connection, tenantId: string) {
  const days = tenantCollection<DayDocument>(db, collections.days).forTenant(tenantId);
  type Stored = VolumeDocument & { _id: string; tenantId: string };
  const volumes = tenantCollection<Stored>(db, collections.volumes).forTenant(tenantId);

  async function add(changes: SumChanges, session: ClientSession): Promise<void> {
    const dayUpdates = changes.days.map(({ accountId, day, debitsMinor, creditsMinor }) => ({
      updateOne: {
        filter: { _id: dayId(tenantId, accountId, day) },
        update: { $inc: dayIncrements(debitsMinor, creditsMinor), $setOnInsert: { accountId, day } },
        upsert: true,
      },
    }));
    await days.bulkWrite(dayUpdates as never, { session });
    const volumeUpdates = changes.volumes.map((volume) => {
      const { day, kind, currency, transfers: count, high, low } = volumeToDocument(volume);
      const update = { $inc: { transfers: count, high, low }, $setOnInsert: { day, kind, currency } };
      return { updateOne: { filter: { _id: volumeId(tenantId, volume) }, update, upsert: true } };
    });
    await volumes.bulkWrite(volumeUpdates as never, { session });
  }

  return {
    add,

    /** Days of an account after one; without its open day. */
    daysAfter: async (accountId: string, day: Day, session?: ClientSession): Promise<DaySums[]> =>
      (await days.find({ accountId, day: { $gt: day } }, { sort: { day: 1 }, session })).map(daySumsFromDocument),

    /** Days of accounts after one; without their open ones. */
    async daysOfAfter(accountIds: readonly string[], day: Day, session: ClientSession): Promise<DayChange[]> {
      const found = await days.find({ accountId: { $in: [...accountIds] }, day: { $gt: day } }, { session });
      return found.map((document) => ({ accountId: document.accountId, ...daySumsFromDocument(document) }));
    },

    /** Days of accounts, without their open ones; at most `limit`. */
    async daysOf(accountIds: readonly string[], limit: number | undefined, session: ClientSession) {
      const options = { session, ...(limit === undefined ? {} : { limit }) };
      const found = await days.find({ accountId: { $in: [...accountIds] } }, options);
      return found.map((document): DayChange => ({ accountId: document.accountId, ...daySumsFromDocument(document) }));
    },

    /** Of accounts on days from one to another, both included; without the open ones. */
    async daysBetween(accountIds: readonly string[], from: Day, to: Day, session: ClientSession): Promise<DayChange[]> {
      const filter = { accountId: { $in: [...accountIds] }, day: { $gte: from, $lte: to } };
      const found = await days.find(filter, { hint: "account_day", session });
      return found.map((document) => ({ accountId: document.accountId, ...daySumsFromDocument(document) }));
    },

    /**
     * Sums of all accounts on the days after one, by day, so many at a time; without the open ones.
     */
    async *allDaysAfter(day: Day, batchSize: number, session: ClientSession): AsyncIterable<DayChange[]> {
      let batch: DayChange[] = [];
      const options = { sort: { day: 1, accountId: 1 }, hint: "day_account", batchSize, session } as const;
      for await (const document of days.stream({ day: { $gt: day } }, options)) {
        batch.push({ accountId: document.accountId, ...daySumsFromDocument(document) });
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },

    /** Volumes of the days after one, by day; without the open ones of the head. */
    async volumesAfter(day: Day | undefined, limit: number, session: ClientSession): Promise<Volume[]> {
      const filter = day === undefined ? {} : { day: { $gt: day } };
      return (await volumes.find(filter, { sort: { day: 1 }, limit, session })).map(volumeFromDocument);
    },

    /**
     * Volumes of the days from one to another, both included; without the open ones of the head.
     */
    async volumesBetween(from: Day, to: Day, session?: ClientSession): Promise<Volume[]> {
      const filter = { day: { $gte: from, $lte: to } };
      return (await volumes.find(filter, { sort: { day: 1 }, session })).map(volumeFromDocument);
    },
  };
}

function dayIncrements(debitsMinor: bigint, creditsMinor: bigint): Record<string, bigint> {
  const [debits, credits] = [wideOf(debitsMinor), wideOf(creditsMinor)];
  return {
    "debits.high": debits.high,
    "debits.low": debits.low,
    "credits.high": credits.high,
    "credits.low": credits.low,
  };
}
