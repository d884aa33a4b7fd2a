import type { Money } from "../../kernel/money.js";

/**
 * A pain.001 of a bank that takes files; recorded once its bytes lie ready,
 * and before the bank can see them.
 */
export interface BankMessage {
  installationId: string;
  /** MsgId and PmtInfId. */
  messageId: string;
  /** Which of those who made it at once has its file handed over. */
  attempt: string;
  fileName: string;
  /** DISCARDED: a file that nobody recorded, and nobody may record any more. */
  state: "STAGED" | "HANDED_OVER" | "DISCARDED";
  createdAt: Date;
}

/** What the directory is known again by that an installation's files are in; for good. */
export interface BankMark {
  installationId: string;
  mark: string;
  /** It is in the directory too. */
  isLaid: boolean;
}

/** An order that such a message has. */
export interface BankOrder {
  installationId: string;
  reference: string;
  /** What the bank knows it by: at most 35 characters. */
  endToEndId: string;
  /** Empty where it was recalled before it came. */
  messageId: string;
  /** Absent where it was recalled before it came. */
  amount?: Money;
  createdAt: Date;
}

/** A file of the bank that was read, or could not be. */
export interface BankFile {
  installationId: string;
  /** Of its bytes. */
  fileId: string;
  fileName: string;
  /** Such as "camt.053.001.08"; empty where nobody knows. */
  kind: string;
  messageId: string;
  /** Reports of a file count once it is READ. */
  state: "READ" | "FAILED";
  reason: string;
  at: Date;
  /** READ, and the payouts that it speaks of are not all driven on yet. */
  toHint?: true;
}

/**
 * What a bank says of an order, short of its account: EXECUTING may not be refused any more,
 * DUPLICATE is a refusal of what the bank takes for a second copy, which says nothing of the first.
 */
export type BankStatus = "ACCEPTED" | "EXECUTING" | "PAID" | "REFUSED" | "DUPLICATE";

/** How often a file of the bank was begun to be read whose end nobody knows yet. */
export interface BankFileTries {
  installationId: string;
  /** Of its name, size and time. */
  file: string;
  tries: number;
  /** Until then whoever began the last one may be reading. */
  until: Date;
  at: Date;
}

/** What one line of a file says of one order. */
export interface BankReport {
  installationId: string;
  fileId: string;
  /** Its place in the file. */
  line: number;
  reference: string;
  /** STATUS is a pain.002's; DEBIT and RETURN are booked entries of a camt.053. */
  kind: "STATUS" | "DEBIT" | "RETURN";
  /** Of a STATUS. */
  status?: BankStatus;
  /** Of an entry: what moved on the account; absent where the bank does not say so. */
  amount?: Money;
  /** The bank's own number of an entry; empty where it has none. */
  entryReference: string;
  reason: string;
  /** When it was read. */
  readAt: Date;
  /** As a line of the statement: when the bank said first that it paid. */
  at: Date;
}
