import type { Money } from "../../kernel/money.js";
import { formatMoney } from "../../kernel/money.js";
import { Refusal, type StoredRefusal } from "../../kernel/refusal.js";
import type { SagaOrigin } from "../../kernel/sagas/saga-origin.js";
import type { WalletAccount } from "./account.js";
import type { CounterSale } from "./counter-sale.js";
import type { CommissionProgress } from "./sale-commission.js";
import type { MovementDecision, OwnAccount } from "./movement.js";
import { namedTypes } from "./payable.js";
import type { PlannedTransfer } from "./transfers.js";

export const payableTypes = ["TRANSACTION", "WALLET", "WALLET_CUSTOMER", ...namedTypes] as const;
export type PayableType = (typeof payableTypes)[number];

export type PaymentEnding =
  | {
      readonly status: "SUCCESS";
      /** Of the account that was debited, after the payment. */
      readonly newBalanceMinor: bigint;
      readonly paidAt: Date;
      /**
       * As its owner would have said it then: PAYING where remittance could not be told in time.
       */
      readonly payableStatus: "PAID" | "PAYING";
      /** Of a counter sale: the business day that the ledger has it on. */
      readonly day?: string;
    }
  | { readonly status: "FAILED"; readonly refusal: StoredRefusal };

export interface Payment extends SagaOrigin {
  readonly paymentId: string;
  /** Who owns the account that pays; a cashier may have asked for it. */
  readonly customerId: string;
  /** The wallet that pays; empty, as its number, where a till takes cash. */
  readonly accountId: string;
  readonly accountNumber: string;
  /** Of cash at a till for a TRANSACTION. */
  readonly sale?: CounterSale;
  readonly payableType: PayableType;
  readonly payableId: string;
  readonly total: Money;
  /**
   * Of a TRANSACTION: a till takes cash, or the wallet had some put in shortly before. Remittance
   * asks more of it.
   */
  readonly funding?: "CASH";
  readonly paymentGatewayRef: string;
  /** What the reference stands for, for ever: the request without keys and secrets. */
  readonly fingerprint: string;
  readonly createdAt: Date;
  /**
   * What the ledger is asked for, of all but a TRANSACTION, whose parts remittance says when it is
   * claimed.
   */
  readonly plan?: PaymentPlan;
  /** The business day of whose limit it has taken its part. */
  readonly spentOn?: string;
  /** Minor units that came back, and that refunds on their way hold. */
  readonly refundedMinor?: bigint;
  readonly refundHeldMinor?: bigint;
  /** How often a refund was asked for, refused ones included. */
  readonly refundsAsked?: number;
  /** How many of its events were told; 1, of its end, where absent. */
  readonly told?: number;
  /** What came of the commission of its sale since that was completed. */
  readonly commissionProgress?: CommissionProgress;
  /** Of a sale, decided once before it is first posted. */
  readonly decision?: MovementDecision;
  /** Absent while it is PENDING. */
  readonly ending?: PaymentEnding;
  /** Remittance was told after its end, which said PAYING. Its one answer stays what it was. */
  readonly isToldSince?: true;
  /** What came back after its success. Its one answer stays what it was. */
  readonly refund?: PaymentRefund;
}

export interface PaymentPlan {
  readonly transfers: readonly PlannedTransfer[];
  readonly ownAccounts: readonly OwnAccount[];
  /** Whom compliance is told of: the payer themself where nobody else is paid. */
  readonly payeeCustomerId: string;
  /** The item that is paid once, if it is one. */
  readonly itemId?: string;
}

/** Whether a customer's wallet was paid, which gives back what is refunded. */
export function isFromWallet({ plan }: Payment): boolean {
  return plan?.transfers.some(({ kind }) => kind === "wallet_transfer") === true;
}

export interface PaymentRefund {
  readonly transactionId: string;
  /** What came back so far; at the end all of it, or less what a bank kept. */
  readonly amount: Money;
  readonly refundedAt: Date;
  /** Another part may follow; absent where this is the end of it. */
  readonly isPart?: true;
}

/**
 * SUCCESS → REFUNDED or, where it is a part, PARTIALLY_REFUNDED; undefined when this refund or a
 * later one is noted already. Refuses STATE_CONFLICT for a payment that did not succeed or paid for
 * something else, and for a whole refund that differs from the one before.
 */
export function recordRefund(payment: Payment, refund: PaymentRefund): PaymentRefund | undefined {
  const { payableType, payableId, ending, total } = payment;
  const { transactionId, amount } = refund;
  if (payableType !== "TRANSACTION" || payableId !== transactionId || ending?.status !== "SUCCESS") {
    throw new Refusal("STATE_CONFLICT", "the payment has not paid for this transaction");
  }
  if (amount.currency !== total.currency || amount.minor > total.minor || amount.minor < 0n) {
    throw new Refusal("STATE_CONFLICT", "a payment's refund is at most what was paid");
  }
  const known = payment.refund;
  if (known === undefined) return refund;
  if (known.isPart === true) {
    const isNew = amount.minor > known.amount.minor || (amount.minor === known.amount.minor && refund.isPart !== true);
    return isNew ? refund : undefined;
  }
  if (known.amount.minor === amount.minor || refund.isPart === true) return undefined;
  throw new Refusal("STATE_CONFLICT", "the payment was refunded with another amount");
}

/** What remittance says is due for a transaction, and the ledger accounts that it is paid into. */
export interface Due {
  readonly principal: Money;
  readonly fees: Money;
  readonly taxes: Money;
  readonly clearingAccountId: string;
  readonly feeIncomeAccountId: string;
  readonly taxPayableAccountId: string;
  readonly transactionCode: string;
}

/**
 * Refuses ACCOUNT_NUMBER_MISMATCH and CURRENCY_MISMATCH when what the payer says of the account is
 * not so. Empty says nothing.
 */
export function checkNamedAccount(account: WalletAccount, named: { accountNumber: string; currency: string }): void {
  if (named.accountNumber !== "" && named.accountNumber !== account.accountNumber) {
    throw new Refusal("ACCOUNT_NUMBER_MISMATCH", "accountNumber is not that of the account");
  }
  if (named.currency !== "" && named.currency !== account.currency) {
    throw new Refusal("CURRENCY_MISMATCH", `the account holds ${account.currency}`);
  }
}

/** Refuses SAME_ACCOUNT and CURRENCY_MISMATCH between two wallets. */
export function checkReceivingWallet(from: WalletAccount, to: WalletAccount): void {
  if (to.accountId === from.accountId) throw new Refusal("SAME_ACCOUNT", "a wallet cannot pay itself");
  if (to.currency !== from.currency) {
    throw new Refusal("CURRENCY_MISMATCH", `the receiving wallet holds ${to.currency}, not ${from.currency}`);
  }
}

/** Refuses AMOUNT_NOT_POSITIVE. */
export function checkPositive(amount: Money): void {
  if (amount.minor <= 0n) throw new Refusal("AMOUNT_NOT_POSITIVE", "the amount must be above zero");
}

/** The wallet cannot pay it; the figures are decimal text in its currency. */
export function insufficientFunds(currency: string, availableMinor: bigint, requestedMinor: bigint): Refusal {
  const text = (minor: bigint): string => formatMoney({ minor, currency });
  return new Refusal("INSUFFICIENT_FUNDS", "the wallet's balance is too low", {
    figures: { available: text(availableMinor), asked: text(requestedMinor), currency },
  });
}
