import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { inTransaction, retryDuplicates } from "../../kernel/mongo/transaction.js";
import type { Day } from "../domain/days.js";
import type { Account } from "../domain/model.js";
import { accountClosed, accountMade, periodMoved } from "../domain/records.js";
import { collections, type AccountDocument, type HeadDocument } from "./collections.js";
import { accountFromDocument, documentId } from "./mapping.js";
import type { RecordStore } from "./records.js";

/**
 * Closes accounts and periods, which any replica may do. It moves the head, so that the journal's
 * owner finds at its next commit that it was moved, forgets its cache and loads what holds now.
 */
export function createClosingStore(db: Connection, tenantId: string, records: RecordStore) {
  const accounts = tenantCollection<AccountDocument>(db, collections.accounts).forTenant(tenantId);
  const heads = tenantCollection<HeadDocument>(db, collections.heads).forTenant(tenantId);

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

  const closedThrough = async (session?: ClientSession): Promise<Day> =>
    (await heads.findOne({ _id: tenantId }, { session }))?.closedThrough ?? -Infinity;

  /** Closes days through one, or opens those after it again; gives through when they are closed. */
  async function movePeriod(through: Day, at: Date, isDone: (closedThrough: Day) => boolean): Promise<Day> {
    const before = await closedThrough();
    if (isDone(before)) return before;
    await retryDuplicates(() =>
      inTransaction(
        db,
        async (session) => {
          await records.hold(session);
          if (isDone(await closedThrough(session))) return true;
          await records.add((head) => [periodMoved(through, head)], { at, closedThrough: through }, session);
          return true;
        },
        { readBack: async () => isDone(await closedThrough()) || undefined },
      ),
    );
    return closedThrough();
  }

  return {
    /**
     * Marks an account closed that `check` lets pass; check throws otherwise. Undefined for no such
     * account.
     */
    closeAccount: (accountId: string, check: (account: Account) => void, at: Date): Promise<Account | undefined> =>
      retryDuplicates(() =>
        inTransaction<Account | undefined>(
          db,
          async (session) => {
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
      ),

    /**
     * Closes the days up to one, where they are not closed already; gives through when they are.
     * The record of it says at which transfer: `periodRecord`.
     */
    closePeriod: (through: Day, at: Date): Promise<Day> => movePeriod(through, at, (closed) => closed >= through),

    /** Opens the days from one on again; gives through when they are closed, -Infinity for none. */
    reopenPeriod: (from: Day, at: Date): Promise<Day> => movePeriod(from - 1, at, (closed) => closed < from),
  };
}
