import { divideMoney, parseDecimal } from "../../kernel/decimal.js";
import { compareMoney, money, subtractMoney, type Money } from "../../kernel/money.js";
import { partnerAccountId } from "../../platform/plugins/partner-accounts.js";
import type { RefundTerms } from "./payout-refund.js";
import type { Refund } from "./refund.js";
import type { Transaction } from "./transaction.js";

/**
 * Accounts of remittance in the ledger by their code; an id is "code:CURRENCY", and a partner has
 * one of its own.
 */
export type AccountCode =
  "remittance_clearing" | "fee_income" | "tax_payable" | "exchange_position" | "bank_charges" | "refund_expense";

/**
 * A movement that the ledger is asked for. Everything in it follows from what is stored, so that
 * repeating it changes nothing.
 */
export interface PlannedTransfer {
  /** Decides once, for ever. */
  key: string;
  debitAccountId: string;
  creditAccountId: string;
  amount: Money;
  kind: "settlement" | "exchange" | "refund" | "fee_refund" | "tax_refund" | "payout_return" | "bank_charge";
  description: string;
  metadata?: Record<string, string>;
  /** When it is posted where absent. */
  effectiveAt?: Date;
}

export const accountOf = (code: AccountCode, currency: string): string => `${code}:${currency}`;

/** What the partner that took its payout is owed: for good, wherever routes lead since. */
export function partnerAccountOf({ payout, price: { receive } }: Transaction): string {
  return partnerAccountId("partner_settlement", payout?.installationId, receive.currency);
}

/**
 * The one transfer by which a transaction's principal leaves clearing for the first time, settled
 * or refunded. Both groups hold this key, and a key of the ledger decides once: even a bug here
 * could not do both.
 */
export const clearingKey = (transactionId: string): string => `clearing:${transactionId}`;

/**
 * Whom a transaction's payout is credited to: the partner, the till or the agent whose cash was
 * handed out, or the recipient's wallet.
 */
export function paidTo(transaction: Transaction): string {
  const { pickup, recipientWallet, price } = transaction;
  if (recipientWallet !== undefined) return recipientWallet.accountId;
  if (pickup?.paidOutBy !== undefined) {
    const code = pickup.isOfAgent === true ? "agent_unsettled" : "cash_till";
    return `${code}:${pickup.paidOutBy}:${price.receive.currency}`;
  }
  return partnerAccountOf(transaction);
}

/**
 * Where a refund goes: back into the wallet that paid, or, where it was sold for cash, to what is
 * owed to senders at the counter, an account of wallet's that is there since the sale.
 */
export function refundAccountOf(payingAccountId: string, { price: { total } }: Transaction): string {
  return /^(cash_till|agent_account):/.test(payingAccountId) ? `counter_payable:${total.currency}` : payingAccountId;
}

/**
 * Clearing → exchange position → who is paid; straight there where nothing is exchanged. Cash
 * counts for the day on which it was handed out.
 */
export function settlementTransfers(transaction: Transaction): PlannedTransfer[] {
  const { effectiveAt } = transaction.pickup ?? {};
  return legsOfSettlement(transaction).map((leg) => (effectiveAt === undefined ? leg : { ...leg, effectiveAt }));
}

function legsOfSettlement(transaction: Transaction): PlannedTransfer[] {
  const { transactionId, transactionCode, price } = transaction;
  const { principal, receive, rate } = price;
  const clearing = accountOf("remittance_clearing", principal.currency);
  const partner = paidTo(transaction);
  const description = `Payout of ${transactionCode}`;
  const metadata = { rate };
  const key = clearingKey(transactionId);
  if (isDirect(transaction)) {
    return [
      { key, debitAccountId: clearing, creditAccountId: partner, amount: receive, kind: "settlement", description },
    ];
  }
  const position = (currency: string) => accountOf("exchange_position", currency);
  return [
    {
      key,
      debitAccountId: clearing,
      creditAccountId: position(principal.currency),
      amount: principal,
      kind: "exchange",
      description,
      metadata,
    },
    {
      key: `settlement:${transactionId}:receive`,
      debitAccountId: position(receive.currency),
      creditAccountId: partner,
      amount: receive,
      kind: "settlement",
      description,
      metadata,
    },
  ];
}

/**
 * Money back on request, out of the organisation's own pocket: the partner has paid the recipient.
 */
export function requestedRefund(
  { transactionId, transactionCode }: Transaction,
  { refundId, amount }: Pick<Refund, "refundId" | "amount">,
  refundAccountId: string,
): PlannedTransfer {
  return {
    key: requestedRefundKey(transactionId, refundId),
    debitAccountId: accountOf("refund_expense", amount.currency),
    creditAccountId: refundAccountId,
    amount,
    kind: "refund",
    description: `Refund of ${transactionCode}`,
  };
}

/** Key of the transfer that credits who is paid. */
export function settlementKey(transaction: Transaction): string {
  const { transactionId } = transaction;
  return isDirect(transaction) ? clearingKey(transactionId) : `settlement:${transactionId}:receive`;
}

function isDirect({ price: { principal, receive } }: Transaction): boolean {
  return principal.currency === receive.currency && principal.minor === receive.minor;
}

/** Key of the transfer that takes back from the partner what came back. */
export const returnKey = (transactionId: string): string => `return:${transactionId}:receive`;

/** Key of the transfer by which the recipient's wallet gives back what was asked for once. */
export const takeBackKey = (transactionId: string, refundId: string): string =>
  `return:${transactionId}:wallet:${refundId}`;

/**
 * Keys of all transfers that a transaction may have in the ledger, those of its
 * payment among them, which the wallet posts. None before it is paid. The requested
 * refunds come last, the oldest first.
 */
export function transferKeysOf({ transactionId, paymentId, refunds = [] }: Transaction): string[] {
  if (paymentId === undefined) return [];
  return [
    ...["principal", "fee", "tax"].map((part) => `payment:${paymentId}:${part}`),
    clearingKey(transactionId),
    `settlement:${transactionId}:receive`,
    returnKey(transactionId),
    `return:${transactionId}:send`,
    ...["principal", "kept", "fee", "tax"].map((part) => `refund:${transactionId}:${part}`),
    ...refunds.flatMap(({ refundId }) => [
      requestedRefundKey(transactionId, refundId),
      takeBackKey(transactionId, refundId),
    ]),
  ];
}

const requestedRefundKey = (transactionId: string, refundId: string): string =>
  `refund:${transactionId}:request:${refundId}`;

/** What the sender gets back and by which transfers; parts of zero are left out. */
export interface RefundPlan {
  refunded: Money;
  transfers: PlannedTransfer[];
}

/** `refundAccountId` is as refundAccountOf says. */
export function refundPlan(transaction: Transaction, terms: RefundTerms, refundAccountId: string): RefundPlan {
  const { transactionId, transactionCode, price } = transaction;
  const { principal, totalFees, totalTaxes, total } = price;
  const { currency } = principal;
  const charge = terms.from === "PARTNER" ? deductedInSendCurrency(transaction, terms.kept) : money(0n, currency);
  const back = (part: string, code: AccountCode, amount: Money, kind: PlannedTransfer["kind"]): PlannedTransfer => ({
    key:
      part === "principal" && terms.from === "CLEARING" && !terms.isKeySpent
        ? clearingKey(transactionId)
        : `refund:${transactionId}:${part}`,
    debitAccountId: accountOf(code, currency),
    creditAccountId: part === "kept" ? accountOf("bank_charges", currency) : refundAccountId,
    amount,
    kind,
    description: `${part === "kept" ? "Kept by a bank of" : "Refund of"} ${transactionCode}`,
  });
  const transfers = [
    ...(terms.from === "PARTNER" ? returnTransfers(transaction, terms.kept) : []),
    // Without an exchange the wallet has given it back to clearing itself.
    ...(terms.from === "WALLET" && !isDirect(transaction) ? [returnToClearing(transaction)] : []),
    back("principal", "remittance_clearing", subtractMoney(principal, charge), "refund"),
    back("kept", "remittance_clearing", charge, "bank_charge"),
    back("fee", "fee_income", totalFees, "fee_refund"),
    back("tax", "tax_payable", totalTaxes, "tax_refund"),
  ];
  return { refunded: subtractMoney(total, charge), transfers: transfers.filter(({ amount }) => amount.minor > 0n) };
}

/**
 * The settlement turned round: the principal is in clearing again, and the partner keeps its claim
 * for what a bank kept. Always through the exchange position, which then is short of exactly what
 * bank_charges has set aside for it.
 */
function returnTransfers(transaction: Transaction, deducted: Money): PlannedTransfer[] {
  const { transactionId, transactionCode, price } = transaction;
  const { receive, rate } = price;
  const returned = subtractMoney(receive, deducted);
  const description = `Return of ${transactionCode}`;
  const position = (currency: string) => accountOf("exchange_position", currency);
  return [
    {
      key: returnKey(transactionId),
      debitAccountId: partnerAccountOf(transaction),
      creditAccountId: position(receive.currency),
      amount: returned,
      kind: "payout_return",
      description,
      metadata: { rate },
    },
    returnToClearing(transaction),
  ];
}

/** The principal is in clearing again, out of the exchange. */
function returnToClearing({ transactionId, transactionCode, price }: Transaction): PlannedTransfer {
  const { principal, rate } = price;
  return {
    key: `return:${transactionId}:send`,
    debitAccountId: accountOf("exchange_position", principal.currency),
    creditAccountId: accountOf("remittance_clearing", principal.currency),
    amount: principal,
    kind: "exchange",
    description: `Return of ${transactionCode}`,
    metadata: { rate },
  };
}

/**
 * What a bank kept, in the send currency at the transaction's own rate, half-even: never more than
 * the principal.
 */
export function deductedInSendCurrency({ price }: Transaction, deducted: Money): Money {
  const { principal, rate } = price;
  if (deducted.currency === principal.currency) return least(deducted, principal);
  return least(divideMoney(deducted, parseDecimal(rate), principal.currency, "half-even"), principal);
}

function least(a: Money, b: Money): Money {
  return compareMoney(a, b) <= 0 ? a : b;
}
