import { Counter, type Registry } from "prom-client";
import type { Logger } from "../../kernel/process/log.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import { askedMembers } from "../domain/order-parties.js";
import { payoutOf } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";

/** Counts what partners say that nobody can act on, and what goes to none. */
export function createUnclearMetrics(registry: Registry) {
  const payouts = new Counter({
    name: "manilla_payouts_unclear_total",
    help: "Payouts of live tenants whose partner said what ends nothing, so that a person has to say how they ended",
    registers: [registry],
  });
  const statements = new Counter({
    name: "manilla_partner_statement_faults_total",
    help: "Times that a live tenant's statement at a partner did not come to an end, by the partner's fault; the log names the plugin",
    registers: [registry],
  });
  const uncarried = new Counter({
    name: "manilla_payouts_without_carrier_total",
    help: "Payouts of live tenants that began to wait, since no partner may be told what the policy asks of them",
    registers: [registry],
  });
  return { payouts, statements, uncarried };
}

const metrics = createUnclearMetrics(processMetrics.registry);

/**
 * Alerts the operator of a payout that waits for a person's word; a
 * sandbox's only shows in the log.
 */
export function tellOfUnclear(log: Logger) {
  return (tenantId: string, transaction: Transaction): void => {
    const { unclear, installationId } = payoutOf(transaction);
    const about = { tenantId, installationId, transactionId: transaction.transactionId, said: unclear?.said };
    log.warn(about, "a payout waits for a person: its partner said what ends nothing");
    if (!isSandbox(tenantId)) metrics.payouts.inc();
  };
}

/**
 * Alerts the operator of a payout that no partner may have as it is; a sandbox's only shows in the
 * log.
 */
export function tellOfUncarried(log: Logger) {
  return (tenantId: string, transaction: Transaction): void => {
    const about = { tenantId, transactionId: transaction.transactionId, members: askedMembers(transaction) };
    log.warn(about, "a payout waits: no partner may be told what the policy asks of it");
    if (!isSandbox(tenantId)) metrics.uncarried.inc();
  };
}

/**
 * Alerts the operator of a statement of a live tenant that its partner does not bring to an end.
 */
export function recordStatementFault(tenantId: string): void {
  if (!isSandbox(tenantId)) metrics.statements.inc();
}
