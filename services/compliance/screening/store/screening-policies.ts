import type { Connection } from "mongoose";
import { perTenant } from "../../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import { platformPolicy, type ScreeningPolicy, type ScreeningPolicyDraft } from "../domain/policy.js";
import { collections, type Session } from "../../common/store/collections.js";
import { draftStore, type StoredDraft } from "../../common/store/drafts.js";

export type ScreeningPolicyStore = ReturnType<typeof createScreeningPolicyStore>;
export type TenantScreeningPolicies = ReturnType<ScreeningPolicyStore["forTenant"]>;

/**
 * Published versions of how tenants compare people with lists, and each tenant's one
 * draft. `threshold`, per mille, is that of the platform's own policy, which holds
 * where a tenant has published none.
 */
export function createScreeningPolicyStore(db: Connection, { threshold }: { threshold: number }) {
  const allPolicies = recordCollection<ScreeningPolicy>(db, collections.screeningPolicies);
  const allDrafts = recordCollection<StoredDraft<ScreeningPolicyDraft>>(db, collections.screeningPolicyDrafts);
  const platforms = platformPolicy(threshold);

  return {
    forTenant: perTenant((tenantId: string) => {
      const policies = allPolicies.forTenant(tenantId);
      const drafts = allDrafts.forTenant(tenantId);
      return {
        /** The version in use; the platform's own, version 0, where there is none. */
        async current(session?: Session): Promise<ScreeningPolicy> {
          return (await policies.findOne({}, { sort: { version: -1 }, session })) ?? platforms;
        },
        /** What a draft has become, where it was published. */
        findByRevision: (revision: number, session?: Session): Promise<ScreeningPolicy | undefined> =>
          policies.findOne({ revision }, { session }),
        /** Its version must be the next one: throws a duplicate where it is taken. */
        insert: (policy: ScreeningPolicy, session: Session) => policies.insertOne(policy, { session }),
        ...draftStore(drafts),
      };
    }),
  };
}
