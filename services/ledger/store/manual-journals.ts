import type { ClientSession, Connection } from "mongoose";
import { bytesOf, type StoredBytes } from "../../kernel/mongo/bytes.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { ManualJournal, ManualJournalStatus } from "../domain/manual-journal.js";
import { collections } from "./collections.js";

interface AttachedFile {
  journalId: string;
  content: StoredBytes;
}

export type ManualJournalStore = ReturnType<typeof createManualJournalStore>;

/** Journals that people write, and the files that they hand in with them. */
export function createManualJournalStore(db: Connection) {
  const allJournals = recordCollection<ManualJournal, "journalId">(db, collections.manualJournals, "journalId");
  const allFiles = recordCollection<AttachedFile, "journalId">(db, collections.manualJournalFiles, "journalId");
  return {
    forTenant(tenantId: string) {
      const journals = allJournals.forTenant(tenantId);
      const files = allFiles.forTenant(tenantId);

      const find = (journalId: string, session?: ClientSession): Promise<ManualJournal | undefined> =>
        journals.findOne({ _id: journalId }, { session });

      /** Frees what a refused reversal was to take back, in the transaction of its refusal. */
      async function end(
        { journalId, reverses }: ManualJournal,
        from: ManualJournalStatus,
        change: Partial<ManualJournal>,
        session: ClientSession,
      ): Promise<void> {
        const { matchedCount } = await journals.updateOne(
          { _id: journalId, status: from },
          { $set: change },
          { session },
        );
        if (matchedCount === 0 || change.status !== "REFUSED" || reverses === undefined) return;
        await journals.updateOne(
          { _id: reverses, reversedBy: journalId },
          { $unset: { reversedBy: true } },
          { session },
        );
      }

      return {
        find,
        async insert(journal: ManualJournal, content: Uint8Array | undefined, session: ClientSession): Promise<void> {
          const { journalId } = journal;
          await journals.insertOne(journal, { session });
          if (content !== undefined) await files.insertOne({ journalId, content }, { session });
        },
        /** False where another journal takes it back, or is to. */
        async claim(journalId: string, reversedBy: string, session: ClientSession): Promise<boolean> {
          const free = { _id: journalId, status: "POSTED" as const, reversedBy: { $exists: false } };
          return (await journals.updateOne(free, { $set: { reversedBy } }, { session })).matchedCount === 1;
        },
        async noteApproval(journalId: string, approvalId: string): Promise<void> {
          await journals.updateOne({ _id: journalId }, { $set: { approvalId } });
        },
        end,
        endAtOnce: (journal: ManualJournal, from: ManualJournalStatus, change: Partial<ManualJournal>): Promise<true> =>
          inTransaction<true>(db, (session) => end(journal, from, change, session).then(() => true as const), {
            readBack: async () => (await find(journal.journalId))?.status !== from || undefined,
          }),
        /** The newest first, from one before `beforeId`. */
        list: (
          {
            statuses,
            beforeId,
          }: { statuses: readonly ManualJournalStatus[] | undefined; beforeId: string | undefined },
          limit: number,
        ): Promise<ManualJournal[]> =>
          journals.find(
            {
              ...(statuses && { status: { $in: [...statuses] } }),
              ...(beforeId === undefined ? {} : { _id: { $lt: beforeId } }),
            },
            { sort: { _id: -1 }, limit },
          ),
        async attachmentOf(journalId: string): Promise<Uint8Array | undefined> {
          const found = await files.findOne({ _id: journalId });
          return found && bytesOf(found.content);
        },
      };
    },
  };
}
