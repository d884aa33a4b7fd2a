import type { Filter, TenantCollection } from "../../../kernel/mongo/tenant-collection.js";
import type { Owned, Session } from "./collections.js";

/**
 * Its revision is counted on when it is published, so that no two drafts of a tenant have the same.
 */
export type StoredDraft<Draft> = Draft & { isPublished?: true };

/** A tenant's one draft: there until it is published. */
export function draftStore<Draft extends { revision: number }>(drafts: TenantCollection<Owned<StoredDraft<Draft>>>) {
  const projection = { _id: 0, tenantId: 0, isPublished: 0 };
  const open = { isPublished: { $exists: false } } as Filter<Owned<StoredDraft<Draft>>>;
  return {
    async findDraft(session?: Session): Promise<Draft | undefined> {
      return (await drafts.findOne(open, { projection, session })) ?? undefined;
    },
    /** Of the draft, published or not; 0 where there never was one. */
    async findDraftRevision(session?: Session): Promise<number> {
      return (await drafts.findOne({}, { projection: { _id: 0, revision: 1 }, session }))?.revision ?? 0;
    },
    async putDraft(draft: Draft, session: Session): Promise<void> {
      await drafts.updateOne({}, { $set: draft, $unset: { isPublished: true } } as object, { session, upsert: true });
    },
    /** Once it is published: the policy has what it said. */
    async endDraft(session: Session): Promise<void> {
      await drafts.updateOne({}, { $set: { isPublished: true } } as object, { session });
    },
  };
}
