import { v7 as uuidv7 } from "uuid";
import type { ApprovalOutcome, OutcomeHandler } from "../../../platform/approvals/approval-outcomes.js";
import { maxEffects, setEffects } from "../../../platform/approvals/approval-effects.js";
import type { BusinessClock } from "../../../platform/preferences/business-clock.js";
import type { Clock } from "../../../kernel/time/clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { printJson } from "../../../kernel/json.js";
import type { AuditEntry } from "../../common/domain/audit.js";
import { isHeldByBlock, underBlock } from "../domain/customer-blocks.js";
import { anewEffects, statusEffects } from "../domain/customer-effects.js";
import { newCustomer, type Person } from "../domain/customer.js";
import type { Customers } from "../checks/customers.js";
import type { Override, OverridePayload } from "../domain/override.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import type { ComplianceStore } from "../store/index.js";

const actions = { APPROVED: "override.approve", REFUSED: "override.refuse", EXPIRED: "override.expire" } as const;

/**
 * Carries out what was decided on an override: its state, the audit trail and, where it was
 * approved, the customer's status.
 */
export function overrideOutcome(deps: {
  store: ComplianceStore;
  policies: PolicyVersions;
  customers: Customers;
  times: BusinessClock;
  clock: Clock;
}): OutcomeHandler {
  const { store, policies, customers, times, clock } = deps;
  return async (outcome, session, { tenantId, interactionId }, effects) => {
    const tenant = store.forTenant(tenantId);
    const { approvalId: overrideId, status: state, decidedBy, decidedAt, decidedBecause: decisionReason } = outcome;
    const { customerId, status, key, country, registeredAt } = outcome.payload as unknown as OverridePayload;
    const now = clock.now();
    const time = await times.forTenant(tenantId, interactionId);
    const known = await tenant.findOverride({ overrideId }, session);
    const override = known ?? requested(outcome, { customerId, status, key }, now);
    if (known === undefined) await tenant.insertOverride(override, session);
    await tenant.putOverride({ ...override, state, decidedBy, decidedAt, decisionReason }, session);
    await tenant.insertAudit(auditOf(outcome, override, now, interactionId), session);
    if (state === "APPROVED") {
      const before = (await tenant.lockCustomer(customerId, session)) ?? newCustomer(customerId);
      const policy = await policies.current(tenantId, tenant, session);
      const person: Pick<Person, "country" | "registeredAt"> = before.person ?? {
        country,
        registeredAt: new Date(registeredAt),
      };
      const origin = { tenantId, interactionId, actor: decidedBy };
      // A confirmed hit ends by its own release alone; what was agreed on counts from then.
      const after = isHeldByBlock(before) ? underBlock(before, status) : { ...before, status, reason: override.reason };
      const working = { now: time.now(), policy, session, tenant };
      const written = await customers.keep(origin, before, after, person, `override ${overrideId}`, working);
      // Another reason has them decided anew as well.
      const isNew = written.sequence !== before.sequence && !isHeldByBlock(written);
      const waiting = isNew ? await tenant.listOpen({ customerId, limit: maxEffects }, session) : [];
      const done = [...statusEffects(before, written), ...anewEffects(waiting, "DOCUMENTS")];
      const subject = `customer:${customerId}`;
      // Under a block it counts once that ends; else it is so already, by another way.
      const kind = isHeldByBlock(before) ? "CUSTOMER_STATUS_SET" : "NOTHING_DONE";
      effects.add(...(done.length > 0 ? done : setEffects(kind, subject, [])));
    }
    crashPoint("compliance.override.decided");
  };
}

function requested(
  { approvalId, askedBecause, askedBy }: ApprovalOutcome,
  what: Pick<Override, "customerId" | "status" | "key">,
  now: Date,
): Override {
  return {
    ...what,
    overrideId: approvalId,
    reason: askedBecause,
    state: "REQUESTED",
    requestedBy: askedBy,
    requestedAt: now,
  };
}

function auditOf(
  { status: state, decidedBy, decidedBecause }: ApprovalOutcome,
  { overrideId, customerId, status }: Override,
  at: Date,
  interactionId: string,
): AuditEntry {
  return {
    entryId: uuidv7(),
    at,
    actor: decidedBy,
    // Only a MANAGER decides, and an expired request was decided by nobody.
    role: state === "EXPIRED" ? "" : "MANAGER",
    action: actions[state],
    subject: `customer:${customerId}`,
    reason: decidedBecause,
    content: printJson({ overrideId, status }),
    interactionId,
  };
}
