import { foldedName, foldedSpellings } from "../../kernel/people/person-names.js";
import type { DeliveryMethod } from "./corridor.js";
import type { Transaction } from "./transaction.js";

/** Whose transactions are listed; none of them means all of the tenant. */
export interface TransactionOwners {
  customerId?: string;
  createdBy?: string;
  agentId?: string;
}

export interface TransactionFilter extends TransactionOwners {
  statuses?: readonly string[];
  deliveryMethod?: DeliveryMethod;
  from?: Date;
  to?: Date;
  sendCurrency?: string;
  receivingCountry?: string;
  senderCode?: string;
  recipientCode?: string;
  words?: readonly string[];
  /** Only payouts that were held for a hit and are not out. */
  isHeld?: boolean;
  /** Only payouts of which the partner's word ends nothing. */
  isUnclear?: boolean;
  /** Whether BLOCKED is a status of its own; what is blocked has the status that is shown else. */
  seesBlocks?: boolean;
}

/** The last transaction of a page. */
export interface ListPosition {
  createdAt: Date;
  transactionId: string;
}

/** Words of names, with their parts, and of codes that a transaction is found by, as folded. */
export function searchWordsOf({
  transactionId,
  transactionCode,
  sender,
  recipient,
}: Pick<Transaction, "transactionId" | "transactionCode" | "sender" | "recipient">): string[] {
  const names = [sender.name, recipient.name].flatMap(foldedSpellings).flatMap(wordsOf);
  const parts = names.flatMap((word) => word.split(/[^\p{L}\p{M}\p{N}]+/u)).filter((part) => part !== "");
  const codes = [transactionId, transactionCode, sender.customerCode, recipient.customerCode].flatMap(wordsOf);
  return [...new Set([...names, ...parts, ...codes])];
}

/** Words of what somebody typed or is called, as folded. */
export function wordsOf(text: string): string[] {
  return foldedName(text)
    .split(/[\s,;]+/)
    .filter((word) => word !== "");
}
