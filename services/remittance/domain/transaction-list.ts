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
  /** Whether BLOCKED is a status of its own; what is blocked has the status that is shown else. */
  seesBlocks?: boolean;
}

/** The last transaction of a page. */
export interface ListPosition {
  createdAt: Date;
  transactionId: string;
}

/** Lower-case words of names and codes that a transaction is found by. */
export function searchWordsOf({
  transactionId,
  transactionCode,
  sender,
  recipient,
}: Pick<Transaction, "transactionId" | "transactionCode" | "sender" | "recipient">): string[] {
  const texts = [sender.name, recipient.name];
  const codes = [transactionId, transactionCode, sender.customerCode, recipient.customerCode];
  return [...new Set([...texts.flatMap(wordsOf), ...codes.map((code) => code.toLowerCase())])].filter(Boolean);
}

/** Words of what somebody typed or is called, without accents. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.split(/[\s,;]+/).filter((word) => word !== "");
}
