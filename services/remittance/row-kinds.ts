import { rowKindsOf } from "../kernel/outbox/index.js";

/** Kinds of remittance's outbox rows, as they are stored. */
export const rowKinds = rowKindsOf({
  /** Calls to compliance about what it has reserved. */
  confirmReservation: "compliance.confirm-reservation",
  releaseReservation: "compliance.release-reservation",
  giveBackReservation: "compliance.give-back-reservation",
  /** Has compliance forget whom a customer has removed, once nothing is on its way to them. */
  forgetRecipient: "compliance.forget-recipient",
  /** Tells wallet that a payment's money, or a part of it, is back in its account. */
  notifyPaymentRefunded: "wallet.payment-refunded",
  /** Tells wallet that what was sold for cash is completed. */
  notifyCompleted: "wallet.transaction-completed",
  /** Has what waits for details of a recipient decided anew, once they have changed. */
  reviseRecipient: "compliance.revise-recipient",
  /** Drives a creation on that its own request has left behind. */
  recoverCreation: "create.recover",
  /** Takes a transaction that was paid for one step on, and to its end. */
  drivePayout: "payout.drive",
  /** Sends a batch of payouts. */
  sendBatch: "payout.send-batch",
  /** Carries out what a partner said of a payout, where that could not be done as it was read. */
  hintPayout: "payout.hint",
  /** Books cash that a cashier has handed out. */
  settleCash: "payout.settle-cash",
  /** Asks identity about a rate that jumped, and takes the question back. */
  requestRateApproval: "rate.ask-approval",
  withdrawRateQuestion: "rate.withdraw-approval",
  /** Gives back what a second person has approved. */
  postRefund: "refund.post",
  /** Puts names right that a second person has approved. */
  applyAmendment: "amendment.apply",
  /** Tells compliance by which names a transaction goes, once they were put right. */
  tellNames: "compliance.tell-names",
  /** Asks a partner to put names right that a second person has approved, and what came of it. */
  sendTrace: "trace.send",
});
