import { z } from "zod";
import type { Payment } from "../../../../proto/gen/wallet/v1/wallet.js";
import { instant, moneyNumber, shown } from "./schema.js";
import { enumName, filled, moneyAsNumber, moneyOf, moneyText, timeText } from "./wire.js";
import * as leaf from "./leaves.js";

/** A payment as whoever makes it is answered. */
export const PaymentResult = z
  .object({
    paymentId: leaf.paymentId,
    status: shown(z.string(), "SUCCESS"),
    payableType: shown(z.string(), "TRANSACTION"),
    payAbleId: leaf.transactionId,
    accountId: leaf.accountId,
    accountNumber: leaf.accountNumber,
    totalCheckOutAmount: shown(moneyNumber, 22.26),
    currency: z.string(),
    paymentGatewayRef: leaf.reference,
    newBalance: leaf.newBalance,
    payableStatus: shown(z.string(), "PAID"),
    paidAt: instant,
    interactionId: leaf.interactionId,
  })
  .meta({ id: "PaymentResult" });

/** As it is read later. */
export const StoredPayment = PaymentResult.extend({
  newBalance: leaf.newBalance.optional(),
  paidAt: instant.optional(),
  refundedAmount: leaf.zero,
}).meta({ id: "Payment" });

export function paymentFromWire(payment: Payment): z.output<typeof PaymentResult> {
  const total = moneyOf(payment.totalCheckoutAmount, "payment.total_checkout_amount");
  return {
    paymentId: payment.paymentId,
    status: payment.status,
    payableType: enumName(payment.payableType, "PAYABLE_TYPE_"),
    payAbleId: payment.payableId,
    accountId: payment.accountId,
    accountNumber: payment.accountNumber,
    totalCheckOutAmount: moneyAsNumber(total.minor, total.currency),
    currency: total.currency,
    paymentGatewayRef: payment.paymentGatewayRef,
    newBalance: moneyAsNumber(payment.newBalanceMinor, total.currency),
    payableStatus: payment.payableStatus,
    paidAt: timeText(payment.paidAt, "payment.paid_at"),
    interactionId: payment.interactionId,
  };
}

export function storedPaymentFromWire(wire: Payment | undefined): z.output<typeof StoredPayment> {
  const payment = filled(wire, "payment");
  const { currency } = moneyOf(payment.totalCheckoutAmount, "payment.total_checkout_amount");
  const refundedAmount = moneyText({ amountMinor: payment.refundedMinor, currency }, "refunded");
  if (payment.paidAt !== undefined) return { ...paymentFromWire(payment), refundedAmount };
  const { newBalance: _none, paidAt: _never, ...shown } = paymentFromWire({ ...payment, paidAt: new Date(0) });
  return { ...shown, refundedAmount };
}
