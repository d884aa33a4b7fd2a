import type { ClientSession, Connection } from "mongoose";
import { recordCollection, type RecordCollection } from "../../kernel/mongo/record-collection.js";
import { createTakeDue } from "../../kernel/mongo/take-due.js";
import { acrossTenants } from "../../kernel/mongo/tenant-collection.js";
import type { HeldRate } from "../domain/guard-band.js";
import type { CurrencyPair } from "../domain/rate.js";
import type { RateFeed } from "../domain/rate-feed.js";
import { collections } from "./collections.js";

/** Tenants' sources of rates, and rates of theirs that wait for a person. */
export function createRateFeedStore(db: Connection) {
  const feeds = recordCollection<RateFeed>(db, collections.rateFeeds);
  const reason = "reading of rates";
  const all = acrossTenants<RateFeed>(db, collections.rateFeeds, reason);
  const heldRates = recordCollection<HeldRate>(db, collections.heldRates);
  return {
    /** Takes one source that is due. */
    takeRateFeed: createTakeDue<RateFeed>(db, collections.rateFeeds, { key: ["installationId"], reason }),

    countStaleRateFeeds: (now: Date): Promise<number> => all.count({ staleAt: { $lte: now } }),

    forTenant: (tenantId: string) => ({
      ...feedsOf(feeds.forTenant(tenantId)),
      ...heldOf(heldRates.forTenant(tenantId)),
    }),
  };
}

function feedsOf(feeds: RecordCollection<RateFeed>) {
  return {
    /** From its first test on. */
    async watchRateFeed(installationId: string, dueAt: Date): Promise<void> {
      await feeds.updateOne({ installationId }, { $setOnInsert: { dueAt, failures: 0 } }, { upsert: true });
    },
    /** Nothing where somebody else has taken it meanwhile. */
    async noteRateFeed(
      { installationId, dueAt }: Pick<RateFeed, "installationId" | "dueAt">,
      part: Partial<Omit<RateFeed, "tenantId" | "installationId">>,
      session?: ClientSession,
    ): Promise<void> {
      await feeds.updateOne({ installationId, dueAt }, { $set: part }, { session });
    },
    /** Of one that is not ENABLED: it is not expected to have rates. */
    async restRateFeed({ installationId, dueAt }: Pick<RateFeed, "installationId" | "dueAt">): Promise<void> {
      const change = { $unset: { staleAt: "", isStale: "", triedAt: "" }, $set: { failures: 0 } } as const;
      await feeds.updateOne({ installationId, dueAt, staleAt: { $exists: true } }, change);
    },
    /** Has it read as soon as somebody looks. */
    async hurryRateFeed(installationId: string, dueAt: Date, session: ClientSession): Promise<void> {
      await feeds.updateOne({ installationId }, { $set: { dueAt }, $unset: { triedAt: "" } }, { session });
    },
    async unwatchRateFeed(installationId: string): Promise<void> {
      await feeds.deleteMany({ installationId });
    },
    findRateFeed: (installationId: string): Promise<RateFeed | undefined> => feeds.findOne({ installationId }),
  };
}

function heldOf(held: RecordCollection<HeldRate>) {
  return {
    /** The open one of a pair, or one by its id. */
    findHeldRate(by: CurrencyPair | { heldId: string }, session?: ClientSession): Promise<HeldRate | undefined> {
      const which =
        "heldId" in by
          ? { heldId: by.heldId }
          : { sendCurrency: by.sendCurrency, receivingCurrency: by.receivingCurrency, isOpen: true };
      return held.findOne(which, { session });
    },
    listWaitingRates: (installationId: string): Promise<HeldRate[]> =>
      held.find({ installationId, isOpen: true, status: "WAITING" }, { limit: 1_000 }),
    insertHeldRate: (rate: HeldRate, session: ClientSession): Promise<void> => held.insertOne(rate, { session }),
    async noteHeldRate(
      heldId: string,
      part: Partial<Pick<HeldRate, "validUntil" | "approvalId" | "status" | "decidedBy" | "isOpen" | "closedAt">>,
      session?: ClientSession,
    ): Promise<void> {
      await held.updateOne({ heldId }, { $set: part }, { session });
    },
  };
}
