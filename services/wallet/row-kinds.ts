import { rowKindsOf } from "../kernel/outbox/index.js";

/** Kinds of wallet's outbox rows, as they are stored. */
export const rowKinds = rowKindsOf({
  /** Drive a saga on when its caller is gone. */
  drivePayment: "drive-payment",
  driveMovement: "drive-movement",
  driveTopUp: "drive-top-up",
  openAccount: "open-account",
  /** Tell remittance how a payment ended. */
  markPaid: "mark-transaction-paid",
  releaseTransaction: "release-transaction",
  /** Settle compliance's limits, of holds too. */
  confirmLimit: "confirm-limit",
  freeLimit: "free-limit",
  /** Take paid withdrawals to the bank, and look for what it sends back. */
  driveWithdrawal: "drive-withdrawal",
  watchWithdrawal: "watch-withdrawal",
  /** Tells compliance how an agent has contacts verified. */
  noteAgentContacts: "note-agent-contacts",
  /** Books what a sale earns, and takes back what is refunded of it. */
  driveCommission: "drive-commission",
  /** Keeps an agent's hand-out as their line once remittance has booked it. */
  noteAgentPickup: "note-agent-pickup",
  /**
   * Take an agent's settlement's lines and close it, give them back where it is cancelled, and book
   * one that is paid.
   */
  closeAgentSettlement: "close-agent-settlement",
  releaseAgentSettlement: "release-agent-settlement",
  payAgentSettlement: "pay-agent-settlement",
  /** Due when a hold's time is over. */
  expireHold: "expire-hold",
  /** Looks whether an arrival may be released. */
  releaseHeldArrival: "release-held-arrival",
  /** Gives up a refund which nobody asked an approval for. */
  forgetUnaskedRefund: "forget-unasked-refund",
  /** The same of a till's closing, and of a count of cash between vaults. */
  forgetUnaskedClosing: "forget-unasked-closing",
  forgetUnaskedEnding: "forget-unasked-ending",
  /** Books a credit which was taken. */
  bookCredit: "book-credit",
});

export type MarkPaidPayload = { transactionId: string; paymentId: string; paidAt: Date };
export type ReleasePayload = { transactionId: string; paymentId: string; reason: string };
export type AgentContactsPayload = { agentId: string; version: number; email?: boolean; phone?: boolean };
export type SettlePayload = { paymentId: string };
