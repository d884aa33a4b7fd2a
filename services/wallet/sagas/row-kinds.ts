/** Outbox rows that drive a saga on when its caller is gone. */
export const recoveryRows = {
  payment: "drive-payment",
  movement: "drive-movement",
  topUp: "drive-top-up",
  opening: "open-account",
} as const;

/**
 * Outbox rows that follow from how a payment ended; the last two settle compliance's limits, of
 * holds too.
 */
export const paymentRows = {
  markPaid: "mark-transaction-paid",
  release: "release-transaction",
  confirmLimit: "confirm-limit",
  freeLimit: "free-limit",
} as const;

export type MarkPaidPayload = { transactionId: string; paymentId: string; paidAt: Date };
export type ReleasePayload = { transactionId: string; paymentId: string; reason: string };
export type SettlePayload = { paymentId: string };

/** Outbox rows that take paid withdrawals to the bank, and look for what it sends back. */
export const withdrawalRows = { drive: "drive-withdrawal", watch: "watch-withdrawal" } as const;

/** Outbox row that is due when a hold's time is over. */
export const holdRows = { expire: "expire-hold" } as const;

/** Outbox row that looks whether an arrival may be released. */
export const heldArrivalRows = { release: "release-held-arrival" } as const;

/** Outbox row that gives up a refund which nobody asked an approval for. */
export const refundRows = { forgetUnasked: "forget-unasked-refund" } as const;

/** Outbox row that books a credit which was taken. */
export const creditRows = { book: "book-credit" } as const;
