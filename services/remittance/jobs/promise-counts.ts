import { Counter, type Registry } from "prom-client";
import type { Logger } from "../../kernel/process/log.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { createDayEnds, promiseOf } from "../domain/promised-day.js";
import type { Transaction } from "../domain/transaction.js";

/** Counts payouts that were available by the day that senders were promised. */
export function createPromiseMetrics(registry: Registry) {
  return new Counter({
    name: "manilla_payout_promises_total",
    help: "Completed payouts of live tenants by corridor, kept or late against the day that the sender was promised",
    labelNames: ["origin", "receiving", "outcome"] as const,
    registers: [registry],
  });
}

const promises = createPromiseMetrics(processMetrics.registry);

/** Counts one once it is completed; a sandbox's counts for nothing. */
export function countPromises(times: Pick<BusinessClock, "forTenant">, log: Logger) {
  return (tenantId: string, transaction: Transaction): void => {
    if (isSandbox(tenantId)) return;
    const { originCountry: origin, receivingCountry: receiving } = transaction.transferInformation;
    times.forTenant(tenantId, transaction.interactionId).then(
      ({ timeZone, now }) => {
        const outcome = promiseOf(transaction, createDayEnds(timeZone), now());
        if (outcome !== undefined) promises.inc({ origin, receiving, outcome: outcome.toLowerCase() });
      },
      (error: unknown) => log.warn({ tenantId, error }, "a payout's promise was not counted"),
    );
  };
}
