import { isPaidByPartner } from "./accepted-payout-polling.js";
import { decidedReport } from "./payout-decision.js";
import { payoutOf, type PartnerPayout } from "./payout.js";
import type { Transaction } from "./transaction.js";

/** What has to be done next for a transaction; the state alone decides. */
export type Action =
  | { do: "FIND_WINDOW" }
  | { do: "JOIN_BATCH" }
  /** Not before this time. */
  | { do: "WAIT"; until: Date }
  /** Cash of our own: it lies ready from now on, and a cashier hands it out. */
  | { do: "HOLD_FOR_PICKUP" }
  /** Store PROCESSING; only then the partner may be asked to pay. */
  | { do: "START" }
  /** Ask the partner what became of it, and to pay it where the partner does not know it. */
  | { do: "ASK" }
  | { do: "RECALL" }
  /** Two persons have said how it ended. */
  | { do: "CONCLUDE"; report: PartnerPayout }
  /** Credit the recipient's wallet in the ledger. */
  | { do: "CREDIT_WALLET" }
  /** Take the money back from the wallet's account in the ledger, unless the wallet has it. */
  | { do: "RECALL_FROM_WALLET" }
  /** Blocked: look whether a credit that was on its way has reached the wallet. */
  | { do: "FIND_CREDIT" }
  /** Blocked: look whether a refund that was on its way has reached the ledger. */
  | { do: "FIND_REFUND" }
  | { do: "REFUND" }
  | { do: "NOTHING" };

/** What the driver does with a transaction as it stands. */
export function nextAction(transaction: Transaction, now: Date): Action {
  const payout = payoutOf(transaction);
  const isToWallet = transaction.recipientWallet !== undefined;
  const report = decidedReport(transaction);
  if (report !== undefined) return { do: "CONCLUDE", report };
  switch (transaction.status) {
    case "PAID":
      return isToWallet ? { do: "START" } : whenToStart(transaction, now);
    case "PROCESSING":
      if (isToWallet) return { do: "CREDIT_WALLET" };
      return { do: isPaidByPartner(transaction) ? "ASK" : "NOTHING" };
    case "READY_FOR_PICKUP":
    case "COMPLETED":
    case "PARTIALLY_REFUNDED":
      return { do: isPaidByPartner(transaction) ? "ASK" : "NOTHING" };
    case "CANCELLING":
      if (payout.outcome !== undefined) return { do: "REFUND" };
      return { do: isToWallet ? "RECALL_FROM_WALLET" : "RECALL" };
    case "FAILED":
    case "RETURNED":
      return { do: "REFUND" };
    case "BLOCKED":
      if (transaction.block?.recall !== "ASKED") return { do: "NOTHING" };
      if (payout.outcome !== undefined) return { do: "FIND_REFUND" };
      return { do: isToWallet ? "FIND_CREDIT" : "RECALL" };
    default:
      return { do: "NOTHING" };
  }
}

function whenToStart(transaction: Transaction, now: Date): Action {
  if (transaction.pickup !== undefined) return { do: "HOLD_FOR_PICKUP" };
  const { windowAt, batchId } = payoutOf(transaction);
  switch (transaction.processingMode) {
    case "REAL_TIME":
      return { do: "START" };
    case "NONE_AGGREGATION":
      if (windowAt === undefined) return { do: "FIND_WINDOW" };
      return windowAt > now ? { do: "WAIT", until: windowAt } : { do: "START" };
    case "AGGREGATION":
      return batchId === undefined ? { do: "JOIN_BATCH" } : { do: "NOTHING" };
  }
}
