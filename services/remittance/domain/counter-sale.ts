import type { Transaction } from "./transaction.js";

/** The sender's account that pays. */
export interface PayerAccount {
  accountNumber: string;
  /** The till that takes cash for it, in place of an account. */
  tillId?: string;
  /** The agent who takes cash for it, whose own account pays. */
  agentId?: string;
}

/** At a counter: a till took the cash, or an agent did. */
export const isSoldForCash = ({ payer }: { payer?: PayerAccount | undefined }): boolean =>
  payer?.tillId !== undefined || payer?.agentId !== undefined;

/** Where what comes back of it goes, in words: what was sold for cash comes back in cash. */
export function refundedTo(transaction: Pick<Transaction, "payer">): string {
  return isSoldForCash(transaction) ? "at a counter, in cash" : "to the wallet";
}
