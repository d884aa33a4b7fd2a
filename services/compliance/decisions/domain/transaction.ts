import type { Money } from "../../../kernel/money.js";
import { isCounted, type Operation } from "./conditions.js";
import type { CountedFacts } from "./day-activity.js";
import type { MoveKind } from "./moves.js";
import type { TransparencyFacts } from "./transparency.js";

/**
 * What is asked about a transaction, or about something that a customer asks for and that moves no
 * money yet.
 */
export interface TransactionFacts {
  transactionId: string;
  customerId: string;
  /** What is sent, without fees. */
  amount: Money;
  originCountry: string;
  receivingCountry: string;
  receivingCurrency: string;
  remittancePurpose: string;
  sourceOfFunds: string;
  operation: Operation;
  /** What the money does, where the operation is more than one kind. */
  move?: MoveKind;
  /** Names the recipient among the customer's own; empty where nobody said. */
  recipient: string;
  /** Of cash at a desk: in the base currency at the middle rate, absent without one. */
  cash?: { base?: Money };
  /** What a transparency profile goes by. */
  transparency?: TransparencyFacts;
}

const movesOf: Readonly<Record<Operation, MoveKind>> = {
  REMITTANCE: "TRANSACTION",
  WALLET_PAYMENT: "PAYMENT",
  CASH_IN: "CASH_IN",
  CASH_OUT: "CASH_OUT",
  CASH_SALE: "TRANSACTION",
  LOAN_APPLICATION: "LOAN_APPLICATION",
  INVESTMENT: "INVESTMENT",
};

/** The kind of move by which the table of moves is asked. */
export function moveOf({ move, operation }: TransactionFacts): MoveKind {
  return move ?? movesOf[operation];
}

/** The part of a transaction that goes into the customer's sums. */
export function countedFacts(facts: TransactionFacts): CountedFacts {
  const { amount, receivingCountry, sourceOfFunds, recipient, cash } = facts;
  return { amount, receivingCountry, sourceOfFunds, recipient, ...(cash !== undefined && { cash }) };
}

/** The same, as the transaction's own part of the figures; what sends no money has none. */
export function ownPart(facts: TransactionFacts): CountedFacts | undefined {
  return isCounted(facts.operation) ? countedFacts(facts) : undefined;
}
