import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { Money } from "../../kernel/money.js";
import { isAccountNumber, type WalletAccount } from "./account.js";
import { heldBy, type NewlyHeld } from "./held-arrival.js";
import { apart, bankSettlement, suspense, type PlannedTransfer } from "./transfers.js";

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
  /** The wallet's customer, where it arrives and they may not have it yet. */
  readonly heldFor?: string;
  /** The tenant's own bank that it arrived at; the operator's where absent. */
  readonly partner?: OwnPartner;
  /**
   * In accounts of its own: above the operator's ceiling, or more than the shared ones still hold.
   */
  readonly isApart?: true;
}

/** When a tenant's banks are read next, and how far the operator's has been. */
export interface CreditReader {
  tenantId: string;
  cursor: string;
  dueAt: Date;
}

/** How far the list of a tenant's own bank has been read. */
export interface CreditCursor extends OwnPartner {
  tenantId: string;
  cursor: string;
}

/** Where a credit comes from and where it waits for staff. */
export function accountsOfCredit({ amount: { currency }, creditId, isApart, partner }: StoredCredit) {
  const shared = { bank: bankSettlement(currency, partner), suspense: suspense(currency) };
  if (isApart !== true) return shared;
  // An own bank's account names the bank already, which stands before the credit's id too.
  const atBank = partner === undefined ? creditId : creditId.slice(creditId.indexOf(":") + 1);
  return { bank: apart(shared.bank, atBank), suspense: apart(shared.suspense, creditId) };
}

/**
 * The account numbers that a reference names: ten digits with a right check digit, however they are
 * set apart.
 */
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

/**
 * Bank → wallet, or bank → suspense: keyed by the bank's id of the credit, so that it arrives once.
 */
export function transferOfCredit(credit: StoredCredit): PlannedTransfer {
  const { creditId, amount, accountId, isApart } = credit;
  const accounts = accountsOfCredit(credit);
  const aside = isApart === true ? ":apart:suspense" : ":suspense";
  return {
    key: `credit:${creditId}${accountId === undefined ? aside : ""}`,
    debitAccountId: accounts.bank.accountId,
    creditAccountId: accountId ?? accounts.suspense.accountId,
    amount,
    kind: accountId === undefined ? "unmatched_credit" : "bank_credit",
    description: `Bank transfer from ${credit.senderName}`.slice(0, 200),
  };
}

/** What a matched credit holds. */
export function heldByCredit(credit: StoredCredit): NewlyHeld | undefined {
  const { accountId, heldFor: customerId } = credit;
  if (accountId === undefined || customerId === undefined) return undefined;
  return heldBy(transferOfCredit(credit), { accountId, customerId }, "BANK_CREDIT_RECEIVED");
}

/** Suspense → wallet. */
export function transferOfAssignment(credit: StoredCredit, movementId: string, accountId: string): PlannedTransfer {
  const { amount } = credit;
  return {
    key: `credit-assignment:${movementId}`,
    debitAccountId: accountsOfCredit(credit).suspense.accountId,
    creditAccountId: accountId,
    amount,
    kind: "bank_credit",
    description: `Bank transfer from ${credit.senderName}`.slice(0, 200),
  };
}
