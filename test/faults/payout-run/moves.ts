import type { BankTransferStatus } from "../../../deploy/partner/bank-books.js";

export const customerMoves = [
  "to a wallet",
  "request",
  "bill",
  "order",
  "withdrawal",
  "card",
  "bank transfer",
  "assigned transfer",
  "hold",
  "exchange",
  "refund",
] as const;
export type CustomerMove = (typeof customerMoves)[number];
export type MoveKind = CustomerMove | "cash in" | "cash out" | "till";

/**
 * What accounts have more afterwards, minor units: credits above zero. Accounts that end as they
 * began are left out.
 */
export type Effects = Readonly<Record<string, bigint>>;

/** Money of a wallet that was moved, as whoever had it moved was told. */
export interface Move {
  readonly kind: MoveKind;
  /** How the ledger's keys of it begin: "payment:<id>". */
  readonly name: string;
  readonly effects: Effects;
}

/** A withdrawal whose payment was acknowledged: the bank decides what becomes of it. */
export interface PaidWithdrawal {
  readonly withdrawalId: string;
  readonly accountId: string;
  readonly minor: bigint;
}

/** What the wallet's clients have had done. */
export interface WalletLog {
  readonly moves: Move[];
  readonly withdrawals: PaidWithdrawal[];
  /** Answers that should not have been. */
  readonly complaints: string[];
}

export function move(kind: MoveKind, name: string, effects: Effects): Move {
  return { kind, name, effects: Object.fromEntries(Object.entries(effects).filter(([, minor]) => minor !== 0n)) };
}

/** What became of a withdrawal after its payment, by what the bank says. */
export function effectsAtBank({ accountId, minor }: PaidWithdrawal, status: BankTransferStatus | undefined): Effects {
  const clearing = { "withdrawal_clearing:NGN": -minor };
  if (status === "PAID") return { ...clearing, "bank_settlement:operator:NGN": minor };
  return status === "REFUSED" || status === "RETURNED" ? { ...clearing, [accountId]: minor } : {};
}

export function sumOf(all: readonly Effects[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const effects of all) {
    for (const [account, minor] of Object.entries(effects)) sums.set(account, (sums.get(account) ?? 0n) + minor);
  }
  return sums;
}

export const minorOf = (amount: string): bigint => BigInt(amount.replace(".", ""));
