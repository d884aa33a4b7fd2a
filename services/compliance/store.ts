import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../shared/mongo/tenant-collection.js";
import { inTransaction, isDuplicateKey } from "../shared/mongo/transaction.js";
import type { CustomerStatus, DayUsage, DecisionInputs, Outcome } from "./decision.js";
import type { ReservationState, UsageChange } from "./limits.js";
import type { Policy } from "./policy.js";

export type Session = ClientSession;

/** A decision with the policy version and inputs it was made from. */
export interface KeptDecision extends Outcome {
  transactionId: string;
  /** 0 where the tenant had no policy. */
  policyVersion: number;
  inputs: DecisionInputs;
  reservation: ReservationState;
  decidedAt: Date;
  interactionId: string;
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

/** A day's guard document: one per customer, currency and calendar day. */
export interface DayKey {
  customerId: string;
  currency: string;
  day: string;
}

type Owned<T> = T & { tenantId: string };
type Guard = Owned<DayKey & DayUsage>;

export const collections = {
  policies: "policies",
  statuses: "customer_statuses",
  statusChanges: "customer_status_changes",
  guards: "limit_guards",
  decisions: "decisions",
} as const;

const maxAttempts = 5;
const withoutIds = { _id: 0, tenantId: 0 };

export type ComplianceStore = ReturnType<typeof createComplianceStore>;
export type TenantStore = ReturnType<ComplianceStore["forTenant"]>;

/** The only place that knows how compliance's database looks. */
export function createComplianceStore(db: Connection) {
  const policies = tenantCollection<Owned<Policy>>(db, collections.policies);
  const statuses = tenantCollection<Owned<StatusChange>>(db, collections.statuses);
  const statusChanges = tenantCollection<Owned<StatusChange>>(db, collections.statusChanges);
  const guards = tenantCollection<Guard>(db, collections.guards);
  const decisions = tenantCollection<Owned<KeptDecision>>(db, collections.decisions);

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

    forTenant: (tenantId: string) => ({
      async findPolicy(session?: Session): Promise<Policy | undefined> {
        const options = { sort: { version: -1 }, projection: withoutIds, session } as const;
        return (await policies.forTenant(tenantId).findOne({}, options)) ?? undefined;
      },

      insertPolicy: (policy: Policy, session: Session) => policies.forTenant(tenantId).insertOne(policy, { session }),

      async findStatus(customerId: string, session?: Session): Promise<StatusChange | undefined> {
        const options = { projection: withoutIds, session };
        return (await statuses.forTenant(tenantId).findOne({ customerId }, options)) ?? undefined;
      },

      listStatusChanges: (customerId: string): Promise<StatusChange[]> =>
        statusChanges.forTenant(tenantId).find({ customerId }, { sort: { sequence: 1 }, projection: withoutIds }),

      async putStatus(change: StatusChange, session: Session): Promise<void> {
        const { customerId, ...content } = change;
        await statuses.forTenant(tenantId).updateOne({ customerId }, { $set: content }, { session, upsert: true });
        await statusChanges.forTenant(tenantId).insertOne(change, { session });
      },

      async findDecision(transactionId: string, session?: Session): Promise<KeptDecision | undefined> {
        const options = { projection: withoutIds, session };
        return (await decisions.forTenant(tenantId).findOne({ transactionId }, options)) ?? undefined;
      },

      insertDecision: (decision: KeptDecision, session: Session) =>
        decisions.forTenant(tenantId).insertOne(decision, { session }),

      async setReservation(transactionId: string, reservation: ReservationState, session: Session): Promise<void> {
        await decisions.forTenant(tenantId).updateOne({ transactionId }, { $set: { reservation } }, { session });
      },

      async findUsage(key: DayKey, session?: Session): Promise<DayUsage> {
        const found = await guards.forTenant(tenantId).findOne({ ...key }, { session });
        return { reservedMinor: found?.reservedMinor ?? 0n, usedMinor: found?.usedMinor ?? 0n };
      },

      /** Writes the day's guard; of two transactions that both read it, one fails here and decides again. */
      async changeUsage(key: DayKey, change: UsageChange, session: Session): Promise<void> {
        await guards.forTenant(tenantId).updateOne({ ...key }, { $inc: { ...change } }, { session, upsert: true });
      },
    }),
  };
}
