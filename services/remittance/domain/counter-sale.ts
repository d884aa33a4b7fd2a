import type { Transaction } from "./transaction.js";

/** At a counter: a till took the cash, or an agent did. */
export const isSoldForCash = ({ payer }: Pick<Transaction, "payer">): boolean =>
  payer?.tillId !== undefined || payer?.agentId !== undefined;

/** Where what comes back of it goes, in words: what was sold for cash comes back in cash. */
export function refundedTo(transaction: Pick<Transaction, "payer">): string {
  return isSoldForCash(transaction) ? "at a counter, in cash" : "to the wallet";
}
