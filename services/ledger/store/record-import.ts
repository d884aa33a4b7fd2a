import type { ClientSession, Connection } from "mongoose";
import { bytesOf } from "../../kernel/mongo/bytes.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import { accountContent, genesisHash, recordHash, refusalContent } from "../domain/canonical.js";
import { parseDay } from "../domain/days.js";
import type { Head } from "../domain/model.js";
import type { JournalRecord, RecordItem } from "../domain/records.js";
import type { createAccountStore } from "./accounts.js";
import { collections, type AccountDocument, type DecisionDocument, type RecordDocument } from "./collections.js";
import { documentId } from "./mapping.js";
import { refusalFromDocument } from "./record-mapping.js";
import type { RecordStore } from "./records.js";

interface Stores {
  readonly records: RecordStore;
  readonly accounts: ReturnType<typeof createAccountStore>;
}

/** Takes over records of an exported journal, whose accounts, transfers and refusals are in. */
export function createRecordImport(db: Connection, tenantId: string, stores: Stores) {
  const records = tenantCollection<RecordDocument>(db, collections.records).forTenant(tenantId);
  const accounts = tenantCollection<AccountDocument>(db, collections.accounts).forTenant(tenantId);
  const transfers = tenantCollection<DecisionDocument>(db, collections.transfers).forTenant(tenantId);
  const idOf = (key: string) => documentId(tenantId, key);

  async function isThere({ number, hash }: JournalRecord, session?: ClientSession): Promise<boolean> {
    const stored = await records.findOne({ number }, { session });
    if (stored === null) return false;
    if (Buffer.compare(bytesOf(stored.hash), hash) === 0) return true;
    throw unfit(number, "another one is there");
  }

  /** What becomes of accounts; throws on one that is not what the record holds. */
  async function accountUpdates({ number, items }: JournalRecord, session: ClientSession) {
    const named = items.filter(({ kind }) => kind === "ACCOUNT" || kind === "ACCOUNT_CLOSED");
    const found = await stores.accounts.findAccounts([...new Set(named.map(({ subject }) => subject))], session);
    const infos = new Map(found.map(({ info }) => [info.accountId, info]));
    return named.map(({ kind, subject, content }) => {
      const info = infos.get(subject);
      if (info === undefined || Buffer.compare(accountContent(info), content) !== 0) {
        throw unfit(number, `account ${subject} is another one`);
      }
      const update = kind === "ACCOUNT" ? { $set: { record: number } } : { $addToSet: { flags: "CLOSED" } };
      return { updateOne: { filter: { _id: idOf(subject) }, update: update as never } };
    });
  }

  async function checkRefusals({ number, items }: JournalRecord, session: ClientSession): Promise<void> {
    const named = items.filter(({ kind }) => kind === "REFUSAL");
    if (named.length === 0) return;
    const filter = { _id: { $in: named.map(({ subject }) => idOf(subject)) }, refusal: { $exists: true } };
    const found = (await transfers.find(filter, { session })).map(refusalFromDocument);
    const kept = new Map(found.map((refusal) => [refusal.key, refusal]));
    for (const { subject, content } of named) {
      const refusal = kept.get(subject);
      if (refusal?.record === number && Buffer.compare(refusalContent(refusal), content) === 0) continue;
      throw unfit(number, `the refusal of ${subject} is another one`);
    }
  }

  async function checkPeriod({ number, afterSeq }: JournalRecord, { content }: RecordItem, session: ClientSession) {
    const last = afterSeq === 0n ? undefined : await transfers.findOne({ seq: afterSeq }, { session });
    const hash = last === undefined ? genesisHash(tenantId) : last?.hash && bytesOf(last.hash);
    if (hash === undefined || Buffer.compare(hash, content) !== 0) throw unfit(number, "days were closed elsewhere");
  }

  return {
    /**
     * Writes the record that follows those that are there; one that is there is passed over.
     * Refuses STATE_CONFLICT for one that does not fit.
     */
    importRecord: (record: JournalRecord): Promise<boolean> =>
      inTransaction(
        db,
        async (session) => {
          if (await isThere(record, session)) return true;
          checkChain(record, await stores.records.headIn(session));
          const period = record.items.find(({ kind }) => kind === "PERIOD");
          if (period !== undefined) await checkPeriod(record, period, session);
          await checkRefusals(record, session);
          await accounts.bulkWrite(await accountUpdates(record, session), { session });
          await stores.records.follow(record, period && parseDay(period.subject), session);
          return true;
        },
        { readBack: async () => (await isThere(record)) || undefined },
      ),
  };
}

function checkChain({ hash, ...record }: JournalRecord, { seq, records, recordsHash }: Head): void {
  if (record.number !== records + 1n) throw unfit(record.number, `the record after ${records} is missing`);
  if (record.afterSeq > seq) throw unfit(record.number, `transfer ${record.afterSeq} is not there`);
  if (Buffer.compare(recordHash(record, recordsHash), hash) !== 0) {
    throw unfit(record.number, "its content does not fit its hash");
  }
}

function unfit(number: bigint, what: string): Refusal {
  return new Refusal("STATE_CONFLICT", `record ${number} does not fit: ${what}`);
}
