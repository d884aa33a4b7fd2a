import type { Money } from "../../shared/money.js";
import { isAccountNumber, type WalletAccount } from "./account.js";
import { bankSettlementAccount, suspense, type PlannedTransfer } from "./transfers.js";

/** A bank transfer that arrived, and what was made of it. */
export interface StoredCredit {
  readonly creditId: string;
  readonly reference: string;
  readonly amount: Money;
  readonly senderName: string;
  readonly senderAccountNumber: string;
  readonly receivedAt: Date;
  /** TAKEN until the ledger has it; then in a wallet or in suspense. */
  readonly status: "TAKEN" | "BOOKED" | "UNMATCHED" | "ASSIGNING" | "ASSIGNED";
  /** Why nobody was found. */
  readonly reason: string;
  /** The wallet that gets it; absent in suspense. */
  readonly accountId?: string;
}

/** The account numbers that a reference names: ten digits with a right check digit, however they are set apart. */
export function numbersIn(reference: string): string[] {
  const joined = reference.replaceAll(/(?<=\d)[\s./-](?=\d)/g, "");
  return [...new Set(`${reference} ${joined}`.match(/(?<!\d)\d{10}(?!\d)/g) ?? [])].filter(isAccountNumber);
}

/** The wallet that a credit is for, or why there is none. */
export function matchOf(
  amount: Money,
  candidates: readonly WalletAccount[],
): { account: WalletAccount } | { reason: string } {
  const [account, second] = candidates;
  if (account === undefined) return { reason: "NO_SUCH_ACCOUNT" };
  if (second !== undefined) return { reason: "SEVERAL_ACCOUNTS" };
  if (account.currency !== amount.currency) return { reason: "OTHER_CURRENCY" };
  if (account.status === "CLOSED" || account.status === "OPENING") return { reason: "ACCOUNT_CLOSED" };
  return { account };
}

/** Bank → wallet, or bank → suspense: keyed by the bank's id of the credit, so that it arrives once. */
export function transferOfCredit(credit: StoredCredit): PlannedTransfer {
  const { creditId, amount, accountId } = credit;
  return {
    key: accountId === undefined ? `credit:${creditId}:suspense` : `credit:${creditId}`,
    debitAccountId: bankSettlementAccount(amount.currency),
    creditAccountId: accountId ?? suspense(amount.currency).accountId,
    amount,
    kind: accountId === undefined ? "unmatched_credit" : "bank_credit",
    description: `Bank transfer from ${credit.senderName}`.slice(0, 200),
  };
}

/** Suspense → wallet. */
export function transferOfAssignment(credit: StoredCredit, movementId: string, accountId: string): PlannedTransfer {
  const { amount } = credit;
  return {
    key: `credit-assignment:${movementId}`,
    debitAccountId: suspense(amount.currency).accountId,
    creditAccountId: accountId,
    amount,
    kind: "bank_credit",
    description: `Bank transfer from ${credit.senderName}`.slice(0, 200),
  };
}
