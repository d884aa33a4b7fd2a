import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { StoredRefusal } from "../../kernel/refusal.js";
import type { Loan } from "./loan.js";
import type { Repayment } from "./repayment.js";

/** What pays a loan off until a time, as long as nothing else happens to the loan. */
export interface PayoffQuote {
  readonly quoteId: string;
  readonly accountId: string;
  readonly loanApplicationId: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly principalMinor: bigint;
  readonly interestMinor: bigint;
  readonly feesMinor: bigint;
  readonly penaltiesMinor: bigint;
  readonly payoffFeeMinor: bigint;
  readonly on: string;
  readonly interestThrough: string;
  /** How many things had happened to the loan. */
  readonly eventCount: number;
  /** Business time. */
  readonly validUntil: Date;
}

export const payoffMethods = ["WALLET", "BANK_TRANSFER", "CARD"] as const;

/** PENDING while wallet, bank or card have not answered. */
export interface Payoff {
  readonly payoffId: string;
  readonly accountId: string;
  readonly loanApplicationId: string;
  readonly customerId: string;
  readonly method: (typeof payoffMethods)[number];
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly payoffFeeMinor: bigint;
  /** The day it counts for, and up to which interest is in it. */
  readonly on: string;
  readonly interestThrough: string;
  readonly reference: string;
  readonly matchReference: string;
  /** Business time until which a bank transfer has to be there; absent for other methods. */
  readonly validUntil?: Date;
  readonly walletAccountId?: string;
  /** Only while the charge is not decided. */
  readonly cardToken?: string;
  /**
   * The tenant's own acquirer that charges it, or the own bank that its transfer came in at; the
   * operator's where absent.
   */
  readonly partner?: OwnPartner;
  readonly status: "PENDING" | "SETTLED" | "FAILED";
  readonly settledAt?: Date;
  readonly loanStatus?: string;
  readonly remainingMinor?: bigint;
  readonly failure?: StoredRefusal;
  readonly caller: string;
  readonly idempotencyKey: string;
  readonly interactionId: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** The repayment that a payoff is listed as once it is settled. */
export function repaymentOfPayoff(payoff: Payoff, { productName }: Pick<Loan, "productName">): Repayment {
  const { payoffId, loanApplicationId, accountId, customerId, amountMinor, currency, method, createdAt } = payoff;
  const { reference, matchReference, on: paidOn, settledAt, partner } = payoff;
  return {
    repaymentId: payoffId,
    loanApplicationId,
    accountId,
    customerId,
    amountMinor,
    currency,
    status: method === "BANK_TRANSFER" ? "VERIFIED" : "PAID",
    method,
    reference,
    isMatchable: false,
    matchReference,
    paidOn,
    narration: "",
    customerName: "",
    email: "",
    productName,
    reason: "",
    createdAt,
    ...(settledAt === undefined ? {} : { decidedAt: settledAt }),
    ...(partner === undefined ? {} : { partner }),
  };
}
