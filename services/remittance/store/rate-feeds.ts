import type { ClientSession, Connection } from "mongoose";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { HeldRate } from "../domain/guard-band.js";
import type { CurrencyPair } from "../domain/rate.js";
import type { RateFeed } from "../domain/rate-feed.js";
import { collections } from "./collections.js";

const projection = { _id: 0, tenantId: 0 };

/** Tenants' sources of rates, and rates of theirs that wait for a person. */
export function createRateFeedStore(db: Connection) {
  const feeds = tenantCollection<RateFeed>(db, collections.rateFeeds);
  const all = acrossTenants<RateFeed>(db, collections.rateFeeds, "reading of rates");
  const heldTenants = createHeldTenants(db, collections.rateFeeds);
  const heldRates = tenantCollection<HeldRate & { tenantId: string }>(db, collections.heldRates);
  return {
    /** Takes one source that is due: nobody else does before `untilAt`. */
    takeRateFeed: (now: Date, untilAt: Date): Promise<RateFeed | undefined> =>
      heldTenants.past(async () => {
        for (;;) {
          const which = { ...heldTenants.others(), dueAt: { $lte: now } };
          const [due] = await all.find(which, { sort: { dueAt: 1 }, limit: 1 });
          if (due === undefined) return undefined;
          const { tenantId, installationId, dueAt } = due;
          const taken = await feeds
            .forTenant(tenantId)
            .findOneAndUpdate({ installationId, dueAt }, { $set: { dueAt: untilAt } }, { returnDocument: "after" });
          // Where another replica was faster, the next one.
          if (taken !== null) return taken;
        }
      }),

    countStaleRateFeeds: (now: Date): Promise<number> => all.count({ staleAt: { $lte: now } }),

    forTenant: (tenantId: string) => ({
      ...feedsOf(feeds.forTenant(tenantId)),
      ...heldOf(heldRates.forTenant(tenantId)),
    }),
  };
}

type Collection<T extends { tenantId: string }> = ReturnType<ReturnType<typeof tenantCollection<T>>["forTenant"]>;

function feedsOf(feeds: Collection<RateFeed>) {
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
    async findRateFeed(installationId: string): Promise<RateFeed | undefined> {
      return (await feeds.findOne({ installationId })) ?? undefined;
    },
  };
}

function heldOf(held: Collection<HeldRate & { tenantId: string }>) {
  return {
    /** The open one of a pair, or one by its id. */
    async findHeldRate(by: CurrencyPair | { heldId: string }, session?: ClientSession): Promise<HeldRate | undefined> {
      const which =
        "heldId" in by
          ? { heldId: by.heldId }
          : { sendCurrency: by.sendCurrency, receivingCurrency: by.receivingCurrency, isOpen: true };
      return (await held.findOne(which, { projection, session })) ?? undefined;
    },
    listWaitingRates: (installationId: string): Promise<HeldRate[]> =>
      held.find({ installationId, isOpen: true, status: "WAITING" }, { projection, limit: 1_000 }),
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
