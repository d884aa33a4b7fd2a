import type { ClientSession, Connection } from "mongoose";
import { perTenant } from "../../shared/mongo/per-tenant.js";
import { tenantCollection, type Filter, type TenantCollection } from "../../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../../shared/mongo/transaction.js";
import type { DayActivity } from "../domain/figures.js";
import type { AuditEntry } from "../handlers/audit.js";
import { customerStore } from "./customers.js";
import type { CustomerRecord } from "../domain/customer.js";
import { decisionStore, type StoredDecision } from "./decisions.js";
import type { CustomerStatus, DayUsage, DecisionInputs, Outcome } from "../domain/decision.js";
import { forcedDecisionStore, type KeptForced } from "./forced-decisions.js";
import type { ReservationState } from "../domain/reservation.js";
import type { Override } from "../handlers/override-outcome.js";
import type { Policy, SavedDraft } from "../domain/policy.js";
import { completePolicy } from "./policy-versions.js";
import type { RiskScore } from "../domain/risk.js";
import type { Verification } from "../domain/verification.js";

export type Session = ClientSession;

/** A decision with the policy version and inputs it was made from. */
export interface KeptDecision extends Outcome {
  transactionId: string;
  /** 0 where the tenant had no policy. */
  policyVersion: number;
  inputs: DecisionInputs;
  reservation: ReservationState;
  /** It was CONFIRMED with the decision, before anybody paid. */
  spentAtOnce?: true;
  /** What the payee gets is held, as the payee's status was then. */
  isHeldForPayee?: true;
  decidedAt: Date;
  interactionId: string;
  /** Raised by every change; news of the decision go out in its order. */
  version: number;
  /** Waits for a person (REVIEW) or for documents (PENDING). */
  isOpen: boolean;
  /** "rules", or the user who decided the review. */
  decidedBy: string;
  /** What was decided before, with what it was decided from. */
  earlier: (Outcome & { policyVersion: number; inputs: DecisionInputs; decidedAt: Date; decidedBy: string })[];
}

export interface StatusChange {
  customerId: string;
  /** 1, 2, 3… per customer. */
  sequence: number;
  status: CustomerStatus;
  reason: string;
  at: Date;
  actor: string;
  interactionId: string;
}

/** A score as history keeps it. */
export type KeptScore = RiskScore & {
  customerId: string;
  sequence: number;
  policyVersion: number;
  cause: string;
  at: Date;
};

/** One per customer and calendar day: sums for rules, and per currency what is reserved and used of the day's limit. */
export interface DayRecord extends DayActivity {
  customerId: string;
  usage: (DayUsage & { currency: string })[];
}

/** Counters beside a customer's record, by which a process knows whether what it remembers of their past still holds. */
export interface CustomerMarks {
  /** Raised whenever the customer is locked. */
  checks: number;
  /** Raised when a day other than the last one changes. */
  pastChanges: number;
  /** The last day on which anything was decided. */
  lastDay: string;
}

export type Owned<T> = T & { tenantId: string };

export const collections = {
  policies: "policies",
  drafts: "policy_drafts",
  statuses: "customer_statuses",
  statusChanges: "customer_status_changes",
  days: "activity_days",
  recipients: "known_recipients",
  decisions: "decisions",
  scores: "risk_scores",
  verifications: "verifications",
  overrides: "overrides",
  audit: "audit",
  forced: "forced_decisions",
} as const;

const maxAttempts = 5;
const projection = { _id: 0, tenantId: 0 };

export interface Page {
  limit: number;
  /** Where the page before ended. */
  after?: string;
}

export type ComplianceStore = ReturnType<typeof createComplianceStore>;
export type TenantStore = ReturnType<ComplianceStore["forTenant"]>;

/** The only place, with the stores beside it, that knows how compliance's database looks. */
export function createComplianceStore(db: Connection) {
  const of = <T>(name: string) => tenantCollection<Owned<T>>(db, name);
  const all = {
    policies: of<Policy>(collections.policies),
    drafts: of<SavedDraft>(collections.drafts),
    statuses: of<CustomerRecord>(collections.statuses),
    statusChanges: of<StatusChange>(collections.statusChanges),
    days: of<DayRecord>(collections.days),
    recipients: of<{ customerId: string; recipient: string }>(collections.recipients),
    decisions: of<StoredDecision>(collections.decisions),
    scores: of<KeptScore>(collections.scores),
    verifications: of<Verification>(collections.verifications),
    overrides: of<Override>(collections.overrides),
    audit: of<AuditEntry>(collections.audit),
    forced: of<KeptForced>(collections.forced),
  };

  return {
    /** Runs `work` in one transaction, again where somebody else inserted the same document first. */
    async transaction<T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(db, work, { readBack });
        } catch (error) {
          if (!isDuplicateKey(error) || attempt === maxAttempts) throw error;
        }
      }
    },

    /** The same once only: whatever comes between, nothing is written and it throws. */
    transactionOnce: <T>(work: (session: Session) => Promise<T>, readBack: () => Promise<T | undefined>): Promise<T> =>
      inTransaction(db, work, { readBack, deadlineMs: 0 }),

    forTenant: perTenant((tenantId: string) => ({
      ...policyStore(all.policies.forTenant(tenantId), all.drafts.forTenant(tenantId)),
      ...customerStore(
        all.statuses.forTenant(tenantId),
        all.statusChanges.forTenant(tenantId),
        all.scores.forTenant(tenantId),
      ),
      ...decisionStore(
        all.decisions.forTenant(tenantId),
        all.days.forTenant(tenantId),
        all.recipients.forTenant(tenantId),
      ),
      ...forcedDecisionStore(all.forced.forTenant(tenantId)),
      ...recordStore(
        all.verifications.forTenant(tenantId),
        all.overrides.forTenant(tenantId),
        all.audit.forTenant(tenantId),
      ),
    })),
  };
}

function policyStore(policies: TenantCollection<Owned<Policy>>, drafts: TenantCollection<Owned<SavedDraft>>) {
  return {
    /** The current one, or a version. */
    async findPolicy(session?: Session, version?: number): Promise<Policy | undefined> {
      const options = { sort: { version: -1 }, projection, session } as const;
      const found = await policies.findOne(version === undefined ? {} : { version }, options);
      return found === null ? undefined : completePolicy(found);
    },
    /** Of the current policy; 0 where there is none. */
    async findPolicyVersion(session?: Session): Promise<number> {
      const options = { sort: { version: -1 }, projection: { _id: 0, version: 1 }, session } as const;
      return (await policies.findOne({}, options))?.version ?? 0;
    },
    async findPolicyByRevision(revision: number, session?: Session): Promise<Policy | undefined> {
      const found = await policies.findOne({ revision }, { projection, session });
      return found === null ? undefined : completePolicy(found);
    },
    listPolicies: ({ limit, after }: Page): Promise<Policy[]> =>
      policies.find(after === undefined ? {} : { version: { $lt: Number(after) } }, {
        sort: { version: -1 },
        limit,
        projection: { _id: 0, version: 1, publishedAt: 1, publishedBy: 1, draftedBy: 1 },
      }),
    insertPolicy: (policy: Policy, session: Session) => policies.insertOne(policy, { session }),

    async findDraft(session?: Session): Promise<SavedDraft | undefined> {
      return (await drafts.findOne({}, { projection, session })) ?? undefined;
    },
    async putDraft(draft: SavedDraft, session: Session): Promise<void> {
      await drafts.updateOne({}, { $set: draft }, { session, upsert: true });
    },
  };
}

function recordStore(
  verifications: TenantCollection<Owned<Verification>>,
  overrides: TenantCollection<Owned<Override>>,
  audit: TenantCollection<Owned<AuditEntry>>,
) {
  return {
    async findVerification(by: Partial<Verification>, session?: Session): Promise<Verification | undefined> {
      const options = { projection, session, sort: { verificationId: -1 } } as const;
      return (await verifications.findOne(by as Filter<Owned<Verification>>, options)) ?? undefined;
    },
    insertVerification: (one: Verification, session: Session) => verifications.insertOne(one, { session }),
    async endVerification(verificationId: string, state: Verification["state"], session: Session): Promise<void> {
      await verifications.updateOne({ verificationId }, { $set: { state } }, { session });
    },
    /** Counts a try before it is looked at; undefined where none is left or it is no longer open. */
    async countTry(verificationId: string, maxTries: number): Promise<Verification | undefined> {
      const open = { verificationId, state: "OPEN" as const, tries: { $lt: maxTries } };
      const options = { returnDocument: "after", projection } as const;
      return (await verifications.findOneAndUpdate(open, { $inc: { tries: 1 } }, options)) ?? undefined;
    },

    async findOverride(by: Partial<Override>, session?: Session): Promise<Override | undefined> {
      return (await overrides.findOne(by as Filter<Owned<Override>>, { projection, session })) ?? undefined;
    },
    insertOverride: (one: Override, session: Session) => overrides.insertOne(one, { session }),
    async putOverride({ overrideId, ...content }: Override, session: Session): Promise<void> {
      await overrides.updateOne({ overrideId }, { $set: content }, { session });
    },
    listOverrides: ({ limit, after }: Page): Promise<Override[]> =>
      overrides.find(after === undefined ? {} : { overrideId: { $lt: after } }, {
        sort: { overrideId: -1 },
        limit,
        projection,
      }),

    /** Nothing here changes or removes an entry. */
    insertAudit: (entry: AuditEntry, session?: Session) => audit.insertOne(entry, { session }),
    listAudit: ({ subject, limit, after }: Page & { subject?: string }): Promise<AuditEntry[]> =>
      audit.find(
        { ...(subject !== undefined && { subject }), ...(after !== undefined && { entryId: { $lt: after } }) },
        { sort: { entryId: -1 }, limit, projection },
      ),
  };
}
