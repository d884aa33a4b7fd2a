import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "../../kernel/grpc/context.js";
import type { TenantStore } from "../store/index.js";
import type { Transaction } from "../domain/transaction.js";

const maxWaitMs = 5_000;
// What is left of the caller's time for the work itself.
const reserveMs = 1_000;
const shortestPauseMs = 10;
const maxPauseMs = 200;

/**
 * Waits until no payment holds the transaction: one may be on its way, or be answered PAYING where
 * wallet could not tell remittance of it. A payment that takes longer than some seconds, or than
 * the caller has, is not waited for; what then refuses passes by itself.
 */
export async function paymentOver(
  tenant: TenantStore,
  { transactionId, status }: Pick<Transaction, "transactionId" | "status">,
  { deadline, signal }: Pick<Call, "deadline" | "signal">,
): Promise<void> {
  const leftMs = deadline === undefined ? maxWaitMs : deadline.getTime() - Date.now() - reserveMs;
  const endsAt = performance.now() + Math.min(maxWaitMs, leftMs);
  let isPaying = status === "PAYING";
  for (let pauseMs = shortestPauseMs; isPaying; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
    if (performance.now() + pauseMs > endsAt) return;
    await sleep(pauseMs, undefined, { signal });
    isPaying = (await tenant.findTransaction(transactionId))?.status === "PAYING";
  }
}
