import type { ClientSession, Connection } from "mongoose";
import { recordCollection, type RecordCollection } from "../../kernel/mongo/record-collection.js";
import { createTakeDue } from "../../kernel/mongo/take-due.js";
import type { PayoutBatch } from "../domain/payout-batch.js";
import type { StatementReader, WatchedInstallation } from "../domain/statement-reader.js";
import { collections } from "./collections.js";

type Session = ClientSession;

/**
 * What payouts need beside their transactions: batches, how far statements were read, callbacks
 * that were taken.
 */
export function createPayoutStore(db: Connection) {
  const batches = recordCollection<PayoutBatch>(db, collections.payoutBatches);
  const readers = recordCollection<StatementReader>(db, collections.statementReaders);
  const watched = recordCollection<WatchedInstallation>(db, collections.watchedInstallations);
  const callbacks = recordCollection<{ webhookId: string; expiresAt: Date }>(db, collections.payoutCallbacks);
  return {
    /** Takes one tenant's statement that is due and puts its next reading off. */
    takeStatementReader: createTakeDue<StatementReader>(db, collections.statementReaders, {
      key: [],
      reason: "reading of partner statements",
    }),

    /** As takeStatementReader, of the tenants' own partners. */
    takeWatchedInstallation: createTakeDue<WatchedInstallation>(db, collections.watchedInstallations, {
      key: ["installationId"],
      reason: "watch over partners",
    }),

    forTenant: (tenantId: string) => ({
      ...payoutsOf(batches.forTenant(tenantId), readers.forTenant(tenantId), callbacks.forTenant(tenantId)),
      ...watchedOf(watched.forTenant(tenantId)),
    }),
  };
}

function payoutsOf(
  batches: RecordCollection<PayoutBatch>,
  readers: RecordCollection<StatementReader>,
  callbacks: RecordCollection<{ webhookId: string; expiresAt: Date }>,
) {
  return {
    findOpenBatch(
      { currency, installationId }: Pick<PayoutBatch, "currency" | "installationId">,
      session: Session,
    ): Promise<PayoutBatch | undefined> {
      const partner = { installationId: installationId ?? { $exists: false } };
      return batches.findOne({ currency, ...partner, state: "OPEN" }, { session });
    },
    findBatch: (batchId: string): Promise<PayoutBatch | undefined> => batches.findOne({ batchId }),
    insertBatch: (batch: PayoutBatch, session: Session) => batches.insertOne(batch, { session }),
    /** Counts one more in an open batch; the count after it, undefined where it has closed. */
    async countIn(batchId: string, session: Session): Promise<number | undefined> {
      const counted = await batches.findOneAndUpdate(
        { batchId, state: "OPEN" },
        { $inc: { count: 1 } },
        { session, returnDocument: "after" },
      );
      return counted && Number(counted.count);
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

    hasCallback: async (webhookId: string): Promise<boolean> => (await callbacks.findOne({ webhookId })) !== undefined,

    /** False where this callback was taken before. */
    async takeCallback(webhookId: string, expiresAt: Date, session: Session): Promise<boolean> {
      if ((await callbacks.findOne({ webhookId }, { session })) !== undefined) return false;
      await callbacks.insertOne({ webhookId, expiresAt }, { session });
      return true;
    },
  };
}

function watchedOf(watched: RecordCollection<WatchedInstallation>) {
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
