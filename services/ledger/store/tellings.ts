import type { Connection } from "mongoose";
import { createHeldTenants } from "../../kernel/mongo/held-tenants.js";
import { acrossTenants, tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { retryDuplicates } from "../../kernel/mongo/transaction.js";
import { collections, type HeadDocument, type TellingDocument } from "./collections.js";

const pageSize = 1_000;

/** A journal that goes on beyond what was told. */
export interface UnpublishedJournal {
  readonly tenantId: string;
  /** Of its last transfer. */
  readonly lastAt: Date;
}

/** How far each tenant's journal was told. */
export function createTellingStore(db: Connection) {
  const tellings = tenantCollection<TellingDocument>(db, collections.tellings);
  const everyHead = acrossTenants<HeadDocument>(db, collections.heads, "journals that are not told");
  const everyTelling = acrossTenants<TellingDocument>(db, collections.tellings, "journals that are not told");
  const held = createHeldTenants(db, collections.tellings);

  return {
    /** The sequence up to which it was told; 0 where nothing was. */
    async publishedThrough(tenantId: string): Promise<bigint> {
      return (await tellings.forTenant(tenantId).findOne({ _id: tenantId }))?.seq ?? 0n;
    },

    /** Never takes back what another replica has noted. */
    async recordPublished(tenantId: string, seq: bigint): Promise<void> {
      const own = tellings.forTenant(tenantId);
      await retryDuplicates(() => own.updateOne({ _id: tenantId }, { $max: { seq } }, { upsert: true }));
    },

    /** Told up to there but for some, which are told by themselves once they can be. */
    async noteLeft(tenantId: string, seqs: readonly bigint[]): Promise<void> {
      const own = tellings.forTenant(tenantId);
      const left = { $addToSet: { left: { $each: [...seqs] } }, $max: { seq: 0n } };
      await retryDuplicates(() => own.updateOne({ _id: tenantId }, left, { upsert: true }));
    },
    async leftOf(tenantId: string): Promise<bigint[]> {
      return (await tellings.forTenant(tenantId).findOne({ _id: tenantId }))?.left ?? [];
    },
    async recordLeftPublished(tenantId: string, seq: bigint): Promise<void> {
      const own = tellings.forTenant(tenantId);
      await own.updateOne({ _id: tenantId }, { $pull: { left: seq } });
      await own.updateOne({ _id: tenantId, left: [] }, { $unset: { left: true } });
    },
    /** Tenants of which some are left; none of held ones. */
    async withLeft(limit: number): Promise<string[]> {
      const others = await held.otherTenants();
      const some = { ...others, left: { $exists: true } };
      const found = await everyTelling.find(some as never, { sort: { _id: 1 }, limit, projection: { tenantId: 1 } });
      return found.map(({ tenantId }) => tenantId);
    },

    /** Those whose last transfer is older than a time, by tenant; none of held tenants. */
    async *unpublished(before: Date): AsyncIterable<UnpublishedJournal> {
      const others = await held.otherTenants();
      let after = "";
      for (;;) {
        const page = { sort: { _id: 1 }, limit: pageSize, projection: { tenantId: 1, seq: 1, time: 1 } } as const;
        const heads = await everyHead.find({ ...others, _id: { $gt: after } } as never, page);
        const published = await everyTelling.find({ _id: { $in: heads.map(({ _id }) => _id) } } as never);
        const publishedSeqOf = new Map(published.map(({ _id, seq }) => [_id, seq]));
        for (const { _id, tenantId, seq, time } of heads) {
          if (seq > (publishedSeqOf.get(_id) ?? 0n) && time < before) yield { tenantId, lastAt: time };
        }
        if (heads.length < pageSize) return;
        after = heads.at(-1)!._id;
      }
    },
  };
}

export type TellingStore = ReturnType<typeof createTellingStore>;
