import { maxInt64 } from "../../kernel/money.js";
import type { Figures } from "./model.js";

type Posted = Pick<Figures, "debitsPostedMinor" | "creditsPostedMinor">;

/**
 * Posted sums that fit int64, and what was taken off both of them to make them fit; their
 * difference is the balance still.
 */
export interface RolledOver extends Posted {
  readonly rolledOverMinor: bigint;
}

/**
 * An account is bounded by its balance, not by what ever went through it: its sums as they are
 * stored and told.
 */
export function rollOver({ debitsPostedMinor: debits, creditsPostedMinor: credits }: Posted): RolledOver {
  const [least, most] = debits < credits ? [debits, credits] : [credits, debits];
  const rolledOverMinor = most > maxInt64 ? least : 0n;
  return {
    debitsPostedMinor: debits - rolledOverMinor,
    creditsPostedMinor: credits - rolledOverMinor,
    rolledOverMinor,
  };
}
