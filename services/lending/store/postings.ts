import type { Posting } from "../domain/postings.js";
import { under, type Entities, type Session } from "./rows.js";

export function createPostingStore(tenantId: string, postings: Entities<Posting>) {
  const idOf = (postingId: string): string => `${tenantId}/${postingId}`;
  return {
    insertPosting: (posting: Posting, session: Session) =>
      postings.insertOne(under(idOf(posting.postingId), posting), { session }),
    findPosting: (postingId: string) => postings.findOne({ _id: idOf(postingId) }),
    listOpenPostings: (after: string, limit: number) =>
      postings.find({ isOpen: true, _id: { $gt: idOf(after) } }, { sort: { _id: 1 }, limit }),
    async closePosting(postingId: string): Promise<void> {
      await postings.updateOne({ _id: idOf(postingId), isOpen: true }, { $set: { isOpen: false } });
    },
  };
}
