import type { TenantCollection } from "../../../kernel/mongo/tenant-collection.js";
import type { Policy, SavedDraft } from "../domain/policy.js";
import type { Owned, Page, Session } from "../../common/store/collections.js";
import { draftStore, type StoredDraft } from "../../common/store/drafts.js";

const projection = { _id: 0, tenantId: 0 };

/** Published versions of a tenant's policy, and its one draft. */
export function policyStore(
  policies: TenantCollection<Owned<Policy>>,
  drafts: TenantCollection<Owned<StoredDraft<SavedDraft>>>,
) {
  return {
    /** The current one, or a version. */
    async findPolicy(session?: Session, version?: number): Promise<Policy | undefined> {
      const options = { sort: { version: -1 }, projection, session } as const;
      return (await policies.findOne(version === undefined ? {} : { version }, options)) ?? undefined;
    },
    /** Of the current policy; 0 where there is none. */
    async findPolicyVersion(session?: Session): Promise<number> {
      const options = { sort: { version: -1 }, projection: { _id: 0, version: 1 }, session } as const;
      return (await policies.findOne({}, options))?.version ?? 0;
    },
    async findPolicyByRevision(revision: number, session?: Session): Promise<Policy | undefined> {
      return (await policies.findOne({ revision }, { projection, session })) ?? undefined;
    },
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
