import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { PayTo } from "./application.js";
import { lendingAccount, partnerAccount, type DisbursementLeg } from "./books.js";
import type { Loan } from "./loan.js";

/** What the bank has the transfer of an attempt under. */
export function transferReference(accountId: string, attempt: number): string {
  return `loan-${accountId}-${attempt}`;
}

/** The ledger account that money to a customer is in: their wallet, or of the bank that pays it. */
export function targetAccountOf(payTo: PayTo, at: OwnPartner | undefined, currency: string): string {
  return payTo.kind === "WALLET" ? payTo.walletAccountId : partnerAccount("bank", at, currency);
}

/** Where the principal goes: to the customer, less the fee that is kept of it. */
export function disbursementLegs(
  { currency, terms }: Loan,
  { payTo, at }: { payTo: PayTo; at: OwnPartner | undefined },
  feeMinor: bigint,
): DisbursementLeg[] {
  return [
    { accountId: targetAccountOf(payTo, at, currency), amountMinor: terms.principalMinor - feeMinor },
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
