import { createHash } from "node:crypto";
import { formatMoney, type Money } from "../../kernel/money.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import type { WalletAccount } from "./account.js";
import type { OwnAccount } from "./movement.js";
import type { PlannedTransfer } from "./transfers.js";

/** What staff enters for somebody to pay. */
export const issuedTypes = ["BILL", "MERCHANT"] as const;
/** What a payment names by its own type: a payment request is paid as the wallet that gets it. */
export const namedTypes = [...issuedTypes, "WITHDRAWAL"] as const;
export const itemTypes = ["PAYMENT_REQUEST", ...namedTypes] as const;
export type PayableItemType = (typeof itemTypes)[number];

export type PayableStatus = "OPEN" | "PAYING" | "PAID" | "CANCELLED" | "SENDING" | "SENT" | "REFUSED" | "RETURNED";

export type Sending = "ASKED" | "STOPPED";

/** Something that is paid once from a wallet. */
export interface PayableItem {
  readonly payableId: string;
  readonly type: PayableItemType;
  readonly status: PayableStatus;
  readonly payeeName: string;
  /** Of a bill or an order: who of the tenant's billers and merchants is owed, for good. */
  readonly payeeCode?: string;
  /** Of a payment request: the wallet that gets it, and whose it is. */
  readonly payeeAccountId?: string;
  readonly payeeCustomerId?: string;
  /** Who may pay; absent for anybody of the tenant. */
  readonly payerCustomerId?: string;
  /** Of a withdrawal. */
  readonly bankAccountId?: string;
  readonly description: string;
  readonly reference: string;
  readonly currency: string;
  readonly principalMinor: bigint;
  readonly feeMinor: bigint;
  readonly taxMinor: bigint;
  readonly createdAt: Date;
  /** User id. */
  readonly createdBy: string;
  readonly expiresAt?: Date;
  /** The payment that holds it, while PAYING and after. */
  readonly paymentId?: string;
  /**
   * Of a withdrawal that is SENDING, once decided: ASKED, so the bank may have it; STOPPED, so it
   * never will.
   */
  readonly sending?: Sending;
  /**
   * Of a withdrawal that is ASKED: the tenant's own bank that makes
   * it; the operator's where absent.
   */
  readonly partner?: OwnPartner;
  /** The bank's reason, of a withdrawal that it did not make. */
  readonly reason?: string;
}

/** What is due, to the last minor unit. */
export function dueOf({
  principalMinor,
  feeMinor,
  taxMinor,
  currency,
}: Pick<PayableItem, "principalMinor" | "feeMinor" | "taxMinor" | "currency">): Money {
  return { minor: principalMinor + feeMinor + taxMinor, currency };
}

export function isExpired({ status, expiresAt }: PayableItem, now: Date): boolean {
  return status === "OPEN" && expiresAt !== undefined && expiresAt <= now;
}

/**
 * Refuses a payment of the item as things are; undefined where it can be paid: FORBIDDEN for
 * somebody else's, PAYABLE_ALREADY_PAID, PAYABLE_NOT_OPEN, PAYABLE_EXPIRED, CURRENCY_MISMATCH,
 * AMOUNT_MISMATCH, SAME_ACCOUNT.
 */
export function refusedToPay(item: PayableItem, payer: WalletAccount, total: Money, now: Date): Refusal | undefined {
  if (item.payerCustomerId !== undefined && item.payerCustomerId !== payer.customerId) {
    return new Refusal("FORBIDDEN", "this is another customer's to pay");
  }
  if (item.status !== "OPEN") {
    if (item.status === "CANCELLED") return new Refusal("PAYABLE_NOT_OPEN", "it was cancelled");
    if (item.status === "PAYING") return passing("PAYABLE_NOT_OPEN", "another payment is paying it");
    return new Refusal("PAYABLE_ALREADY_PAID", "it was paid already");
  }
  if (isExpired(item, now)) return new Refusal("PAYABLE_EXPIRED", "the time to pay it is over");
  if (item.payeeAccountId === payer.accountId) return new Refusal("SAME_ACCOUNT", "a wallet cannot pay itself");
  const due = dueOf(item);
  if (total.currency !== due.currency) {
    return new Refusal("CURRENCY_MISMATCH", `it is due in ${due.currency}, the wallet holds ${total.currency}`);
  }
  if (total.minor !== due.minor) {
    return new Refusal("AMOUNT_MISMATCH", "totalCheckOutAmount is not what is due", {
      figures: { due: formatMoney(due), currency: due.currency },
    });
  }
  return undefined;
}

/** Codes of the tenant's own accounts that payables are paid into. */
export const paidIntoCodes = {
  BILL: "merchant_settlement",
  MERCHANT: "merchant_settlement",
  WITHDRAWAL: "withdrawal_clearing",
} as const;

/** What staff may give as a payee's code: a part of an account's id. */
export const payeeCodePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const maxPayeeCode = 40;

/**
 * The code of a payee who has none: the same however its name is cased and spaced, another for
 * every other name.
 */
export function payeeCodeOf(payeeName: string): string {
  const canonical = payeeName.normalize("NFKC").toLowerCase().replaceAll(/\s+/gu, " ").trim();
  const latin = canonical.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  const readable = latin
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 24)
    .replaceAll(/^-|-$/g, "");
  const digest = createHash("sha256").update(canonical).digest("hex").slice(0, 12);
  return readable === "" ? digest : `${readable}-${digest}`;
}

function payeeAccount({ payeeCode, payeeName, currency }: PayableItem): OwnAccount {
  if (payeeCode === undefined) throw new Error(`a payable of ${payeeName} without a payee's code`);
  const accountId = `merchant_settlement:${payeeCode}:${currency}`;
  const name = `Owed to ${payeeName} ${currency}`;
  return { accountId, code: "merchant_settlement", currency, name, metadata: { payee: payeeCode } };
}

export const feeCode = "wallet_fee_income";
export const taxCode = "wallet_tax_payable";

/** The tenant's own account of a code in a currency. */
export function ownAccount(code: string, currency: string, name: string): OwnAccount {
  return { accountId: `${code}:${currency}`, code, currency, name: `${name} ${currency}` };
}

const ownNames: Readonly<Record<string, string>> = {
  withdrawal_clearing: "Withdrawals on their way",
  wallet_fee_income: "Fees on payments",
  wallet_tax_payable: "Taxes on fees of payments",
};

/** One linked group: the wallet pays the payee, the fee and the tax; parts of zero are left out. */
export function planOfPayable(
  payment: { paymentId: string; accountId: string },
  item: PayableItem,
): { transfers: PlannedTransfer[]; ownAccounts: OwnAccount[] } {
  const { currency, type } = item;
  const isRequest = type === "PAYMENT_REQUEST";
  const own = (code: string) => ownAccount(code, currency, ownNames[code] ?? code);
  const payee = isRequest ? undefined : type === "WITHDRAWAL" ? own(paidIntoCodes[type]) : payeeAccount(item);
  const parts = [
    {
      part: isRequest ? "transfer" : "principal",
      account: payee,
      minor: item.principalMinor,
      kind: isRequest ? "wallet_transfer" : paidAs[type],
    },
    { part: "fee", account: own(feeCode), minor: item.feeMinor, kind: "fee" },
    { part: "tax", account: own(taxCode), minor: item.taxMinor, kind: "tax" },
  ].filter(({ minor }) => minor > 0n);
  return {
    transfers: parts.map(({ part, account, minor, kind }) => ({
      key: `payment:${payment.paymentId}:${part}`,
      debitAccountId: payment.accountId,
      creditAccountId: account?.accountId ?? item.payeeAccountId ?? "",
      amount: { minor, currency },
      kind,
      description: descriptionOf(item),
    })),
    ownAccounts: parts.flatMap(({ account }) => account ?? []),
  };
}

const paidAs = { BILL: "bill_payment", MERCHANT: "merchant_payment", WITHDRAWAL: "withdrawal" } as const;

function descriptionOf({ payeeName, reference, description }: PayableItem): string {
  return [payeeName, reference, description]
    .filter((part) => part !== "")
    .join(", ")
    .slice(0, 200);
}
