import type { OutgoingContext } from "../../../kernel/grpc/client.js";
import { newCustomer } from "../domain/customer.js";
import { leftOfDay } from "../domain/daily-limit.js";
import { calendarDay } from "../domain/days.js";
import { decide } from "../domain/decision.js";
import { decisionBasis, missingReads, type DecisionBasis } from "../domain/decision-inputs.js";
import type { Origin } from "../../common/domain/origin.js";
import type { TransactionFacts } from "../domain/transaction.js";
import type { ComplianceStore } from "../store/index.js";
import type { PolicyVersions } from "../store/policy-versions.js";
import type { TermsOfTenants } from "./terms.js";
import type { WhenCurrent } from "./when-current.js";

export interface PreviewDeps {
  store: ComplianceStore;
  policies: PolicyVersions;
  times: TermsOfTenants;
  whenCurrent: WhenCurrent;
}

/** What would be decided now, without a lock and without a trace. */
export function createPreview({ store, policies, times, whenCurrent }: PreviewDeps) {
  async function readUnlocked(
    tenantId: string,
    interactionId: string,
    facts: TransactionFacts,
  ): Promise<DecisionBasis> {
    const tenant = store.forTenant(tenantId);
    const { customerId, recipient } = facts;
    const time = await times.forTenant(tenantId, interactionId);
    const customer = (await tenant.findCustomer(customerId)) ?? newCustomer(customerId);
    const policy = await policies.current(tenantId, tenant);
    const now = time.now();
    const { timeZone, requiredDetails } = time;
    const day = calendarDay(now, timeZone);
    const snapshot = { facts, policy, customer, now, day, dayOfLock: day, timeZone, requiredDetails };
    const missing = missingReads(snapshot);
    const days = await tenant.listDays(customerId, missing.fromDay, day);
    const isKnownRecipient =
      missing.asksRecipient && (await tenant.knownRecipients([{ customerId, recipient }])).size > 0;
    return decisionBasis(snapshot, missing, { days, isKnownRecipient });
  }

  /**
   * The outcome, and what the day's limit leaves. Writes nothing but what policy and time have
   * changed of the customer.
   */
  return async function preview(origin: Origin, facts: TransactionFacts, call: OutgoingContext) {
    const run = () => readUnlocked(origin.tenantId, origin.interactionId, facts);
    const { policy, customer, inputs } = await whenCurrent(origin, call, facts.customerId, run);
    return { outcome: decide(policy, inputs), customer, policy, left: policy && leftOfDay(policy, inputs) };
  };
}
