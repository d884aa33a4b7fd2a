import type { Connection } from "mongoose";
import { isDiskFull } from "../../kernel/mongo/disk-space.js";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Day } from "../domain/days.js";
import { mergeVolumes } from "../domain/day-sums.js";
import type { AccountDays } from "../domain/journal.js";
import type { Head, Volume } from "../domain/model.js";
import { createAccountStore } from "./accounts.js";
import { createAuditReads } from "./audit-reads.js";
import { createAccountClosings } from "./account-closings.js";
import {
  collections,
  type HeadDocument,
  type LeaseDocument,
  type PendingDocument,
  type ReversalDocument,
} from "./collections.js";
import { createEntryStore } from "./entries.js";
import { documentId, headFromDocument, pendingFromDocument } from "./mapping.js";
import { readSnapshot } from "./snapshot.js";
import { createRecordImport } from "./record-import.js";
import { createRecordStore } from "./records.js";
import { createSumsStore } from "./sums.js";
import { createTrialBalance } from "./trial-balance.js";

export type { CodeTotals } from "./accounts.js";
export type LedgerStore = ReturnType<typeof createLedgerStore>;
export type TenantStore = ReturnType<LedgerStore["forTenant"]>;

/**
 * Accounts and reads, which any replica serves: primary and majority, so they see all that was
 * acknowledged.
 */
export function createLedgerStore(db: Connection) {
  const due = acrossTenants<PendingDocument>(db, collections.pendings, "pendings past their timeout");
  const held = createHeldTenants(db, collections.pendings);
  const journals = acrossTenants<HeadDocument>(db, collections.heads, "list of journals");
  const owned = acrossTenants<LeaseDocument>(db, collections.leases, "list of journals");

  return {
    /**
     * Tenants with a journal, by id, from one after `tenantId`. One whose head is gone is still
     * among them, since it once had an owner: an audit must meet it.
     */
    async journalsAfter(tenantId: string, limit: number): Promise<string[]> {
      const page = { sort: { _id: 1 }, limit, projection: { _id: 1 } } as const;
      const found = await Promise.all(
        [journals, owned].map((collection) => collection.find({ _id: { $gt: tenantId } } as never, page as never)),
      );
      const ids = new Set(found.flat().map(({ _id }) => _id));
      return [...ids].sort().slice(0, limit);
    },

    forTenant: (tenantId: string) => tenantStore(db, tenantId),

    /**
     * Open pending transfers past their timeout, the longest first; none of
     * held tenants, nor of `others`, and none while the disk is full.
     */
    async findDue(
      now: Date,
      limit: number,
      others: readonly string[] = [],
    ): Promise<{ tenantId: string; key: string }[]> {
      if (isDiskFull(db)) return [];
      const left = [...((await held.otherTenants()).tenantId?.$nin ?? []), ...others];
      const ofOthers = left.length > 0 && { tenantId: { $nin: left } };
      const found = await due.find({ dueAt: { $lte: now }, ...ofOthers }, { sort: { dueAt: 1 }, limit });
      return found.map(({ tenantId, key }) => ({ tenantId, key }));
    },
  };
}

function tenantStore(db: Connection, tenantId: string) {
  const accounts = createAccountStore(db, tenantId);
  const sums = createSumsStore(db, tenantId);
  const records = createRecordStore(db, tenantId);
  const pendings = tenantCollection<PendingDocument>(db, collections.pendings).forTenant(tenantId);
  const reversals = tenantCollection<ReversalDocument>(db, collections.reversals).forTenant(tenantId);
  const heads = tenantCollection<HeadDocument>(db, collections.heads).forTenant(tenantId);
  const idOf = (key: string) => documentId(tenantId, key);

  return {
    ...accounts,
    ...createEntryStore(db, tenantId),
    ...createAccountClosings(db, tenantId, records),
    ...createRecordImport(db, tenantId, { records, accounts }),
    recordsAfter: records.recordsAfter,
    ...createAuditReads(db, tenantId, { accounts, sums }),
    ...createTrialBalance(db, { accounts, sums }),

    async findPending(key: string) {
      const document = await pendings.findOne({ _id: idOf(key) });
      return document === null ? undefined : pendingFromDocument(document);
    },

    async findReversedBy(key: string): Promise<string | undefined> {
      return (await reversals.findOne({ _id: idOf(key) }))?.reversedBy;
    },

    /** Where the journal ends. Undefined where it was never written to. */
    async findHead(): Promise<Head | undefined> {
      const document = await heads.findOne({ _id: tenantId });
      return document === null ? undefined : headFromDocument(document);
    },

    /**
     * An account and what it moved on the days after one, all as of one moment. Undefined for no
     * such account.
     */
    findWithDaysAfter: (accountId: string, day: Day): Promise<AccountDays | undefined> =>
      readSnapshot(db, async (session) => {
        const [account] = await accounts.findAccounts([accountId], session);
        if (account === undefined) return undefined;
        const days = await sums.daysAfter(accountId, day, session);
        if (account.openDay !== undefined && account.openDay.day > day) days.push(account.openDay);
        return { account, days };
      }),

    /** Volumes of the days from one to another, by day, kind and currency. */
    volumesBetween: (from: Day, to: Day): Promise<Volume[]> =>
      readSnapshot(db, async (session) => {
        const document = await heads.findOne({ _id: tenantId }, { session });
        if (document === null) return [];
        const closed = await sums.volumesBetween(from, to, session);
        const open = headFromDocument(document).openVolumes ?? [];
        const inRange = ({ day }: Volume) => day >= from && day <= to;
        return mergeVolumes([...closed, ...open.filter(inRange)]).sort(byDayKindCurrency);
      }),

    /** The earliest day that money was moved for; undefined where none was. */
    firstDay: (): Promise<Day | undefined> =>
      readSnapshot(db, async (session) => {
        const document = await heads.findOne({ _id: tenantId }, { session });
        const open = document === null ? [] : (headFromDocument(document).openVolumes ?? []);
        const days = [...(await sums.volumesAfter(undefined, 1, session)), ...open].map(({ day }) => day);
        return days.length === 0 ? undefined : Math.min(...days);
      }),
  };
}

function byDayKindCurrency(a: Volume, b: Volume): number {
  if (a.day !== b.day) return a.day - b.day;
  if (a.kind !== b.kind) return a.kind < b.kind ? -1 : 1;
  return a.currency < b.currency ? -1 : 1;
}
