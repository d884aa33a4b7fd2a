import { createBatchRead } from "../../kernel/mongo/batch-read.js";
import type { RecordCollection, Records } from "../../kernel/mongo/record-collection.js";
import type { AccountChange, WalletAccount } from "../domain/account.js";
import type { Session } from "./collections.js";

const byCurrency = { currency: 1, createdAt: 1 } as const;

/** Reads of accounts, together with others that are asked for at the same time. */
export function accountReads(accounts: Records<WalletAccount, "accountId">) {
  const accountById = createBatchRead<string, WalletAccount>({
    nameOf: (accountId) => accountId,
    readOne: (tenantId, _id) => accounts.forTenant(tenantId).findOne({ _id }),
    async readMany(tenantId, ids) {
      const found = await accounts.forTenant(tenantId).find({ _id: { $in: [...ids] } });
      return new Map(found.map((one) => [one.accountId, one]));
    },
  });
  const shown = { $in: ["ACTIVE", "FROZEN", "CLOSED"] as const };
  const accountsOf = createBatchRead<string, WalletAccount[]>({
    nameOf: (customerId) => customerId,
    readOne: (tenantId, customerId) =>
      accounts.forTenant(tenantId).find({ customerId, status: shown as never }, { sort: byCurrency }),
    async readMany(tenantId, ids) {
      const named = { customerId: { $in: [...ids] }, status: shown as never };
      return Map.groupBy(await accounts.forTenant(tenantId).find(named, { sort: byCurrency }), (row) => row.customerId);
    },
  });
  return {
    /** Of any status. */
    async findAccounts(tenantId: string, accountIds: readonly string[]): Promise<WalletAccount[]> {
      const found = await Promise.all([...new Set(accountIds)].map((accountId) => accountById(tenantId, accountId)));
      return found.flatMap((account) => account ?? []);
    },
    /** The customer's accounts that the ledger has, by currency. */
    accountsOf: async (tenantId: string, customerId: string): Promise<WalletAccount[]> =>
      (await accountsOf(tenantId, customerId)) ?? [],
  };
}

export function accountStore(accounts: RecordCollection<WalletAccount, "accountId">) {
  return {
    insertAccount: (account: WalletAccount, session: Session): Promise<void> =>
      accounts.insertOne(account, { session }),
    /** Of any status. */
    findAccount: (accountId: string): Promise<WalletAccount | undefined> => accounts.findOne({ _id: accountId }),
    /** By their numbers, which are unique in the tenant; of any status. */
    accountsByNumber: (accountNumbers: readonly string[]): Promise<WalletAccount[]> =>
      accounts.find({ accountNumber: { $in: [...accountNumbers] } }),
    /** Notes that cash is put in; never an earlier time than is noted. */
    async noteCashIn(accountId: string, at: Date, session?: Session): Promise<void> {
      await accounts.updateOne({ _id: accountId }, { $max: { lastCashInAt: at } }, { session });
    },
    /** True when this call moved it on from that state. */
    async changeAccount(accountId: string, from: WalletAccount["status"], change: AccountChange): Promise<boolean> {
      const update = { $set: { status: change.to }, $push: { changes: change } as never };
      return (await accounts.updateOne({ _id: accountId, status: from }, update)).matchedCount === 1;
    },
    /** Of the customer and not closed, those that are being opened too. */
    freezableAccounts: (customerId: string): Promise<WalletAccount[]> =>
      accounts.find({ customerId, status: { $in: ["OPENING", "ACTIVE", "FROZEN"] } as never }),
    /**
     * Writes who keeps it frozen onto what was read: the account then, undefined
     * where somebody else was first.
     */
    async setFreezers(
      account: WalletAccount,
      freezers: readonly string[],
      change: AccountChange | undefined,
      session?: Session,
    ): Promise<WalletAccount | undefined> {
      const { accountId, status, frozenBy, changes = [] } = account;
      // Frozen and freed since, it looks as it did: only its changes, which are numbered, tell.
      const isAsRead = { [`changes.${changes.length}`]: { $exists: false } };
      const read = { _id: accountId, status, frozenBy: frozenBy ?? { $exists: false }, ...isAsRead };
      const update = {
        $set: { frozenBy: [...freezers], ...(change !== undefined && { status: change.to }) },
        ...(change !== undefined && { $push: { changes: change } }),
      };
      if ((await accounts.updateOne(read as never, update as never, { session })).matchedCount !== 1) return undefined;
      if (change === undefined) return { ...account, frozenBy: freezers };
      return { ...account, frozenBy: freezers, status: change.to, changes: [...changes, change] };
    },
    /**
     * Makes the end of an opening that is under way decide anew, on the customer's blocks as they
     * are now; false where it has ended.
     */
    async disturbOpening(accountId: string): Promise<boolean> {
      const opening = { _id: accountId, status: "OPENING" as const };
      // What does not change a document conflicts with nobody.
      return (await accounts.updateOne(opening, { $inc: { disturbed: 1 } } as never)).matchedCount === 1;
    },
    /** True when this call made it usable, or frozen where a block came while it was opened. */
    async activateAccount(accountId: string, blockIds: readonly string[], session: Session): Promise<boolean> {
      const opening = { _id: accountId, status: "OPENING" as const };
      const frozen = { status: "FROZEN" as const, frozenBy: [...blockIds] };
      const usable = blockIds.length > 0 ? frozen : { status: "ACTIVE" as const };
      return (await accounts.updateOne(opening, { $set: usable }, { session })).matchedCount === 1;
    },
  };
}
