import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import { sumOf } from "../../kernel/mongo/wide-sum.js";
import { isPositionCode } from "../domain/chart.js";
import type { Day } from "../domain/days.js";
import type { Account, AccountInfo, AccountType, Metadata } from "../domain/model.js";
import { collections, type AccountDocument } from "./collections.js";
import { watchPositions } from "./positions.js";
import { readAtOneMoment } from "./snapshot.js";
import { accountFromDocument, accountToDocument, assertPlace, documentId } from "./mapping.js";

/** All of what is given must fit. */
export interface AccountFilter {
  readonly code: string;
  readonly currency: string;
  readonly ownerId: string;
  readonly metadata: Metadata;
  /** Names of metadata. */
  readonly exists: readonly string[];
}

export interface CodeSums {
  readonly code: string;
  readonly currency: string;
  readonly debitsMinor: bigint;
  readonly creditsMinor: bigint;
}

export interface CodeTotals extends CodeSums {
  readonly type: AccountType;
  readonly accounts: bigint;
}

/** The accounts of one tenant. */
export function createAccountStore(db: Connection, tenantId: string) {
  const accounts = tenantCollection<AccountDocument>(db, collections.accounts).forTenant(tenantId);
  const idOf = (accountId: string) => documentId(tenantId, accountId);

  async function findAccounts(accountIds: readonly string[], session?: ClientSession): Promise<Account[]> {
    return (await accounts.find({ _id: { $in: accountIds.map(idOf) } }, { session })).map(accountFromDocument);
  }

  return {
    findAccounts,

    /**
     * Accounts as they stood at one moment: what one transfer moved shows on both sides or on none.
     */
    findAccountsSnapshot: (accountIds: readonly string[]): Promise<Account[]> =>
      readAtOneMoment(db, async (session) => {
        if (session !== undefined) return findAccounts(accountIds, session);
        // One batch: a moment lasts no longer than MongoDB keeps old versions.
        const batchSize = accountIds.length + 1;
        const found = await accounts.find({ _id: { $in: accountIds.map(idOf) } }, { atOneMoment: true, batchSize });
        return found.map(accountFromDocument);
      }),

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
      const isNew = ({ accountId, code }: AccountInfo) => !known.has(accountId) && isPositionCode(code);
      if (infos.some(isNew)) await watchPositions(db, tenantId);
      await retryDuplicates(() => accounts.bulkWrite(upserts, { ordered: false }));
      return findAccounts(ids);
    },

    /** By id, from one after `afterId`. */
    async listAccounts(filter: AccountFilter, afterId: string, limit: number): Promise<Account[]> {
      const { conditions, hint } = accountQuery(filter);
      const page = { ...conditions, accountId: { $gt: afterId } };
      return (await accounts.find(page, { sort: { accountId: 1 }, limit, hint })).map(accountFromDocument);
    },

    /** Of some codes, by id, from one after `afterId`. */
    async accountsOfCodes(codes: readonly string[], afterId: string, limit: number, session: ClientSession) {
      const filter = { code: { $in: [...codes] }, accountId: { $gt: afterId } };
      const options = { sort: { accountId: 1 }, limit, hint: "code_id", session } as const;
      return (await accounts.find(filter, options)).map(accountFromDocument);
    },

    /** Which of some codes have an account that a transfer has named. */
    async usedOf(codes: readonly string[], session?: ClientSession): Promise<string[]> {
      const used: string[] = [];
      for (const code of codes) {
        const first = { limit: 1, projection: { code: 1 }, hint: "code", session } as const;
        if ((await accounts.find({ code, lastSeq: { $gt: 0n } }, first)).length > 0) used.push(code);
      }
      return used;
    },

    async *allAccounts(): AsyncIterable<Account> {
      for await (const document of accounts.stream({}, { batchSize: 1_000 })) yield accountFromDocument(document);
    },

    /**
     * Accounts by id, from one after `afterId`, as of the session's
     * moment; throws on a misplaced one.
     */
    async accountsAfter(afterId: string, limit: number, session: ClientSession): Promise<Account[]> {
      const filter = { accountId: { $gt: afterId } };
      const options = { sort: { accountId: 1 }, limit, hint: "id", session } as const;
      const found = await accounts.find(filter, options);
      for (const document of found) assertPlace(document, document.accountId);
      return found.map(accountFromDocument);
    },

    /**
     * Posted totals per code and currency, exact whatever they come to; of one code where it is
     * given.
     */
    async totals(code?: string, session?: ClientSession): Promise<CodeTotals[]> {
      const pipeline = [
        ...(code === undefined ? [] : [{ $match: { code } }]),
        {
          $group: {
            _id: { code: "$code", type: "$type", currency: "$currency" },
            ...halvesOf("debits", "$debitsPostedMinor"),
            ...halvesOf("credits", "$creditsPostedMinor"),
            rolledHigh: { $sum: "$rolledOver.high" },
            rolledLow: { $sum: "$rolledOver.low" },
            accounts: { $sum: 1n },
          },
        },
        { $sort: { "_id.code": 1, "_id.currency": 1 } },
      ];
      const rows = await accounts.aggregate<TotalsRow>(pipeline, { session });
      return rows.map((row) => {
        // Of no account that rolled over the sum is a number, 0.
        const rolledOver = sumOf({ high: BigInt(row.rolledHigh), low: BigInt(row.rolledLow) });
        return {
          ...row._id,
          debitsMinor: sumOf({ high: row.debitsHigh, low: row.debitsLow }) + rolledOver,
          creditsMinor: sumOf({ high: row.creditsHigh, low: row.creditsLow }) + rolledOver,
          accounts: row.accounts,
        };
      });
    },

    /** What stands in the accounts' open days that come after one, per code and currency. */
    async openTotalsAfter(day: Day, session: ClientSession): Promise<CodeSums[]> {
      const pipeline = [
        { $match: { "openDay.day": { $gt: day } } },
        {
          $group: {
            _id: { code: "$code", currency: "$currency" },
            ...halvesOf("debits", "$openDay.debitsMinor"),
            ...halvesOf("credits", "$openDay.creditsMinor"),
          },
        },
      ];
      const rows = await accounts.aggregate<Omit<TotalsRow, "_id"> & { _id: Pick<CodeSums, "code" | "currency"> }>(
        pipeline,
        { session },
      );
      return rows.map((row) => ({
        ...row._id,
        debitsMinor: sumOf({ high: row.debitsHigh, low: row.debitsLow }),
        creditsMinor: sumOf({ high: row.creditsHigh, low: row.creditsLow }),
      }));
    },
  };
}

/** The index that narrows most, and the conditions, with each of which it can be left. */
export function accountQuery({ code, currency, ownerId, metadata, exists }: AccountFilter) {
  const wanted = [
    ...metadata.map(([k, v]) => ({ metadata: { $elemMatch: { k, v } } })),
    ...exists.map((k) => ({ metadata: { $elemMatch: { k } } })),
  ];
  const conditions = {
    ...(code === "" ? {} : { code }),
    ...(currency === "" ? {} : { currency }),
    ...(ownerId === "" ? {} : { ownerId }),
    ...(wanted.length === 0 ? {} : { $and: wanted }),
  };
  return { conditions, hint: indexFor({ code, currency, ownerId, metadata, exists }) };
}

function indexFor({ code, currency, ownerId, metadata, exists }: AccountFilter): string {
  if (metadata.length > 0) return "metadata_value";
  if (ownerId !== "") return "owner";
  if (exists.length > 0) return "metadata_name";
  if (currency !== "") return code === "" ? "currency_id" : "code_currency_id";
  return code === "" ? "id" : "code_id";
}

interface TotalsRow {
  _id: { code: string; type: AccountType; currency: string };
  debitsHigh: bigint;
  debitsLow: bigint;
  creditsHigh: bigint;
  creditsLow: bigint;
  rolledHigh: bigint | number;
  rolledLow: bigint | number;
  accounts: bigint;
}

/** MongoDB adds int64 beyond its range as doubles: both halves are added by themselves. */
function halvesOf(name: string, field: string) {
  const low = { $mod: [field, 2n ** 32n] };
  const high = { $toLong: { $divide: [{ $subtract: [field, low] }, 2n ** 32n] } };
  return { [`${name}High`]: { $sum: high }, [`${name}Low`]: { $sum: low } };
}

function withoutTenant<T extends { tenantId: string }>({ tenantId: _, ...rest }: T): Omit<T, "tenantId"> {
  return rest;
}
