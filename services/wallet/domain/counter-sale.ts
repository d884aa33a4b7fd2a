import { formatMoney, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { agentAccount } from "./agent-accounts.js";
import type { NewAgentLine } from "./agent-line.js";
import { counterPayableAccount } from "./counter-payable.js";
import type { OwnAccount } from "./movement.js";
import type { SaleCommission } from "./sale-commission.js";
import type { Payment } from "./payment.js";
import type { NewTillLine } from "./till-line.js";
import type { DayPart } from "./wallet-daily-limit.js";
import { tillAccount } from "./till.js";

/** Cash that is taken for a transaction at a counter, in place of a wallet. */
interface TakenForSale {
  /** User id of whoever takes it. */
  readonly cashierId: string;
  /** Absent for a cashier's. */
  readonly role?: "AGENT";
  /** The till's, or the agent's own, which is debited. */
  readonly debitAccountId: string;
  /** What the customer gave; more than the total is change. */
  readonly receivedMinor: bigint;
  readonly transactionCode: string;
  /** Of an agent: the version of their configuration that it was held against, 0 where none was. */
  readonly agentVersion?: number;
  /** Of an agent with a limit of a day: what it takes of it. */
  readonly agentDay?: DayPart;
  /** Of an agent who earns by it. */
  readonly commission?: SaleCommission;
}

/** The organisation's cash, in a till. */
interface AtTill {
  readonly tillId: string;
  /** The till has no more than this with it. */
  readonly tillMaxMinor: bigint;
  readonly lineMinor?: undefined;
}

/** An agent's own cash: their account pays for it. */
interface FromAccount {
  readonly tillId?: undefined;
  /** So far below zero the account may come with it. */
  readonly lineMinor: bigint;
}

export type CounterSale = TakenForSale & (AtTill | FromAccount);

/** A payment that cash is taken for. */
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
export function accountsOfSale({ sale: { cashierId, tillId }, total: { currency } }: SoldPayment): OwnAccount[] {
  const paying =
    tillId === undefined
      ? agentAccount("ACCOUNT", { agentId: cashierId, currency })
      : tillAccount({ cashierId, currency });
  return [paying, counterPayableAccount(currency)];
}

/** Sales out of one till, or of one agent's account, take turns by this. */
export const turnOfSale = ({ sale }: Payment): string | undefined => sale && (sale.tillId ?? sale.debitAccountId);

export const accountOfTill = (till: Parameters<typeof tillAccount>[0]): string => tillAccount(till).accountId;

interface SaleEnding {
  readonly paidAt: Date;
  readonly day?: string;
}

/** Throws, as a bug, where it was ended without its day. */
function dayOf({ paymentId }: SoldPayment, { day }: SaleEnding): string {
  if (day === undefined) throw new Error(`sale ${paymentId} was booked on no day`);
  return day;
}

export function lineOfSale(sold: SoldPayment, ending: SaleEnding): NewTillLine {
  const { paymentId, createdBy: movedBy, total, sale } = sold;
  const day = dayOf(sold, ending);
  const { paidAt: bookedAt } = ending;
  const { transactionCode } = sale;
  return { kind: "SALE", amountMinor: total.minor, bookedAt, day, movedBy, movementId: paymentId, transactionCode };
}

/** As lineOfSale, of an agent's account. */
export function agentLineOfSale(sold: SoldPayment, ending: SaleEnding): NewAgentLine {
  const { paymentId, total, sale, payableId: transactionId } = sold;
  return {
    lineId: `sale:${paymentId}`,
    agentId: sale.cashierId,
    currency: total.currency,
    kind: "SALE",
    account: "ACCOUNT",
    amountMinor: -total.minor,
    transactionId,
    transactionCode: sale.transactionCode,
    businessDay: dayOf(sold, ending),
    at: ending.paidAt,
  };
}
