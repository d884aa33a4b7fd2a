import { Refusal } from "../refusal.js";

/**
 * How often money may be asked back of one payment or transaction: each is
 * kept for as long as what it is of.
 */
export const mostRefunds = 100;

/** REFUND_LIMIT_REACHED, of a "payment" or a "transaction". */
export function tooManyRefunds(of: string): Refusal {
  return new Refusal(
    "REFUND_LIMIT_REACHED",
    `a refund of this ${of} was asked for ${mostRefunds} times, refused ones included: no more may be`,
    { figures: { limit: String(mostRefunds) } },
  );
}
