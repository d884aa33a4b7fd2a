import { crashPoint } from "../../kernel/process/crash-point.js";
import { Refusal } from "../../kernel/refusal.js";
import type { PayoutCall, PayoutConnector } from "../clients/payout-connector.js";
import { payoutOf, type PartnerPayout } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import type { PayoutOrders } from "./payout-orders.js";

export interface PartnerRun extends PayoutCall {
  tenantId: string;
  transactionId: string;
  /** True right after START in this run: the partner cannot know of it. */
  isFresh: boolean;
}

/**
 * Asks the partner what became of a payout, and hands it in where the partner does not know it and
 * `mayHandOver`; undefined where it may not. Refuses STATE_CONFLICT where the partner once had it
 * and knows it no more, UNAVAILABLE while nobody can know.
 */
export async function queryPartner(
  { connector, orders }: { connector: PayoutConnector; orders: PayoutOrders },
  run: PartnerRun,
  transaction: Transaction,
  mayHandOver: () => Promise<boolean>,
): Promise<PartnerPayout | undefined> {
  const isFresh = run.isFresh && transaction.status === "PROCESSING";
  run.isFresh = false;
  const known = isFresh ? undefined : await connector.find(run.transactionId, run);
  if (known !== undefined) return known;
  if (transaction.status === "COMPLETED" || payoutOf(transaction).acceptedAt !== undefined) {
    // Asking again for a payout that it once had could pay it twice.
    throw new Refusal("STATE_CONFLICT", `the partner does not know ${run.transactionId} any more`);
  }
  if (!(await mayHandOver())) return undefined;
  const report = await connector.submit(await orders.of(run.tenantId, transaction), run);
  crashPoint("remittance.payout.submitted");
  return report;
}
