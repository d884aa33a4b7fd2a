import type { Clock } from "../../kernel/time/clock.js";
import { payoutOf, withoutCarrier } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import type { By, PayoutSteps } from "./payout-steps.js";

export interface CarrierWaitDeps {
  steps: Pick<PayoutSteps, "make">;
  clock: Clock;
  /** Told of each payout that begins to wait for a partner who may have it. */
  onUncarried?: ((tenantId: string, transaction: Transaction) => void) | undefined;
}

/**
 * Leaves a payout in nobody's hands, where managers look; false where it does not wait to start any
 * more.
 */
export function createCarrierWait({ steps, clock, onUncarried }: CarrierWaitDeps) {
  return async (tenantId: string, transactionId: string, by: By): Promise<boolean> => {
    let isNew = false;
    const wait = (now: Transaction) => {
      isNew = payoutOf(now).noCarrierSince === undefined;
      return withoutCarrier(now, clock.now());
    };
    const waits = await steps.make(tenantId, transactionId, wait, by);
    if (waits !== undefined && isNew) onUncarried?.(tenantId, waits);
    return waits !== undefined;
  };
}
