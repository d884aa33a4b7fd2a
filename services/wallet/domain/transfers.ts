import type { Money } from "../../kernel/money.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { partnerAccountId, partnerIdOf } from "../../platform/plugins/partner-accounts.js";
import type { OwnAccount } from "./movement.js";
import type { Due, Payment } from "./payment.js";

/**
 * A transfer that the ledger is asked for. All of it follows from what is stored, so that asking
 * again changes nothing.
 */
export interface PlannedTransfer {
  /** Decides once, for ever. */
  readonly key: string;
  readonly debitAccountId: string;
  readonly creditAccountId: string;
  readonly amount: Money;
  /** In the field's terms, such as "wallet_payment" or "deposit". */
  readonly kind: string;
  readonly description: string;
  /** Business time that it counts for; when it is posted where absent. */
  readonly effectiveAt?: Date;
  /** POSTED where absent. */
  readonly mode?: "TRANSFER_MODE_PENDING" | "TRANSFER_MODE_POST_PENDING" | "TRANSFER_MODE_VOID_PENDING";
  /** Of POST_PENDING and VOID_PENDING, which leave out the accounts. */
  readonly pendingKey?: string;
  /** Refused where the debited account would come below zero further than `beyondMinor`. */
  readonly staysWithin?: "ENTRY_SIDE_DEBIT";
  readonly beyondMinor?: bigint;
  /** Of PENDING: released by itself after so long. */
  readonly timeoutS?: number;
}

/**
 * Key of the first transfer for a transaction: the ledger knows it when the payment was decided.
 */
export function principalKeyOf({ paymentId }: Pick<Payment, "paymentId">): string {
  return `payment:${paymentId}:principal`;
}

/**
 * One linked group: wallet, till or agent's account → clearing (principal), fee income and tax
 * payable; parts of zero are left out. Throws, as a bug of the two services, when the parts are not
 * what the payer agreed to.
 */
export function transfersOfTransaction(payment: Payment, due: Due): PlannedTransfer[] {
  const parts = [
    { part: "principal", amount: due.principal, account: due.clearingAccountId, kind: "wallet_payment" },
    { part: "fee", amount: due.fees, account: due.feeIncomeAccountId, kind: "fee" },
    { part: "tax", amount: due.taxes, account: due.taxPayableAccountId, kind: "tax" },
  ] as const;
  const sum = parts.reduce((all, { amount }) => all + amount.minor, 0n);
  const isOneCurrency = parts.every(({ amount }) => amount.currency === payment.total.currency);
  if (sum !== payment.total.minor || !isOneCurrency || parts.some(({ amount }) => amount.minor < 0n)) {
    throw new Error(`payment ${payment.paymentId}: what was claimed is not what is paid`);
  }
  if (due.principal.minor === 0n) throw new Error(`payment ${payment.paymentId}: a transaction without a principal`);
  return parts
    .filter(({ amount }) => amount.minor > 0n)
    .map(({ part, amount, account, kind }) => ({
      key: `payment:${payment.paymentId}:${part}`,
      debitAccountId: payment.sale?.debitAccountId ?? payment.accountId,
      creditAccountId: account,
      amount,
      kind,
      description: `${descriptions[kind]} ${due.transactionCode}`,
      ...withinLine(payment.sale?.lineMinor),
    }));
}

/** Out of an agent's account: no further below zero than its credit line. */
export const withinLine = (lineMinor: bigint | undefined): Pick<PlannedTransfer, "staysWithin" | "beyondMinor"> =>
  lineMinor === undefined ? {} : { staysWithin: "ENTRY_SIDE_DEBIT", beyondMinor: lineMinor };

const descriptions = {
  wallet_payment: "Payment of transaction",
  fee: "Fee of transaction",
  tax: "Tax on the fee of transaction",
} as const;

/** Wallet → wallet. */
export function transferToWallet({ paymentId, accountId, payableId, total }: WalletPayment): PlannedTransfer {
  return {
    key: `payment:${paymentId}:transfer`,
    debitAccountId: accountId,
    creditAccountId: payableId,
    amount: total,
    kind: "wallet_transfer",
    description: `Wallet payment ${paymentId}`,
  };
}

type WalletPayment = Pick<Payment, "paymentId" | "accountId" | "payableId" | "total">;

/** The tenant's account with one partner in one currency: its own, or the operator's. */
export function partnerAccount(code: string, at: OwnPartner | undefined, currency: string, name: string): OwnAccount {
  const accountId = partnerAccountId(code, at?.installationId, currency);
  const metadata = { partner: partnerIdOf(at?.installationId) };
  return { accountId, code, currency, name: `${name} ${currency}`, metadata };
}

/** The tenant's money at one bank in one currency. */
export const bankSettlement = (currency: string, at: OwnPartner | undefined): OwnAccount =>
  partnerAccount("bank_settlement", at, currency, "Bank settlement");

/** Money that arrived for nobody known. */
export function suspense(currency: string): OwnAccount {
  return { accountId: `suspense:${currency}`, code: "suspense", currency, name: `Suspense ${currency}` };
}

/**
 * An account for one movement alone, of the shared one's code and currency: what was taken always
 * fits.
 */
export function apart(shared: OwnAccount, movementId: string): OwnAccount {
  return { ...shared, accountId: `${shared.accountId}:${movementId}`, name: `${shared.name}, ${movementId}` };
}

/** Bank → wallet. */
export function transferOfDeposit(deposit: {
  depositId: string;
  accountId: string;
  amount: Money;
  /** The bank's. */
  reference: string;
  at?: OwnPartner | undefined;
}): PlannedTransfer {
  const { depositId, accountId, amount, reference, at } = deposit;
  return {
    key: `deposit:${depositId}`,
    debitAccountId: bankSettlement(amount.currency, at).accountId,
    creditAccountId: accountId,
    amount,
    kind: "deposit",
    description: `Deposit ${reference}`,
  };
}
