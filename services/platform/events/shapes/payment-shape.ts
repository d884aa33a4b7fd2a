import { z } from "zod";
import * as wire from "../../../../proto/gen/wallet/v1/wallet.js";
import { shape } from "./codec.js";
import { textOf } from "./leaf-codecs.js";
import * as leaf from "./leaves.js";
import { decimalText, instant, moneyNumber, shown } from "./schema.js";
import { filled, moneyAsNumber, moneyText } from "./wire.js";

const fields = {
  payAbleId: "payableId",
  totalCheckOutAmount: "totalCheckoutAmount",
  currency: "totalCheckoutAmount.currency",
  newBalance: { minor: "newBalanceMinor", currency: "totalCheckoutAmount.currency" },
} as const;

/** A payment as whoever makes it is answered. */
export const PaymentResult = shape(
  wire.Payment,
  z
    .object({
      paymentId: leaf.paymentId,
      status: shown(z.string(), "SUCCESS"),
      payableType: shown(textOf(wire.PayableType), "TRANSACTION"),
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
    .meta({ id: "PaymentResult" }),
  fields,
);

function ofSale(amountMinor: bigint, total: wire.Payment["totalCheckoutAmount"]): string {
  const { currency } = filled(total, "payment.total_checkout_amount");
  return moneyText({ amountMinor, currency }, "payment.received");
}

/** As it is read later. */
export const StoredPayment = shape(
  wire.Payment,
  PaymentResult.extend({
    accountId: leaf.accountId.optional().meta({ description: "The wallet that paid; absent of a counter sale." }),
    accountNumber: leaf.accountNumber.optional(),
    newBalance: leaf.newBalance.optional(),
    paidAt: instant.optional(),
    refundedAmount: leaf.zero,
    tillId: z.string().optional().meta({ description: "The till that took cash for it." }),
    transactionCode: leaf.transactionCode.optional(),
    received: shown(decimalText, "30.00").optional().meta({ description: "The cash that the customer gave." }),
    change: shown(decimalText, "7.74").optional().meta({ description: "What they got back of it at once." }),
  }).meta({ id: "Payment" }),
  {
    ...fields,
    // Until it is paid there is no balance after it.
    newBalance: ({ paidAt, tillId, newBalanceMinor, totalCheckoutAmount }) =>
      tillId === ""
        ? paidAt &&
          moneyAsNumber(newBalanceMinor, filled(totalCheckoutAmount, "payment.total_checkout_amount").currency)
        : undefined,
    received: ({ tillId, receivedMinor, totalCheckoutAmount }) =>
      tillId === "" ? undefined : ofSale(receivedMinor, totalCheckoutAmount),
    change: ({ tillId, changeMinor, totalCheckoutAmount }) =>
      tillId === "" ? undefined : ofSale(changeMinor, totalCheckoutAmount),
    refundedAmount: { minor: "refundedMinor", currency: "totalCheckoutAmount.currency" },
  },
);
