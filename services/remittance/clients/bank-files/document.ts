import type { Money } from "../../../kernel/money.js";
import type { BankStatus } from "../../domain/bank-files.js";

/** What a file says, before it is known which orders are meant. */
export interface BankDocument {
  /** Of its sender. */
  messageId: string;
  lines: DocumentLine[];
}

/** Of one order, or of all orders of a message of ours. */
export type DocumentLine = { of: { endToEndId: string } | { messageId: string } } & (
  | { kind: "STATUS"; status: BankStatus; reason: string }
  | { kind: "DEBIT" | "RETURN"; amount: Money | undefined; entryReference: string; reason: string }
);
