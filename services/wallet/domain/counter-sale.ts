import { formatMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { counterPayableAccount } from "./counter-payable.js";
import type { OwnAccount } from "./movement.js";
import type { SaleCommission } from "./sale-commission.js";
import type { Payment } from "./payment.js";
import type { NewTillLine } from "./till-line.js";
import type { DayPart } from "./wallet-daily-limit.js";
import { tillAccount } from "./till.js";

/** Cash that a till takes for a transaction, in place of a wallet. */
export interface CounterSale {
  readonly tillId: string;
  /** User id of whoever holds the till. */
  readonly cashierId: string;
  /** Absent for a cashier's. */
  readonly role?: "AGENT";
  /** The till's, which is debited. */
  readonly tillAccountId: string;
  /** The till has no more than this with it. */
  readonly tillMaxMinor: bigint;
  /** What the customer gave; more than the total is change. */
  readonly receivedMinor: bigint;
  readonly transactionCode: string;
  /** Of an agent with a limit of a day: what it takes of it. */
  readonly agentDay?: DayPart;
  /** Of an agent who earns by it. */
  readonly commission?: SaleCommission;
}

/** A payment that a till takes cash for. */
export type SoldPayment = Payment & { readonly sale: CounterSale };

export const isSold = (payment: Payment): payment is SoldPayment => payment.sale !== undefined;

export function changeMinor({ total, sale }: SoldPayment): bigint {
  return sale.receivedMinor - total.minor;
}

/** Refuses RECEIVED_TOO_LITTLE naming what is due. */
export function refusedAsReceived(total: Money, received: Money): Refusal | undefined {
  if (received.minor >= total.minor) return undefined;
  const { currency } = total;
  return new Refusal("RECEIVED_TOO_LITTLE", `${formatMoney(total)} ${currency} is due`, {
    figures: { totalAmount: formatMoney(total), received: formatMoney(received), currency },
  });
}

/** What a sale and its way back need in the ledger: remittance credits it, and makes none. */
export function accountsOfSale({ sale: { cashierId }, total: { currency } }: SoldPayment): OwnAccount[] {
  return [tillAccount({ cashierId, currency }), counterPayableAccount(currency)];
}

export const accountOfTill = (till: Parameters<typeof tillAccount>[0]): string => tillAccount(till).accountId;

/** Throws, as a bug, where it was ended without its day. */
export function lineOfSale(
  { paymentId, createdBy: movedBy, total, sale }: SoldPayment,
  { paidAt: bookedAt, day }: { paidAt: Date; day?: string },
): NewTillLine {
  if (day === undefined) throw new Error(`sale ${paymentId} was booked on no day`);
  const { transactionCode } = sale;
  return { kind: "SALE", amountMinor: total.minor, bookedAt, day, movedBy, movementId: paymentId, transactionCode };
}
