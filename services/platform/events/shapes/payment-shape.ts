import { z } from "zod";
import * as wire from "../../../../proto/gen/wallet/v1/wallet.js";
import { shape } from "./codec.js";
import { textOf } from "./leaf-codecs.js";
import * as leaf from "./leaves.js";
import { instant, moneyNumber, shown } from "./schema.js";
import { filled, moneyAsNumber } from "./wire.js";

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

/** As it is read later. */
export const StoredPayment = shape(
  wire.Payment,
  PaymentResult.extend({
    newBalance: leaf.newBalance.optional(),
    paidAt: instant.optional(),
    refundedAmount: leaf.zero,
  }).meta({ id: "Payment" }),
  {
    ...fields,
    // Until it is paid there is no balance after it.
    newBalance: ({ paidAt, newBalanceMinor, totalCheckoutAmount }) =>
      paidAt && moneyAsNumber(newBalanceMinor, filled(totalCheckoutAmount, "payment.total_checkout_amount").currency),
    refundedAmount: { minor: "refundedMinor", currency: "totalCheckoutAmount.currency" },
  },
);
