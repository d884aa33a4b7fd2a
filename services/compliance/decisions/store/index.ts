import type { Connection } from "mongoose";
import { forcedOutcomeStore, type StoredForcedOutcome } from "../../../platform/sandbox/forced-outcome-store.js";
import { perTenant } from "../../../kernel/mongo/per-tenant.js";
import { recordCollection } from "../../../kernel/mongo/record-collection.js";
import { acrossTenants } from "../../../kernel/mongo/tenant-collection.js";
import { inTransaction, retryDuplicates } from "../../../kernel/mongo/transaction.js";
import type { AgentContacts } from "../domain/agent-contacts.js";
import type { CustomerRecord, StatusChange } from "../domain/customer.js";
import type { DayRecord } from "../domain/day-usage.js";
import type { Override } from "../domain/override.js";
import type { Policy, SavedDraft } from "../domain/policy.js";
import type { StoredScore } from "../domain/risk.js";
import type { Verification } from "../domain/verification.js";
import { collections, type Owned, type Session } from "../../common/store/collections.js";
import { agentContactStore } from "./agent-contacts.js";
import { customerStore } from "./customers.js";
import { dayStore } from "./days.js";
import { decisionStore, withoutLists, type StoredDecision } from "./decisions.js";
import type { StoredDraft } from "../../common/store/drafts.js";
import { oversightStore, type StoredAudit } from "./oversight.js";
import { policyStore } from "./policies.js";
import type { TextCipher } from "../../screening/store/screening-cipher.js";
import { verificationStore } from "./verifications.js";

export type { Page, Session } from "../../common/store/collections.js";

export type ComplianceStore = ReturnType<typeof createComplianceStore>;
export type TenantStore = ReturnType<ComplianceStore["forTenant"]>;

/** The only place, with the stores beside it, that knows how compliance's database looks. */
export function createComplianceStore(db: Connection, cipher: TextCipher) {
  const of = <T>(name: string) => recordCollection<T>(db, name);
  const policies = of<Policy>(collections.policies);
  const drafts = of<StoredDraft<SavedDraft>>(collections.drafts);
  const statuses = of<CustomerRecord>(collections.statuses);
  const statusChanges = of<StatusChange>(collections.statusChanges);
  const scores = of<StoredScore>(collections.scores);
  const decisions = of<StoredDecision>(collections.decisions);
  const days = of<DayRecord>(collections.days);
  const recipients = of<{ customerId: string; recipient: string }>(collections.recipients);
  const forced = of<StoredForcedOutcome>(collections.forced);
  const verifications = of<Verification>(collections.verifications);
  const agentContacts = of<AgentContacts>(collections.agentContacts);
  const overrides = of<Override>(collections.overrides);
  const audit = of<StoredAudit>(collections.audit);

  const everywhere = acrossTenants<Owned<StoredDecision>>(
    db,
    collections.decisions,
    "transactions wait for screening lists that any tenant may use",
  );

  return {
    /**
     * Tenants whose transactions wait because lists were not there, in their order;
     * `after` is the last one known.
     */
    async nextUnavailable(after: string): Promise<string | undefined> {
      const options = {
        sort: { tenantId: 1 as const, transactionId: 1 as const },
        projection: { _id: 0, tenantId: 1 },
      };
      return (await everywhere.findOne({ ...withoutLists, tenantId: { $gt: after } }, options))?.tenantId;
    },

    /**
     * Runs `work` in one transaction, again where somebody else inserted the same document first.
     */
    async transaction<T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T> {
      return retryDuplicates(() => inTransaction(db, work, { readBack }));
    },

    /**
     * The same, but what somebody else inserted first ends it: who runs it looks for that and
     * begins anew.
     */
    transactionUntilInserted: <T>(
      work: (session: Session) => Promise<T>,
      readBack: () => Promise<T | undefined>,
    ): Promise<T> => inTransaction(db, work, { readBack }),

    /**
     * Runs `work` in one transaction, once. Throws where anything comes between; then nothing is
     * written.
     */
    transactionOnce: <T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T> =>
      inTransaction(db, work, { readBack, deadlineMs: 0 }),

    forTenant: perTenant((tenantId: string) => ({
      ...policyStore(policies.forTenant(tenantId), drafts.forTenant(tenantId)),
      ...customerStore(statuses.forTenant(tenantId), statusChanges.forTenant(tenantId), scores.forTenant(tenantId)),
      ...decisionStore(decisions.forTenant(tenantId)),
      ...dayStore(days.forTenant(tenantId), recipients.forTenant(tenantId)),
      ...forcedOutcomeStore(forced.forTenant(tenantId)),
      ...agentContactStore(agentContacts.forTenant(tenantId)),
      ...verificationStore(verifications.forTenant(tenantId)),
      ...oversightStore(tenantId, overrides.forTenant(tenantId), audit.forTenant(tenantId), cipher),
    })),
  };
}
