import type { Connection } from "mongoose";
import { acrossTenants, tenantCollection } from "../../shared/mongo/tenant-collection.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import { dayOf, type Day } from "../domain/days.js";
import { mergeVolumes, volumesOf } from "../domain/day-sums.js";
import type { Account, DaySums, Volume } from "../domain/model.js";
import type { VolumePage } from "../audit/verify-links.js";
import { createAccountStore } from "./accounts.js";
import { createClosingStore } from "./closings.js";
import type { DecisionDocument, HeadDocument, PendingDocument, ReversalDocument } from "./collections.js";
import { documentId, movesMoney, pendingFromDocument, transferFromDocument } from "./mapping.js";
import { createEntryStore } from "./entries.js";
import { headFromDocument } from "./journal.js";
import { createSumsStore } from "./sums.js";

export type { CodeTotals } from "./accounts.js";
export type LedgerStore = ReturnType<typeof createLedgerStore>;
export type TenantStore = ReturnType<LedgerStore["forTenant"]>;

/** An account with all its days, the open one among them. */
export interface AccountDays {
  readonly account: Account;
  readonly days: readonly DaySums[];
}

// What one answer of an audit can carry.
const maxDaysPerPage = 20_000;
const maxVolumesPerPage = 5_000;

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
  const accounts = createAccountStore(db, tenantId);
  const entries = createEntryStore(db, tenantId);
  const sums = createSumsStore(db, tenantId);
  const pendings = tenantCollection<PendingDocument>(db, "pendings").forTenant(tenantId);
  const reversals = tenantCollection<ReversalDocument>(db, "reversals").forTenant(tenantId);
  const heads = tenantCollection<HeadDocument>(db, "heads").forTenant(tenantId);
  const transfers = tenantCollection<DecisionDocument>(db, "transfers").forTenant(tenantId);
  const idOf = (key: string) => documentId(tenantId, key);

  return {
    ...accounts,
    ...entries,
    ...createClosingStore(db, tenantId),

    /** Accounts as they stood at one moment: what one transfer moved shows on both sides or on none. */
    findAccountsTogether: (accountIds: readonly string[]): Promise<Account[]> =>
      readTogether(db, (session) => accounts.findAccounts(accountIds, session)),

    async findPending(key: string) {
      const document = await pendings.findOne({ _id: idOf(key) });
      return document === null ? undefined : pendingFromDocument(document);
    },

    async findReversedBy(key: string): Promise<string | undefined> {
      return (await reversals.findOne({ _id: idOf(key) }))?.reversedBy;
    },

    /** Links of reversals by the key of what was reversed, from one after `key`. */
    async reversalsAfter(key: string, limit: number): Promise<{ key: string; reversedBy: string }[]> {
      const range = { $gt: idOf(key), $lt: `${tenantId};` };
      return reversals.find({ _id: range }, { sort: { _id: 1 }, limit, projection: { _id: 0, key: 1, reversedBy: 1 } });
    },

    /** Where the journal ends, and up to where its sums hold. */
    async findHead() {
      const document = await heads.findOne({ _id: tenantId });
      return document === null ? undefined : { ...headFromDocument(document), sumsSeq: document.sumsSeq ?? 0n };
    },

    /** An account and what it moved on the days after one, all as of one moment. Undefined for no such account. */
    findWithDaysAfter: (accountId: string, day: Day): Promise<AccountDays | undefined> =>
      readTogether(db, async (session) => {
        const [account] = await accounts.findAccounts([accountId], session);
        if (account === undefined) return undefined;
        const head = await heads.findOne({ _id: tenantId }, { session });
        const days = [...(await sums.daysAfter(accountId, day, session))];
        if (account.openDay !== undefined && account.openDay.day > day) days.push(account.openDay);
        if (head === null || (head.sumsSeq ?? 0n) >= head.seq) return { account, days };
        // A previous version owns the journal: what it posted is in no sum yet.
        const range = { after: head.sumsSeq ?? 0n, limit: Number.MAX_SAFE_INTEGER, session };
        for (const transfer of await entries.findByAccount(accountId, range)) {
          const effective = dayOf(transfer.effectiveAtMs);
          if (effective <= day) continue;
          const isDebit = transfer.debitAccountId === accountId;
          const { amountMinor } = transfer;
          days.push({
            day: effective,
            debitsMinor: isDebit ? amountMinor : 0n,
            creditsMinor: isDebit ? 0n : amountMinor,
          });
        }
        return { account, days };
      }),

    /** Volumes of the days from one to another, by day, kind and currency. */
    volumesBetween: (from: Day, to: Day): Promise<Volume[]> =>
      readTogether(db, async (session) => {
        const document = await heads.findOne({ _id: tenantId }, { session });
        if (document === null) return [];
        const closed = await sums.volumesBetween(from, to, session);
        const open = headFromDocument(document).openVolumes ?? [];
        const behind: Volume[] = [];
        if ((document.sumsSeq ?? 0n) < document.seq) {
          const filter = { seq: { $gt: document.sumsSeq ?? 0n }, entries: { $exists: true } };
          const missing = await transfers.find(filter, { sort: { seq: 1 }, session });
          behind.push(...volumesOf(missing.filter(({ mode }) => movesMoney(mode!)).map(transferFromDocument)));
        }
        const inRange = ({ day }: Volume) => day >= from && day <= to;
        return mergeVolumes([...closed, ...[...open, ...behind].filter(inRange)]).sort(byDayKindCurrency);
      }),

    /** Volumes as they are stored, of whole days after one, as of one moment: for audit. */
    storedVolumesAfter: (after: Day | undefined): Promise<VolumePage> =>
      readTogether(db, async (session) => {
        const document = await heads.findOne({ _id: tenantId }, { session });
        if (document === null) return { volumes: [], sumsSeq: 0n };
        const sumsSeq = document.sumsSeq ?? 0n;
        const found = await sums.volumesAfter(after, maxVolumesPerPage + 1, session);
        // The day that the page ends in may go on: it begins the next one, unless it is all there is.
        const lastDay = found.length > maxVolumesPerPage ? found.at(-1)!.day : undefined;
        const isOneDay = lastDay !== undefined && found[0]!.day === lastDay;
        const until = lastDay === undefined ? undefined : isOneDay ? lastDay : lastDay - 1;
        const closed = isOneDay ? await sums.volumesBetween(lastDay, lastDay, session) : found;
        const open = headFromDocument(document).openVolumes ?? [];
        const inPage = ({ day }: Volume) =>
          (after === undefined || day > after) && (until === undefined || day <= until);
        return { volumes: [...closed, ...open].filter(inPage), until, sumsSeq };
      }),

    /** Accounts by id with all their days, as of one moment; fewer than asked where they have many days. */
    async accountDaysAfter(afterId: string, limit: number): Promise<{ accounts: AccountDays[]; sumsSeq: bigint }> {
      for (let size = limit; ; size = Math.ceil(size / 2)) {
        const page = await readTogether(db, async (session) => {
          const found = await accounts.accountsAfter(afterId, size, session);
          const ids = found.map(({ info }) => info.accountId);
          const stored = await sums.daysOf(ids, size === 1 ? undefined : maxDaysPerPage + 1, session);
          const sumsSeq = (await heads.findOne({ _id: tenantId }, { session }))?.sumsSeq ?? 0n;
          return { found, stored, sumsSeq };
        });
        if (size > 1 && page.stored.length > maxDaysPerPage) continue;
        const byAccount = Map.groupBy(page.stored, ({ accountId }) => accountId);
        const withDays = page.found.map((account) => {
          const open = account.openDay === undefined ? [] : [account.openDay];
          return { account, days: [...(byAccount.get(account.info.accountId) ?? []), ...open] };
        });
        return { accounts: withDays, sumsSeq: page.sumsSeq };
      }
    },
  };
}

function byDayKindCurrency(a: Volume, b: Volume): number {
  if (a.day !== b.day) return a.day - b.day;
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.currency < b.currency ? -1 : 1;
}

/** Reads of several documents that must fit each other: one snapshot, which holds all that was acknowledged. */
function readTogether<T>(db: Connection, read: Parameters<typeof inTransaction<T>>[1]): Promise<T> {
  return inTransaction(db, read, { readBack: async () => undefined });
}
