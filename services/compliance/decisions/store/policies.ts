import type { RecordCollection } from "../../../kernel/mongo/record-collection.js";
import type { Policy, SavedDraft } from "../domain/policy.js";
import type { Page, Session } from "../../common/store/collections.js";
import { draftStore, type StoredDraft } from "../../common/store/drafts.js";

/** Published versions of a tenant's policy, and its one draft. */
export function policyStore(policies: RecordCollection<Policy>, drafts: RecordCollection<StoredDraft<SavedDraft>>) {
  return {
    /** The current one, or a version. */
    findPolicy: (session?: Session, version?: number): Promise<Policy | undefined> =>
      policies.findOne(version === undefined ? {} : { version }, { sort: { version: -1 }, session }),
    /** Of the current policy; 0 where there is none. */
    async findPolicyVersion(session?: Session): Promise<number> {
      const options = { sort: { version: -1 }, projection: { _id: 0, version: 1 }, session } as const;
      return (await policies.findOne({}, options))?.version ?? 0;
    },
    findPolicyByRevision: (revision: number, session?: Session): Promise<Policy | undefined> =>
      policies.findOne({ revision }, { session }),
    listPolicies: ({ limit, after }: Page): Promise<Policy[]> =>
      policies.find(after === undefined ? {} : { version: { $lt: Number(after) } }, {
        sort: { version: -1 },
        limit,
        projection: { _id: 0, version: 1, publishedAt: 1, publishedBy: 1, draftedBy: 1 },
      }),
    insertPolicy: (policy: Policy, session: Session) => policies.insertOne(policy, { session }),

    ...draftStore(drafts),
  };
}
