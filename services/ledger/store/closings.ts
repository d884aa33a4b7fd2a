import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, retryDuplicates } from "../../kernel/mongo/transaction.js";
import { genesisHash } from "../domain/canonical.js";
import type { Day } from "../domain/days.js";
import type { Account } from "../domain/model.js";
import { collections, type AccountDocument, type HeadDocument } from "./collections.js";
import { accountFromDocument, documentId } from "./mapping.js";

/**
 * Closes accounts and periods, which any replica may do. It moves the head, so that the journal's
 * owner finds at its next commit that it was moved, forgets its cache and loads what holds now.
 */
export function createClosingStore(db: Connection, tenantId: string) {
  const accounts = tenantCollection<AccountDocument>(db, collections.accounts).forTenant(tenantId);
  const heads = tenantCollection<HeadDocument>(db, collections.heads).forTenant(tenantId);

  async function findAccount(accountId: string, session?: ClientSession): Promise<Account | undefined> {
    const document = await accounts.findOne({ _id: documentId(tenantId, accountId) }, { session });
    return document === null ? undefined : accountFromDocument(document);
  }

  async function moveHead(set: Partial<HeadDocument>, session: ClientSession): Promise<void> {
    const start = { epoch: 0n, groupId: "", seq: 0n, time: new Date(0), hash: genesisHash(tenantId) };
    const update = {
      $inc: { group: 1n },
      $setOnInsert: start,
      ...(Object.keys(set).length === 0 ? {} : { $set: set }),
    };
    await heads.updateOne({ _id: tenantId }, update as never, { upsert: true, session });
  }

  return {
    /**
     * Marks an account closed that `check` lets pass; check throws otherwise. Undefined for no such
     * account.
     */
    closeAccount: (accountId: string, check: (account: Account) => void): Promise<Account | undefined> =>
      retryDuplicates(() =>
        inTransaction<Account | undefined>(
          db,
          async (session) => {
            const account = await findAccount(accountId, session);
            if (account === undefined || account.info.flags.includes("CLOSED")) return account;
            check(account);
            const filter = { _id: documentId(tenantId, accountId) };
            await accounts.updateOne(filter, { $addToSet: { flags: "CLOSED" } }, { session });
            await moveHead({}, session);
            return findAccount(accountId, session);
          },
          {
            readBack: async () => {
              const account = await findAccount(accountId);
              return account?.info.flags.includes("CLOSED") === true ? account : undefined;
            },
          },
        ),
      ),

    /**
     * Opens the days from one on again; gives through when they are closed then, undefined for none.
     */
    async reopenPeriod(from: Day): Promise<Day | undefined> {
      const closed = async () => (await heads.findOne({ _id: tenantId }))?.closedThrough;
      await inTransaction(
        db,
        async (session) => {
          const before = (await heads.findOne({ _id: tenantId }, { session }))?.closedThrough;
          if (before !== undefined && before >= from) await moveHead({ closedThrough: from - 1 }, session);
          return true;
        },
        { readBack: async () => ((await closed()) ?? -Infinity) < from || undefined },
      );
      return closed();
    },

    /**
     * Closes the days up to one, where they are not closed already; gives through when they are.
     */
    async closePeriod(through: Day): Promise<Day> {
      const closed = async () => (await heads.findOne({ _id: tenantId }))?.closedThrough;
      await retryDuplicates(() =>
        inTransaction(
          db,
          async (session) => {
            const before = (await heads.findOne({ _id: tenantId }, { session }))?.closedThrough;
            if (before === undefined || before < through) await moveHead({ closedThrough: through }, session);
            return true;
          },
          { readBack: async () => ((await closed()) ?? -Infinity) >= through || undefined },
        ),
      );
      return (await closed())!;
    },
  };
}
