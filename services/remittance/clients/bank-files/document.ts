/** What a file says, before it is known which orders are meant. */
export interface BankDocument {
  /** Of its sender. */
  messageId: string;
  lines: DocumentLine[];
}

/** Of one order, or of all orders of a message of ours. */
export type DocumentLine = { of: { endToEndId: string } | { messageId: string } } & (
  | { kind: "STATUS"; status: "ACCEPTED" | "PAID" | "REFUSED"; reason: string }
  | { kind: "DEBIT" | "RETURN"; amounts: readonly DocumentAmount[]; entryReference: string; reason: string }
);

/** As it is written there; the first one of the order's currency counts. */
export interface DocumentAmount {
  text: string;
  currency: string;
}
