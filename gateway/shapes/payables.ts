import { z } from "zod";
import { Payable as WirePayable } from "../../proto/gen/wallet/v1/payables.js";
import { shape } from "../codec.js";
import { idIn } from "../operations/cursor-pages.js";
import {
  currencyCode,
  decimalText,
  instant,
  maybe,
  moneyTextOrNumberIn,
  text,
  wholeNumberIn,
  shown,
} from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

export const payableType = z.enum(["PAYMENT_REQUEST", "BILL", "MERCHANT", "WITHDRAWAL"]);
const expiresInSeconds = maybe(wholeNumberIn(60, 31_536_000));

export const Payable = shape(
  WirePayable,
  z
    .object({
      payAbleId: leaf.transactionId.meta({ description: "What a payment names as payAbleId." }),
      type: payableType,
      status: shown(z.string(), "OPEN").meta({
        description:
          "OPEN, PAYING, PAID, CANCELLED or EXPIRED; a paid withdrawal is SENDING, then SENT, REFUSED or RETURNED.",
      }),
      payeeName: shown(z.string(), "Bisi Ade"),
      payeeAccountId: z.string().optional(),
      payerCustomerId: z.string().optional(),
      bankAccountId: leaf.bankAccountId.optional(),
      description: leaf.description.optional(),
      reference: leaf.reference.optional(),
      principal: decimalText,
      fee: leaf.fee,
      tax: leaf.tax,
      total: shown(decimalText, "27.76").meta({ description: "What is due: totalCheckOutAmount of its payment." }),
      currency: z.string(),
      createdAt: instant,
      expiresAt: instant.optional(),
      paymentId: leaf.paymentId.optional(),
      reason: leaf.reason.optional(),
    })
    .meta({ id: "Payable" }),
  {
    payAbleId: "payableId",
    currency: "total.currency",
  },
);

export const PaymentRequestRequest = z
  .object({
    payeeAccountId: idIn,
    amount: moneyTextOrNumberIn,
    description: maybe(text(140, 0)),
    payerCustomerId: maybe(idIn).meta({ description: "Who is to pay; anybody of the organisation when absent." }),
    expiresInSeconds,
  })
  .meta({ id: "PaymentRequestRequest" });

export const IssuePayableRequest = z
  .object({
    type: z.enum(["BILL", "MERCHANT"]),
    payeeName: text(100),
    reference: maybe(text(64, 0)),
    description: maybe(text(140, 0)),
    payerCustomerId: maybe(idIn).meta({ description: "Whose it is to pay; anybody's when absent." }),
    currency: currencyCode,
    principal: moneyTextOrNumberIn,
    fee: maybe(moneyTextOrNumberIn),
    tax: maybe(moneyTextOrNumberIn),
    expiresInSeconds,
  })
  .meta({ id: "IssuePayableRequest" });

export const WithdrawalRequest = z
  .object({ bankAccountId: idIn, amount: moneyTextOrNumberIn, description: maybe(text(140, 0)) })
  .meta({ id: "WithdrawalRequest" });
