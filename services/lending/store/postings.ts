import type { TenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Posting } from "../domain/postings.js";
import { entities, type EntityRow, type Session } from "./rows.js";

export function createPostingStore(tenantId: string, postings: TenantCollection<EntityRow<Posting>>) {
  const { insert, one, list } = entities(postings);
  const idOf = (postingId: string): string => `${tenantId}/${postingId}`;
  return {
    insertPosting: (posting: Posting, session: Session) => insert(idOf(posting.postingId), posting, session),
    findPosting: (postingId: string) => one({ _id: idOf(postingId) }),
    listOpenPostings: (after: string, limit: number) =>
      list({ isOpen: true, _id: { $gt: idOf(after) } }, { sort: { _id: 1 }, limit }),
    async closePosting(postingId: string): Promise<void> {
      await postings.updateOne({ _id: idOf(postingId), isOpen: true }, { $set: { isOpen: false } });
    },
  };
}
