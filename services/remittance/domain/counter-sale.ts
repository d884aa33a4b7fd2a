import type { Transaction } from "./transaction.js";

/** Where what comes back of it goes, in words: what a till took cash for comes back in cash. */
export function refundedTo({ payer }: Pick<Transaction, "payer">): string {
  return payer?.tillId === undefined ? "to the wallet" : "at a counter, in cash";
}
