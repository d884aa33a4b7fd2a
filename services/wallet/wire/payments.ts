import { SellTransactionResponse } from "../../../proto/gen/wallet/v1/counter.js";
import {
  MakePaymentResponse,
  type PayableType as WirePayableType,
  type Payment as WirePayment,
} from "../../../proto/gen/wallet/v1/wallet.js";
import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import { moneyToWire } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { changeMinor, isSold } from "../domain/counter-sale.js";
import { payableTypes, type PayableType, type Payment } from "../domain/payment.js";

/** Refuses INVALID_INPUT for a type that this service does not pay. */
export function payableTypeFromWire(wire: WirePayableType): PayableType {
  const found = payableTypes.find((type) => wire === `PAYABLE_TYPE_${type}`);
  if (found === undefined) throw invalidInput("payableType", "is not one that can be paid");
  return found;
}

const payableTypeToWire = (type: PayableType): WirePayableType => `PAYABLE_TYPE_${type}`;

/** A payment as it is now. */
export function paymentToWire(payment: Payment): WirePayment {
  const { ending, total, refundedMinor = 0n, refund } = payment;
  const isPart = refund === undefined ? refundedMinor < total.minor : refund.isPart === true;
  const isBack = refund !== undefined || refundedMinor > 0n;
  const came = isBack ? (isPart ? "PARTIALLY_REFUNDED" : "REFUNDED") : undefined;
  return {
    paymentId: payment.paymentId,
    status: came ?? ending?.status ?? "PENDING",
    payableType: payableTypeToWire(payment.payableType),
    payableId: payment.payableId,
    accountId: payment.accountId,
    accountNumber: payment.accountNumber,
    totalCheckoutAmount: moneyToWire(total),
    paymentGatewayRef: payment.paymentGatewayRef,
    newBalanceMinor: ending?.status === "SUCCESS" ? balanceToShow(payment, ending) : 0n,
    payableStatus: ending?.status === "SUCCESS" ? payableStatusNow(payment, ending) : "",
    paidAt: ending?.status === "SUCCESS" ? ending.paidAt : undefined,
    interactionId: payment.interactionId,
    refundedMinor: refund?.amount.minor ?? refundedMinor,
    ...saleToWire(payment),
  };
}

/** Nothing where a wallet paid. */
function saleToWire(
  payment: Payment,
): Pick<WirePayment, "tillId" | "receivedMinor" | "changeMinor" | "transactionCode"> {
  if (!isSold(payment)) return { tillId: "", receivedMinor: 0n, changeMinor: 0n, transactionCode: "" };
  const { tillId = "", receivedMinor, transactionCode } = payment.sale;
  return { tillId, receivedMinor, changeMinor: changeMinor(payment), transactionCode };
}

/** Nor a till's, whose holder counts first; an agent's is read where it is of the moment. */
function balanceToShow({ sale }: Payment, { newBalanceMinor }: { newBalanceMinor: bigint }): bigint {
  return sale === undefined ? newBalanceMinor : 0n;
}

/** What is refunded was paid. */
function payableStatusNow({ isToldSince, refund }: Payment, ending: { payableStatus: string }): string {
  return isToldSince === true || refund !== undefined ? "PAID" : ending.payableStatus;
}

/**
 * The one answer of an ended payment: the same bytes whenever it is rendered. Undefined while it is
 * PENDING.
 */
export function paymentAnswer(payment: Payment): StoredAnswer | undefined {
  const { ending } = payment;
  if (ending === undefined) return undefined;
  if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
  const wire = {
    paymentId: payment.paymentId,
    status: ending.status,
    payableType: payableTypeToWire(payment.payableType),
    payableId: payment.payableId,
    accountId: payment.accountId,
    accountNumber: payment.accountNumber,
    totalCheckoutAmount: moneyToWire(payment.total),
    paymentGatewayRef: payment.paymentGatewayRef,
    newBalanceMinor: balanceToShow(payment, ending),
    payableStatus: ending.payableStatus,
    paidAt: ending.paidAt,
    interactionId: payment.interactionId,
    // Later refunds do not change what was answered.
    refundedMinor: 0n,
    ...saleToWire(payment),
  };
  // The answer of a sale from an agent's account is the same.
  if (isSold(payment)) return { kind: "response", bytes: SellTransactionResponse.encode({ payment: wire }).finish() };
  return { kind: "response", bytes: MakePaymentResponse.encode({ payment: wire }).finish() };
}
