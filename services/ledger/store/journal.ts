import type { ClientSession, Connection } from "mongoose";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { emptyHead, type JournalRefusal, type StoredDecision } from "../domain/journal.js";
import type { Account, Head, Pending, Reversible, Transfer } from "../domain/model.js";
import type { JournalRecord } from "../domain/records.js";
import {
  collections,
  type AccountDocument,
  type DecisionDocument,
  type HeadDocument,
  type PendingDocument,
  type RecordDocument,
  type ReversalDocument,
} from "./collections.js";
import {
  accountFromDocument,
  changesOf,
  decisionFromDocument,
  documentId,
  headFromDocument,
  pendingFromDocument,
  pendingToDocument,
  transferFromDocument,
  transferToDocument,
  volumeToDocument,
} from "./mapping.js";
import { recordToDocument, refusalToDocument } from "./record-mapping.js";
import { createSumsStore, type SumChanges } from "./sums.js";

/**
 * Everything one commit writes. `accounts` and `pendings` carry what this owner believes is stored,
 * and what replaces it.
 */
export interface CommitGroup extends SumChanges {
  readonly groupId: string;
  readonly head: Head;
  readonly next: Head;
  readonly transfers: readonly { transfer: Transfer; fingerprint: Uint8Array }[];
  readonly refusals: readonly JournalRefusal[];
  /** Of what is made beside transfers, if anything. */
  readonly record?: JournalRecord;
  readonly accounts: readonly { before: Account; after: Account }[];
  readonly pendings: readonly { before: Pending | undefined; after: Pending }[];
  readonly reversals: readonly { key: string; reversedBy: string }[];
}

// A colon stands in no id that an owner gives a group.
const importedPrefix = "import:";

/** Id of the group that an import writes. */
export const importedGroupId = (seq: bigint): string => `${importedPrefix}${seq}`;

/** Whether a group came with an import, and so was decided somewhere else. */
export const isImported = (groupId: string): boolean => groupId.startsWith(importedPrefix);

/** The head is not where this owner left it: another took over. Nothing was written. */
export class HeadMoved extends Error {
  override readonly name = "HeadMoved";
}

/** A key of the group was decided before. Nothing was written. */
export class KeysDecided extends Error {
  override readonly name = "KeysDecided";
}

/** A stored account or pending transfer is not what this owner remembers. Nothing was written. */
export class CacheStale extends Error {
  override readonly name = "CacheStale";
}

export type JournalStore = ReturnType<typeof createJournalStore>;

/** What a tenant's journal reads and writes. Reads are primary and majority. */
export function createJournalStore(db: Connection, tenantId: string) {
  const transfers = tenantCollection<DecisionDocument>(db, collections.transfers).forTenant(tenantId);
  const accounts = tenantCollection<AccountDocument>(db, collections.accounts).forTenant(tenantId);
  const pendings = tenantCollection<PendingDocument>(db, collections.pendings).forTenant(tenantId);
  const reversals = tenantCollection<ReversalDocument>(db, collections.reversals).forTenant(tenantId);
  const records = tenantCollection<RecordDocument>(db, collections.records).forTenant(tenantId);
  const sums = createSumsStore(db, tenantId);
  const heads = tenantCollection<HeadDocument>(db, collections.heads).forTenant(tenantId);
  const idOf = (key: string) => documentId(tenantId, key);

  async function write(group: CommitGroup, session: ClientSession): Promise<void> {
    const { head, next } = group;
    const moved = await heads.updateOne(
      { _id: tenantId, epoch: head.epoch, group: head.group },
      {
        $set: {
          group: next.group,
          groupId: group.groupId,
          seq: next.seq,
          time: new Date(next.timeMs),
          hash: next.hash,
          records: next.records,
          recordsHash: next.recordsHash,
          openVolumes: (next.openVolumes ?? []).map(volumeToDocument),
        },
      },
      { session },
    );
    if (moved.matchedCount !== 1) throw new HeadMoved();
    await transfers.insertMany(decisionsOf(tenantId, group), { session });
    if (group.record !== undefined) await records.insertOne(recordToDocument(tenantId, group.record), { session });
    await writeAccounts(group, session);
    await writePendings(group, session);
    await reversals.insertMany(
      group.reversals.map(({ key, reversedBy }) => ({ _id: idOf(key), key, reversedBy })),
      { session },
    );
    await sums.add(group, session);
    // Killed here, the transaction stays open until somebody kills its session.
    crashPoint("ledger.group.written");
  }

  /**
   * Accounts that have moved on a day, or rolled over, have a field more than the others: each kind
   * goes together.
   */
  async function writeAccounts({ accounts: changed }: CommitGroup, session: ClientSession): Promise<void> {
    const all = changed.map(({ before, after }) => ({ before, fields: changesOf(after) }));
    const alike = Map.groupBy(all, ({ fields }) =>
      ["openDay", "rolledOver", "record"].filter((name) => name in fields).join("/"),
    );
    for (const some of alike.values()) {
      const known = new Map(
        some.map(({ before }) => [idOf(before.info.accountId), { lastSeq: before.figures.lastSeq }]),
      );
      const values = new Map(some.map(({ before, fields }) => [idOf(before.info.accountId), fields]));
      const { matchedCount } = await accounts.updateEach({}, { values, known }, {}, { session });
      if (matchedCount !== some.length) throw new CacheStale();
    }
  }

  async function writePendings(group: CommitGroup, session: ClientSession): Promise<void> {
    const operations = group.pendings.map(({ before, after }) => {
      const document = pendingToDocument(tenantId, after);
      if (before === undefined) return { insertOne: { document } };
      const update = {
        $set: { state: document.state, resolvedBy: document.resolvedBy! },
        $unset: { dueAt: "" },
      } as const;
      return { updateOne: { filter: { _id: document._id, state: before.state }, update } };
    });
    const inserted = group.pendings.filter(({ before }) => before === undefined).length;
    const result = await pendings.bulkWrite(operations, { session });
    if (result.matchedCount + inserted !== operations.length) throw new CacheStale();
  }

  return {
    async findAccounts(accountIds: readonly string[]): Promise<Account[]> {
      if (accountIds.length === 0) return [];
      return (await accounts.find({ _id: { $in: accountIds.map(idOf) } })).map(accountFromDocument);
    },

    async findPendings(keys: readonly string[]): Promise<Pending[]> {
      if (keys.length === 0) return [];
      return (await pendings.find({ _id: { $in: keys.map(idOf) } })).map(pendingFromDocument);
    },

    async findDecisions(keys: readonly string[]): Promise<StoredDecision[]> {
      if (keys.length === 0) return [];
      return (await transfers.find({ _id: { $in: keys.map(idOf) } })).map(decisionFromDocument);
    },

    /** What reversals name, with what reversed it. */
    async findReversibles(keys: readonly string[]): Promise<Reversible[]> {
      if (keys.length === 0) return [];
      const ids = keys.map(idOf);
      const [found, reversed] = await Promise.all([
        transfers.find({ _id: { $in: ids }, seq: { $gt: 0n } }),
        reversals.find({ _id: { $in: ids } }),
      ]);
      const reversedBy = new Map(reversed.map((reversal) => [reversal.key, reversal.reversedBy]));
      return found.map((document) => {
        const by = reversedBy.get(document.key);
        return { transfer: transferFromDocument(document), ...(by === undefined ? {} : { reversedBy: by }) };
      });
    },

    /**
     * Makes every owner of an older epoch unable to write, then reads where the journal ends.
     * HeadMoved for a stale epoch.
     */
    async raiseEpoch(epoch: bigint): Promise<Head> {
      const { group, seq, timeMs, hash, records: none, recordsHash } = emptyHead(tenantId);
      const start = { group, groupId: "", seq, time: new Date(timeMs), hash, records: none, recordsHash };
      let document: HeadDocument | null = null;
      try {
        document = await heads.findOneAndUpdate(
          { _id: tenantId, epoch: { $lt: epoch } },
          { $set: { epoch }, $setOnInsert: start },
          { upsert: true, returnDocument: "after" },
        );
      } catch (error) {
        // The upsert met a head of this epoch or a later one.
        if (!isDuplicateKey(error)) throw error;
      }
      if (document === null) throw new HeadMoved();
      return headFromDocument(document);
    },

    async findHead(): Promise<Head | undefined> {
      const document = await heads.findOne({ _id: tenantId });
      return document === null ? undefined : headFromDocument(document);
    },

    /** Throws HeadMoved where the journal does not end where its owner left it. */
    async assertHead({ epoch, group }: Head): Promise<void> {
      if ((await heads.findOne({ _id: tenantId, epoch, group }, { projection: { _id: 1 } })) === null) {
        throw new HeadMoved();
      }
    },

    /**
     * Writes a group in one transaction of the owner's session and resolves when its commit is
     * certain. Throws HeadMoved, KeysDecided, CacheStale (nothing written); Refusal UNAVAILABLE
     * when MongoDB stays away.
     */
    async commit(group: CommitGroup, session: ClientSession): Promise<void> {
      const witness = idOf(group.transfers[0]?.transfer.key ?? group.refusals[0]!.key);
      const readBack = async () => {
        const found = await transfers.findOne({ _id: witness }, { projection: { groupId: 1 } });
        return found?.groupId === group.groupId ? true : undefined;
      };
      try {
        await inTransaction(db, (open) => write(group, open).then(() => true), { readBack, session });
      } catch (error) {
        throw isDuplicateKey(error) ? new KeysDecided() : error;
      }
    },
  };
}

function decisionsOf(tenantId: string, { groupId, transfers, refusals }: CommitGroup): DecisionDocument[] {
  return [
    ...transfers.map(({ transfer, fingerprint }) => transferToDocument(tenantId, transfer, groupId, fingerprint)),
    ...refusals.map((refusal) => refusalToDocument(tenantId, refusal, groupId)),
  ];
}
