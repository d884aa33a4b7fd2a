import { Counter, type Registry } from "prom-client";
import { processMetrics } from "../../kernel/telemetry/metrics.js";

/**
 * What is counted of banks' lists of credits: of live tenants only, since a sandbox's
 * bank is played by whoever tests.
 */
export function createCreditMetrics(registry: Registry) {
  const registers = [registry];
  const unreadable = new Counter({
    name: "manilla_bank_credits_unreadable_total",
    help: "Credits of live tenants' banks that no account can hold; the log names each by its id",
    registers,
  });
  const changed = new Counter({
    name: "manilla_bank_credits_changed_total",
    help: "Credits that a live tenant's bank has listed as others than they were, and that count as they were; the log names each by its id",
    registers,
  });
  return { unreadable, changed };
}

export const creditMetrics = createCreditMetrics(processMetrics.registry);
