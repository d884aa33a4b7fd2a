import type { RecordCollection } from "../../../kernel/mongo/record-collection.js";
import type { Filter } from "../../../kernel/mongo/tenant-collection.js";
import type { Session } from "./collections.js";

/**
 * Its revision is counted on when it is published, so that no two drafts of a tenant have the same.
 */
export type StoredDraft<Draft> = Draft & { isPublished?: true };

/** A tenant's one draft: there until it is published. */
export function draftStore<Draft extends { revision: number }>(drafts: RecordCollection<StoredDraft<Draft>>) {
  const projection = { _id: 0, tenantId: 0, isPublished: 0 };
  const open = { isPublished: { $exists: false } } as Filter<StoredDraft<Draft>>;
  return {
    findDraft: (session?: Session): Promise<Draft | undefined> => drafts.findOne(open, { projection, session }),
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
