import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { Account } from "../domain/model.js";
import { accountClosed, accountMade } from "../domain/records.js";
import { collections, type AccountDocument } from "./collections.js";
import { accountFromDocument, documentId } from "./mapping.js";
import type { RecordStore } from "./records.js";

/**
 * Closes accounts, which any replica may do. It moves the head, so that the journal's owner finds
 * at its next commit that it was moved, forgets its cache and loads what holds now.
 */
export function createAccountClosings(db: Connection, tenantId: string, records: RecordStore) {
  const accounts = tenantCollection<AccountDocument>(db, collections.accounts).forTenant(tenantId);

  async function findAccount(accountId: string, session?: ClientSession): Promise<Account | undefined> {
    const document = await accounts.findOne({ _id: documentId(tenantId, accountId) }, { session });
    return document === null ? undefined : accountFromDocument(document);
  }

  async function close({ info, record }: Account, at: Date, session: ClientSession): Promise<void> {
    const items = [...(record === undefined ? [accountMade(info)] : []), accountClosed(info)];
    const { number } = await records.add(() => items, { at }, session);
    const update = { $addToSet: { flags: "CLOSED" }, ...(record === undefined && { $set: { record: number } }) };
    await accounts.updateOne({ _id: documentId(tenantId, info.accountId) }, update as never, { session });
  }

  return {
    /**
     * Marks an account closed that `check` lets pass; check throws otherwise. Undefined for no such
     * account.
     */
    async closeAccount(accountId: string, check: (account: Account) => void, at: Date): Promise<Account | undefined> {
      // Nothing is held for an account that is closed, or that nobody has.
      const known = await findAccount(accountId);
      if (known === undefined || known.info.flags.includes("CLOSED")) return known;
      return retryDuplicates(() =>
        inTransaction<Account | undefined>(
          db,
          async (session) => {
            await records.hold(session);
            const account = await findAccount(accountId, session);
            if (account === undefined || account.info.flags.includes("CLOSED")) return account;
            check(account);
            await close(account, at, session);
            return findAccount(accountId, session);
          },
          {
            readBack: async () => {
              const account = await findAccount(accountId);
              return account?.info.flags.includes("CLOSED") === true ? account : undefined;
            },
          },
        ),
      );
    },
  };
}
