import type { Rounding } from "../../kernel/decimal.js";

/**
 * Every rounding of a price, by its step (docs/pricing.md). Exchange never pays out a fraction that
 * was not paid in, and the way back asks for the least that pays out what is wanted, so that the
 * two directions agree.
 */
export const roundings = {
  /** Middle rate less markup → the customer's rate, to 12 significant digits. */
  rate: "down",
  /** Principal × rate → what the recipient gets. */
  exchange: "down",
  /** What the recipient gets ÷ rate → principal. */
  exchangeBack: "up",
  /** Basis points of the principal → fee. */
  fee: "half-up",
  /** Basis points of one fee → what a promotion takes off it. */
  discount: "half-up",
  /** Basis points of one fee → its tax. */
  tax: "half-up",
  /** What the recipient gets ÷ a middle rate → what it is worth in the send currency. */
  worth: "half-even",
} as const satisfies Record<string, Rounding>;
