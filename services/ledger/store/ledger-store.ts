import type { Connection } from "mongoose";
import { acrossTenants, tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { isDuplicateKey } from "../../shared/mongo/transaction.js";
import type { Account, AccountInfo, AccountType, Transfer } from "../model.js";
import {
  accountFromDocument,
  accountToDocument,
  decisionFromDocument,
  documentId,
  pendingFromDocument,
  transferFromDocument,
  type AccountDocument,
  type DecisionDocument,
  type PendingDocument,
  type StoredDecision,
} from "./documents.js";

export interface CodeTotals {
  readonly code: string;
  readonly type: AccountType;
  readonly currency: string;
  readonly debitsMinor: bigint;
  readonly creditsMinor: bigint;
  readonly accounts: bigint;
}

export type LedgerStore = ReturnType<typeof createLedgerStore>;

/** Accounts and reads, which any replica serves: primary and majority, so they see all that was acknowledged. */
export function createLedgerStore(db: Connection) {
  const due = acrossTenants<PendingDocument>(db, "pendings", "pendings past their timeout");

  return {
    forTenant: (tenantId: string) => tenantStore(db, tenantId),

    /** Open pending transfers past their timeout, the longest first. */
    async findDue(now: Date, limit: number): Promise<{ tenantId: string; key: string }[]> {
      const found = await due.find({ dueAt: { $lte: now } }, { sort: { dueAt: 1 }, limit });
      return found.map(({ tenantId, key }) => ({ tenantId, key }));
    },
  };
}

function tenantStore(db: Connection, tenantId: string) {
  const accounts = tenantCollection<AccountDocument>(db, "accounts").forTenant(tenantId);
  const transfers = tenantCollection<DecisionDocument>(db, "transfers").forTenant(tenantId);
  const pendings = tenantCollection<PendingDocument>(db, "pendings").forTenant(tenantId);
  const idOf = (key: string) => documentId(tenantId, key);

  async function findAccounts(accountIds: readonly string[]): Promise<Account[]> {
    return (await accounts.find({ _id: { $in: accountIds.map(idOf) } })).map(accountFromDocument);
  }

  return {
    findAccounts,

    /** Makes those that do not exist; gives all of them as they are stored. */
    async ensureAccounts(infos: readonly AccountInfo[]): Promise<Account[]> {
      const ids = infos.map(({ accountId }) => accountId);
      const found = await findAccounts(ids);
      const known = new Set(found.map(({ info }) => info.accountId));
      const upserts = infos
        .filter(({ accountId }) => !known.has(accountId))
        .map((info) => ({
          updateOne: {
            filter: { _id: idOf(info.accountId) },
            update: { $setOnInsert: withoutTenant(accountToDocument(tenantId, info)) },
            upsert: true,
          },
        }));
      // Most callers ask for accounts that are there already.
      if (upserts.length === 0) return found;
      await retryDuplicates(() => accounts.bulkWrite(upserts, { ordered: false }));
      return findAccounts(ids);
    },

    async findDecision(key: string): Promise<StoredDecision | undefined> {
      const document = await transfers.findOne({ _id: idOf(key) });
      return document === null ? undefined : decisionFromDocument(document);
    },

    async findPending(key: string) {
      const document = await pendings.findOne({ _id: idOf(key) });
      return document === null ? undefined : pendingFromDocument(document);
    },

    /** Transfers that moved money under an interaction id, oldest first. */
    async findByInteraction(interactionId: string, limit: number): Promise<Transfer[]> {
      const filter = { interactionId, seq: { $gt: 0n }, entries: { $exists: true } };
      return (await transfers.find(filter, { sort: { seq: 1 }, limit })).map(transferFromDocument);
    },

    /** The journal by sequence, from one after `seq`. */
    async *transfersAfter(seq: bigint): AsyncIterable<Transfer> {
      const filter = { seq: { $gt: seq } };
      for await (const document of transfers.stream(filter, { sort: { seq: 1 }, batchSize: 1_000 })) {
        yield transferFromDocument(document);
      }
    },

    async *allAccounts(): AsyncIterable<Account> {
      for await (const document of accounts.stream({}, { batchSize: 1_000 })) yield accountFromDocument(document);
    },

    /** Posted totals per code and currency. Throws where a total passes int64, which MongoDB would answer as a double. */
    async totals(): Promise<CodeTotals[]> {
      const rows = await accounts.aggregate<TotalsRow>([
        {
          $group: {
            _id: { code: "$code", type: "$type", currency: "$currency" },
            debitsMinor: { $sum: "$debitsPostedMinor" },
            creditsMinor: { $sum: "$creditsPostedMinor" },
            accounts: { $sum: 1n },
          },
        },
        { $sort: { "_id.code": 1, "_id.currency": 1 } },
      ]);
      return rows.map(({ _id, debitsMinor, creditsMinor, accounts: count }) => {
        if (typeof debitsMinor !== "bigint" || typeof creditsMinor !== "bigint") {
          throw new Error(`the totals of ${_id.code} in ${_id.currency} pass int64`);
        }
        return { ..._id, debitsMinor, creditsMinor, accounts: count };
      });
    },
  };
}

interface TotalsRow {
  _id: { code: string; type: AccountType; currency: string };
  debitsMinor: unknown;
  creditsMinor: unknown;
  accounts: bigint;
}

function withoutTenant<T extends { tenantId: string }>({ tenantId: _, ...rest }: T): Omit<T, "tenantId"> {
  return rest;
}

/** Two upserts of one document that race can both insert: the second is then an update. */
async function retryDuplicates<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === 5) throw error;
    }
  }
}
