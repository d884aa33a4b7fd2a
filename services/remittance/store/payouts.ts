import type { ClientSession, Connection } from "mongoose";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { PayoutBatch } from "../domain/payout-batch.js";
import type { StatementReader, WatchedInstallation } from "../domain/statement-reader.js";
import { collections } from "./collections.js";

type Session = ClientSession;
type Owned<T> = T & { tenantId: string };

const projection = { _id: 0, tenantId: 0 };

/**
 * What payouts need beside their transactions: batches, how far statements were read, callbacks
 * that were taken.
 */
export function createPayoutStore(db: Connection) {
  const batches = tenantCollection<Owned<PayoutBatch>>(db, collections.payoutBatches);
  const readers = tenantCollection<StatementReader>(db, collections.statementReaders);
  const dueReaders = acrossTenants<StatementReader>(db, collections.statementReaders, "reading of partner statements");
  const watched = tenantCollection<WatchedInstallation>(db, collections.watchedInstallations);
  const dueWatched = acrossTenants<WatchedInstallation>(db, collections.watchedInstallations, "watch over partners");
  const held = createHeldTenants(db, collections.statementReaders);
  const heldWatched = createHeldTenants(db, collections.watchedInstallations);
  const callbacks = tenantCollection<{ tenantId: string; webhookId: string; expiresAt: Date }>(
    db,
    collections.payoutCallbacks,
  );
  return {
    /** Takes one tenant's statement that is due and puts its next reading off. */
    takeStatementReader: (now: Date, nextAt: Date): Promise<StatementReader | undefined> =>
      held.past(async () => {
        for (;;) {
          const which = { ...held.others(), dueAt: { $lte: now } };
          const [due] = await dueReaders.find(which, { sort: { dueAt: 1 }, limit: 1 });
          if (due === undefined) return undefined;
          const next = { $set: { dueAt: nextAt } };
          const options = { returnDocument: "before" } as const;
          const taken = await readers.forTenant(due.tenantId).findOneAndUpdate({ dueAt: due.dueAt }, next, options);
          // Where another replica was faster, the next one.
          if (taken !== null) return taken;
        }
      }),

    /** As takeStatementReader, of the tenants' own partners. */
    takeWatchedInstallation: (now: Date, nextAt: Date): Promise<WatchedInstallation | undefined> =>
      heldWatched.past(async () => {
        for (;;) {
          const which = { ...heldWatched.others(), dueAt: { $lte: now } };
          const [due] = await dueWatched.find(which, { sort: { dueAt: 1 }, limit: 1 });
          if (due === undefined) return undefined;
          const { tenantId, installationId, dueAt } = due;
          const next = { $set: { dueAt: nextAt } };
          const options = { returnDocument: "before" } as const;
          const taken = await watched.forTenant(tenantId).findOneAndUpdate({ installationId, dueAt }, next, options);
          if (taken !== null) return taken;
        }
      }),

    forTenant: (tenantId: string) => ({
      ...payoutsOf(batches.forTenant(tenantId), readers.forTenant(tenantId), callbacks.forTenant(tenantId)),
      ...watchedOf(watched.forTenant(tenantId)),
    }),
  };
}

type Collection<T extends { tenantId: string }> = ReturnType<ReturnType<typeof tenantCollection<T>>["forTenant"]>;

function payoutsOf(
  batches: Collection<Owned<PayoutBatch>>,
  readers: Collection<StatementReader>,
  callbacks: Collection<{ tenantId: string; webhookId: string; expiresAt: Date }>,
) {
  return {
    async findOpenBatch(
      { currency, installationId }: Pick<PayoutBatch, "currency" | "installationId">,
      session: Session,
    ): Promise<PayoutBatch | undefined> {
      const partner = { installationId: installationId ?? { $exists: false } };
      return (await batches.findOne({ currency, ...partner, state: "OPEN" }, { projection, session })) ?? undefined;
    },
    async findBatch(batchId: string): Promise<PayoutBatch | undefined> {
      return (await batches.findOne({ batchId }, { projection })) ?? undefined;
    },
    insertBatch: (batch: PayoutBatch, session: Session) => batches.insertOne(batch, { session }),
    /** Counts one more in an open batch; the count after it, undefined where it has closed. */
    async countIn(batchId: string, session: Session): Promise<number | undefined> {
      const counted = await batches.findOneAndUpdate(
        { batchId, state: "OPEN" },
        { $inc: { count: 1 } },
        { session, returnDocument: "after" },
      );
      return counted === null ? undefined : Number(counted.count);
    },
    async setBatchState(batchId: string, from: PayoutBatch["state"], to: PayoutBatch["state"], session?: Session) {
      await batches.updateOne({ batchId, state: from }, { $set: { state: to } }, { session });
    },

    async insertReader(readTo: Date, dueAt: Date): Promise<void> {
      await readers.updateOne({}, { $setOnInsert: { readTo, dueAt } }, { upsert: true });
    },
    async setReadTo(readTo: Date): Promise<void> {
      await readers.updateOne({}, { $set: { readTo } });
    },

    hasCallback: async (webhookId: string): Promise<boolean> => (await callbacks.findOne({ webhookId })) !== null,

    /** False where this callback was taken before. */
    async takeCallback(webhookId: string, expiresAt: Date, session: Session): Promise<boolean> {
      if ((await callbacks.findOne({ webhookId }, { session })) !== null) return false;
      await callbacks.insertOne({ webhookId, expiresAt }, { session });
      return true;
    },
  };
}

function watchedOf(watched: Collection<WatchedInstallation>) {
  return {
    /** From its first test or payout on; that it has payouts stays. */
    async watchInstallation(
      installationId: string,
      { hasPayouts, readTo, dueAt }: Pick<WatchedInstallation, "hasPayouts" | "readTo" | "dueAt">,
    ): Promise<void> {
      const known = hasPayouts ? { $set: { hasPayouts } } : {};
      const begun = { readTo, dueAt, ...(!hasPayouts && { hasPayouts }) };
      await watched.updateOne({ installationId }, { ...known, $setOnInsert: begun }, { upsert: true });
    },
    async setInstallationReadTo(installationId: string, readTo: Date): Promise<void> {
      await watched.updateOne({ installationId }, { $set: { readTo } });
    },
    async setRemovingAt(installationId: string, removingAt: Date): Promise<void> {
      await watched.updateOne({ installationId }, { $set: { removingAt } });
    },
    async unwatchInstallation(installationId: string): Promise<void> {
      await watched.deleteMany({ installationId });
    },
  };
}
