import { isDeepStrictEqual } from "node:util";
import type { BusinessClock } from "../../../platform/preferences/business-clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Outbox } from "../../../kernel/outbox/index.js";
import {
  assess,
  assessedOf,
  isCurrent,
  newCustomer,
  statusFactsOf,
  type AssessedPerson,
  type CustomerRecord,
  type Person,
} from "../domain/customer.js";
import type { Origin } from "../../common/domain/origin.js";
import { isNewIdentityQuestion } from "../domain/identity-check.js";
import { customerRow, identityCheckRow, moreKnownRow, rowKinds, statusRow } from "../../common/store/outbox-rows.js";
import { customerEventRows } from "../wire/event-rows.js";
import { knowsMore } from "../domain/personal-details.js";
import { profilesOf, type Policy } from "../domain/policy.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import type { ComplianceStore, Session, TenantStore } from "../store/index.js";

export interface CustomersDeps {
  store: ComplianceStore;
  policies: PolicyVersions;
  outbox: Outbox;
  times: BusinessClock;
}

export interface Working {
  /** Business time. */
  now: Date;
  policy: Policy | undefined;
  session: Session;
  tenant: TenantStore;
}

export type Customers = ReturnType<typeof createCustomers>;

/**
 * Changes to what is held of a customer. Each change works out requirements, score and decision
 * anew in its transaction.
 */
export function createCustomers({ store, policies, outbox, times }: CustomersDeps) {
  /**
   * Changes a customer and writes everything that follows: score history, status history, rows that
   * follow. `work` may run more than once and returns what it changed; without it only policy and
   * time have moved on.
   */
  async function change(
    origin: Origin,
    person: Person,
    cause: string,
    work: (before: CustomerRecord, working: Working) => Promise<CustomerRecord> = async (before) => before,
  ): Promise<CustomerRecord> {
    const { tenantId } = origin;
    const { customerId } = person;
    const tenant = store.forTenant(tenantId);
    const time = await times.forTenant(tenantId, origin.interactionId);
    let reached: CustomerRecord | undefined;
    const changed = await store.transaction(
      async (session) => {
        const now = time.now();
        const policy = await policies.current(tenantId, tenant, session);
        const before = (await tenant.findCustomer(customerId, session)) ?? newCustomer(customerId);
        const worked = await work(before, { now, policy, session, tenant });
        reached = await keep(origin, before, worked, person, cause, { now, policy, session, tenant });
        return reached;
      },
      // A change is known by the version it reached; where another came after it, the work runs
      // again and finds itself done.
      async () => {
        const found = await tenant.findCustomer(customerId);
        return found !== undefined && isDeepStrictEqual(found, reached) ? found : undefined;
      },
    );
    crashPoint("compliance.customer.changed");
    outbox.wake();
    return changed;
  }

  /** Writes a customer as they are after a change, assessed. Inside the change's transaction. */
  async function keep(
    origin: Origin,
    before: CustomerRecord,
    worked: CustomerRecord,
    person: AssessedPerson,
    cause: string,
    { now, policy, session, tenant }: Working,
  ): Promise<CustomerRecord> {
    const { customer: assessed, isRescored, isConfirmed } = assess(worked, person, policy, now);
    const isOrWas = assessed.status === "BLOCKED" || before.status === "BLOCKED" || before.wasBlocked;
    const customer: CustomerRecord = isOrWas ? { ...assessed, wasBlocked: true } : assessed;
    const isNewStatus = customer.status !== before.status || customer.reason !== before.reason;
    const next = {
      ...customer,
      version: before.version + 1,
      sequence: before.sequence + (isNewStatus ? 1 : 0),
    };
    if (isDeepStrictEqual({ ...next, version: before.version }, before)) return before;
    const { customerId, status, reason, sequence, version } = next;
    await tenant.putCustomer(next, session);
    if (isRescored && next.risk) {
      const { policyVersion } = next;
      await tenant.insertScore({ ...next.risk, customerId, policyVersion, cause, at: now }, session);
    }
    if (isNewStatus) {
      const actor = isConfirmed ? "compliance" : origin.actor;
      const { interactionId } = origin;
      const change = { customerId, sequence, status, reason, at: now, actor, interactionId };
      await tenant.insertStatusChange(change, session);
      await outbox.add(statusRow(origin, change), session);
    }
    await outbox.addAll(customerEventRows(origin, before, next, now), session);
    if (isNewIdentityQuestion(before, next)) {
      await outbox.add(identityCheckRow(origin, { customerId, version, look: 1 }), session);
    }
    const isMoreKnown = knowsMore(before.details, next.details);
    const isMore = isMoreKnown || meetsMore(before, next, now);
    // Payouts wait for more of those of whom something is known, and where a policy asks.
    const mayWait = policy !== undefined && profilesOf(policy).length > 0 && before.details !== undefined;
    if (isMoreKnown && mayWait) await outbox.add(moreKnownRow(origin, { customerId, version }), session);
    if ((isNewStatus || isMore) && (await waits(tenant, customerId, session))) {
      await outbox.add(customerRow(origin, customerId, version, rowKinds.reconsider, { customerId }), session);
    }
    return next;
  }

  async function waits(tenant: TenantStore, customerId: string, session: Session): Promise<boolean> {
    return (await tenant.listOpen({ customerId, limit: 1 }, session)).length > 0;
  }

  return {
    change,
    keep,
    /** The customer as policy and time have them now; worked out anew where either has moved on. */
    async current(origin: Origin, person: Person): Promise<CustomerRecord> {
      const tenant = store.forTenant(origin.tenantId);
      const found = await tenant.findCustomer(person.customerId);
      const version = await tenant.findPolicyVersion();
      const time = await times.forTenant(origin.tenantId, origin.interactionId);
      const isSame =
        found?.details !== undefined && isCurrent(found, version, time.now()) && isSamePerson(found, person);
      if (isSame) return found;
      // What identity has told of since is newer than what was asked.
      return change(origin, person, "policy or time has moved on", async (before) => ({
        ...before,
        details: before.details ?? person.details,
      }));
    },
  };
}

function isSamePerson({ person }: CustomerRecord, asked: Person): boolean {
  return isDeepStrictEqual(person, assessedOf(asked));
}

function meetsMore(before: CustomerRecord, after: CustomerRecord, now: Date): boolean {
  const met = new Set(statusFactsOf(before, now).met);
  const unmet = new Set(statusFactsOf(after, now).unmet);
  const isFewer = statusFactsOf(before, now).unmet.some((kind) => !unmet.has(kind));
  return isFewer || statusFactsOf(after, now).met.some((kind) => !met.has(kind));
}
