import type { DecisionKind, ReasonCode } from "../../decisions/domain/decision.js";
import type { Screening } from "../../screening/domain/screening.js";
import type { TransactionFacts } from "../../decisions/domain/transaction.js";

/** A name, or why there is none: ERASED with the person, or nobody has told it yet. */
export type Named = { state: "KNOWN"; name: string } | { state: "ERASED" | "UNKNOWN"; name: "" };

/** A transaction as an officer judges it. */
export interface CaseTransaction {
  transactionId: string;
  facts: TransactionFacts;
  /** When compliance was asked first. */
  requestedAt: Date;
  decision: DecisionKind;
  reasonCode: ReasonCode;
  decidedBy: string;
  decidedAt: Date;
  /** Of a remittance, as remittance has it; absent where it did not answer. */
  remittance?: RemittanceStatus;
}

/** Where a remittance stands. */
export interface RemittanceStatus {
  transactionCode: string;
  /** As managers see it. */
  status: string;
  since?: Date;
  recipientName: string;
}

/**
 * What an officer needs beside the case itself: whom it is about, what was
 * found, what money it is about.
 */
export interface CaseContent {
  subject: Named;
  /** Newest first. */
  screenings: Screening[];
  hitCount: number;
  /** Newest first. */
  transactions: CaseTransaction[];
  transactionCount: number;
}
