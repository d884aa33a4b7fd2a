import type { PayTo } from "./application.js";
import { lendingAccount, type DisbursementLeg } from "./books.js";
import type { Loan } from "./loan.js";

/** What the bank has the transfer of an attempt under. */
export function transferReference(accountId: string, attempt: number): string {
  return `loan-${accountId}-${attempt}`;
}

/** The ledger account that money to a customer is in. */
export function targetAccountOf(payTo: PayTo, currency: string): string {
  return payTo.kind === "WALLET" ? payTo.walletAccountId : lendingAccount("bank", currency);
}

/** Where the principal goes: to the customer, less the fee that is kept of it. */
export function disbursementLegs({ currency, terms }: Loan, payTo: PayTo, feeMinor: bigint): DisbursementLeg[] {
  return [
    { accountId: targetAccountOf(payTo, currency), amountMinor: terms.principalMinor - feeMinor },
    { accountId: lendingAccount("feeIncome", currency), amountMinor: feeMinor },
  ].filter(({ amountMinor }) => amountMinor > 0n);
}

/** The loan from the day on that it begins, of whose disbursement the ledger knows already. */
export function disbursedLoan(loan: Loan, startsOn: string, legs: readonly DisbursementLeg[]): Loan {
  const booked: Record<string, bigint> = { [loan.accountId]: loan.terms.principalMinor };
  for (const { accountId, amountMinor } of legs) booked[accountId] = (booked[accountId] ?? 0n) - amountMinor;
  return {
    ...loan,
    status: "ACTIVE",
    disbursedOn: startsOn,
    terms: { ...loan.terms, startsOn },
    disbursement: legs,
    booked,
    accrual: { through: startsOn, accruedMinor: 0n },
  };
}
