import type { Clock } from "../../shared/clocks/clock.js";
import type { Logger } from "../../shared/log.js";
import type { PayoutSteps } from "../sagas/payout-steps.js";
import { adopt } from "../domain/payout.js";
import type { RemittanceStore } from "../store/index.js";

const batch = 100;

export interface AdoptionOptions {
  store: RemittanceStore;
  steps: PayoutSteps;
  clock: Clock;
  log: Logger;
  everyMs?: number;
}

/**
 * Takes on what nobody drives: while versions run beside each other, one from before payouts may take a payment after the migration has
 * looked for such. Any number of replicas may look.
 */
export function startAdoption({ store, steps, clock, log, everyMs = 30_000 }: AdoptionOptions) {
  let running: Promise<void> | undefined;

  async function adoptAll(): Promise<void> {
    for (const { tenantId, transactionId } of await store.findUndriven(batch)) {
      const by = { actor: "remittance" };
      await steps
        .make(tenantId, transactionId, (now) => adopt(now, clock.now()), by)
        .catch((error: unknown) => {
          log.warn({ err: error, tenantId, transactionId }, "a payout could not be taken on, will be tried again");
        });
    }
  }

  const timer = setInterval(() => {
    running ??= adoptAll()
      .catch((error: unknown) => log.warn({ err: error }, "cannot look for payouts that nobody drives"))
      .finally(() => (running = undefined));
  }, everyMs);

  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
