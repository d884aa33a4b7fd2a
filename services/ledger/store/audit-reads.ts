import type { Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Day } from "../domain/days.js";
import type { AccountDays, StoredPending, StoredReversal, VolumePage } from "../domain/journal.js";
import type { Volume } from "../domain/model.js";
import type { createAccountStore } from "./accounts.js";
import {
  collections,
  type DecisionDocument,
  type HeadDocument,
  type PendingDocument,
  type ReversalDocument,
} from "./collections.js";
import { assertPlace, documentId, headFromDocument, pendingFromDocument } from "./mapping.js";
import { readSnapshot } from "./snapshot.js";
import type { SumsStore } from "./sums.js";

// What one answer of an audit can carry.
const maxDaysPerPage = 20_000;
const maxVolumesPerPage = 5_000;

interface AuditedStores {
  readonly accounts: ReturnType<typeof createAccountStore>;
  readonly sums: SumsStore;
}

/** What an audit reads of one tenant's journal: pages of what is stored, each as of one moment. */
export function createAuditReads(db: Connection, tenantId: string, { accounts, sums }: AuditedStores) {
  const reversals = tenantCollection<ReversalDocument>(db, collections.reversals).forTenant(tenantId);
  const heads = tenantCollection<HeadDocument>(db, collections.heads).forTenant(tenantId);
  const pendings = tenantCollection<PendingDocument>(db, collections.pendings).forTenant(tenantId);
  const transfers = tenantCollection<DecisionDocument>(db, collections.transfers).forTenant(tenantId);
  const idOf = (key: string) => documentId(tenantId, key);

  return {
    /** Links of reversals by the key of what was reversed, from one after `key`. */
    async reversalsAfter(key: string, limit: number): Promise<StoredReversal[]> {
      const range = { $gt: idOf(key), $lt: `${tenantId};` };
      const found = await reversals.find({ _id: range }, { sort: { _id: 1 }, limit });
      for (const reversal of found) assertPlace(reversal, reversal.key);
      return found.map((reversal) => ({ key: reversal.key, reversedBy: reversal.reversedBy }));
    },

    /** What is kept of pending transfers of some keys, in any order. */
    async pendingsOf(keys: readonly string[]): Promise<StoredPending[]> {
      const found = (await pendings.find({ _id: { $in: keys.map(idOf) } })).map(pendingFromDocument);
      const resolvers = found.flatMap(({ resolvedBy }) => resolvedBy ?? []);
      const projection = { key: 1, seq: 1 };
      const decided =
        resolvers.length === 0 ? [] : await transfers.find({ _id: { $in: resolvers.map(idOf) } }, { projection });
      const seqOf = new Map(decided.map(({ key, seq }) => [key, seq]));
      return found.map((pending) => {
        const resolvedSeq = pending.resolvedBy === undefined ? undefined : seqOf.get(pending.resolvedBy);
        return { pending, ...(resolvedSeq === undefined ? {} : { resolvedSeq }) };
      });
    },

    /** Volumes as they are stored, of whole days after one. */
    storedVolumesAfter: (after: Day | undefined): Promise<VolumePage> =>
      readSnapshot(db, async (session) => {
        const document = await heads.findOne({ _id: tenantId }, { session });
        if (document === null) return { volumes: [], sumsSeq: 0n };
        const head = headFromDocument(document);
        const found = await sums.volumesAfter(after, maxVolumesPerPage + 1, session);
        // The day that the page ends in may go on: it begins the next one, unless it is all there
        // is.
        const lastDay = found.length > maxVolumesPerPage ? found.at(-1)!.day : undefined;
        const isOneDay = lastDay !== undefined && found[0]!.day === lastDay;
        const until = lastDay === undefined ? undefined : isOneDay ? lastDay : lastDay - 1;
        const closed = isOneDay ? await sums.volumesBetween(lastDay, lastDay, session) : found;
        const inPage = ({ day }: Volume) =>
          (after === undefined || day > after) && (until === undefined || day <= until);
        return { volumes: [...closed, ...(head.openVolumes ?? [])].filter(inPage), until, sumsSeq: head.seq };
      }),

    /** Accounts by id with all their days; fewer than asked where they have many days. */
    async accountDaysAfter(afterId: string, limit: number): Promise<{ accounts: AccountDays[]; sumsSeq: bigint }> {
      for (let size = limit; ; size = Math.ceil(size / 2)) {
        const page = await readSnapshot(db, async (session) => {
          const found = await accounts.accountsAfter(afterId, size, session);
          const ids = found.map(({ info }) => info.accountId);
          const stored = await sums.daysOf(ids, size === 1 ? undefined : maxDaysPerPage + 1, session);
          const sumsSeq = (await heads.findOne({ _id: tenantId }, { session }))?.seq ?? 0n;
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
