import { z } from "zod";
import { operation } from "../operation.js";
import { namedTypes } from "./payables.js";
import { PaymentResult, StoredPayment } from "../../services/platform/events/shapes/payment-shape.js";
import {
  currencyCode,
  maybe,
  moneyNumberIn,
  text,
  idIn,
  instant,
  moneyTextOrNumberIn,
  shown,
  reasonIn,
  decimalText,
} from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import * as wire from "../../proto/gen/wallet/v1/refunds.js";
import { shape, filled, moneyText } from "../codec.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { base, transactionPath, firstTransaction, anyTransaction, ofPath } from "./transactions.js";

export const payableTypes = ["TRANSACTION", "WALLET", "WALLET_CUSTOMER", ...namedTypes] as const;
const WalletPaymentRequest = z
  .object({
    payableType: z.enum(payableTypes),
    payAbleId: text(128),
    // A missing password is a missing credential (403), not a missing field, and is found after
    // replay and ownership are checked.
    password: maybe(text(1024, 0)).meta({ description: "The customer's password; without it 403 PASSWORD_REQUIRED." }),
    accountId: text(128),
    totalCheckOutAmount: moneyNumberIn,
    paymentGatewayRef: text(255).meta({ description: "Unique per customer, for ever." }),
    accountNumber: maybe(text(64, 0)),
    paymentAccountNumbeCurrencyCode: maybe(currencyCode),
    otp: maybe(text(64, 0)),
    pin: maybe(text(64, 0)),
  })
  .meta({ id: "WalletPaymentRequest" });

/** §4.13 */
export const payFromWallet = operation({
  method: "post",
  path: `${paymentsBase}/makepaymentfromwalletaccount`,
  contract: true,
  tag: "Payments",
  summary: "Pay a payable item from a wallet account",
  access: ["CASHIER", "CUSTOMER"],
  scopes: ["payments:make", "payments:process"],
  sdk: { answer: "payment", isKeyed: true },
  headers: { idempotencyKey: "optional" },
  body: WalletPaymentRequest,
  answer: PaymentResult,
  message: "Payment made",
  example: {
    as: "amina@demo.example",
    body: {
      payableType: "TRANSACTION",
      payAbleId: leaf.ids.transactionId,
      password: "Demo-Amina-1",
      accountId: leaf.ids.accountId,
      totalCheckOutAmount: 22.26,
      paymentGatewayRef: "invoice-2026-0042",
    },
    from: {
      "body.payAbleId": "createTransaction data.id",
      "body.accountId": "listWalletAccounts data.4.accountId",
    },
  },
  renames: {
    payableId: "payAbleId",
    totalCheckoutAmount: "totalCheckOutAmount",
    amount: "totalCheckOutAmount",
    currency: "paymentAccountNumbeCurrencyCode",
  },
  rpc: "wallet.makePayment",
  fields: {
    payAbleId: "payableId",
    totalCheckOutAmount: "totalCheckoutAmount",
    paymentAccountNumbeCurrencyCode: "currency",
  },
});

export const readPayment = operation({
  method: "get",
  path: `${paymentsBase}/payments/:paymentId`,
  tag: "Payments",
  summary: "Read a payment as it is now, with what came back of it",
  access: ["CUSTOMER", "CASHIER", "AGENT", "MANAGER"],
  scopes: ["payments:make", "payments:process", "accounts:read"],
  inPerson: ["AGENT"],
  sdk: { name: "read" },
  params: z.object({ paymentId: idIn }),
  answer: StoredPayment,
  message: "Payment",
  example: {
    as: "amina@demo.example",
    params: { paymentId: "the-payment" },
    from: { "params.paymentId": "payFromWallet data.paymentId" },
  },
  rpc: "wallet.getPayment",
});

const Refund = shape(
  wire.Refund,
  z
    .object({
      refundId: z.string(),
      paymentId: leaf.paymentId,
      amount: leaf.totalAmount,
      currency: z.string(),
      status: shown(z.string(), "ASKED").meta({ description: "ASKED, POSTING, DONE, REFUSED or FAILED." }),
      reason: leaf.reason,
      approvalId: z.string().optional(),
      failure: leaf.failure.optional(),
      createdAt: instant,
    })
    .meta({ id: "Refund" }),
  {
    currency: "amount.currency",
  },
);

export const refundPayment = operation({
  method: "post",
  path: `${paymentsBase}/payments/:paymentId/refund`,
  tag: "Payments",
  summary:
    "Ask for a payment to be refunded, whole or in part; another manager approves it. Transactions are refunded themselves.",
  access: ["MANAGER", "CASHIER", "AGENT"],
  scopes: ["transactions:write", "refunds:request"],
  sdk: { name: "refund" },
  headers: { idempotencyKey: "required" },
  params: z.object({ paymentId: idIn }),
  body: z
    .object({
      amount: maybe(moneyTextOrNumberIn).meta({ description: "All that is left when absent." }),
      reason: reasonIn,
    })
    .meta({ id: "RefundPaymentRequest" }),
  answer: Refund,
  message: "Refund asked for",
  waits: true,
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "refund-1" },
    params: { paymentId: "no-such-payment" },
    body: { reason: "Sent back" },
    answers: 404,
  },
  rpc: "wallet.refundPayment",
  isWaiting: ({ status }) => status === "ASKED",
});

export const readRefund = operation({
  method: "get",
  path: `${paymentsBase}/refunds/:refundId`,
  tag: "Payments",
  summary: "Read a refund",
  access: ["MANAGER", "CASHIER", "AGENT"],
  scopes: ["transactions:write", "refunds:request"],
  params: z.object({ refundId: idIn }),
  answer: Refund,
  message: "Refund",
  example: { as: "manager@demo.example", params: { refundId: "no-such-refund" }, answers: 404 },
  rpc: "wallet.getRefund",
});

/** Ours: what §4.13 refers to. */
export const listPaymentMethods = route({
  method: "get",
  path: `${base}/transactions/:transactionId/payment-methods`,
  tag: "Transactions",
  summary: "How a transaction can be paid, and whether the wallet has enough",
  access: ["MANAGER", "CASHIER", "CUSTOMER"],
  scopes: ["transactions:read", "transactions:read:own"],
  params: transactionPath,
  answer: z.array(
    z
      .object({
        method: z.literal("E_WALLET"),
        metadata: z.object({
          sufficient: z.boolean(),
          totalAmount: decimalText,
          currency: z.string(),
          accountId: shown(z.string(), leaf.ids.accountId)
            .optional()
            .meta({ description: "The account with the most of it; absent without one." }),
          availableBalance: leaf.balance.optional().meta({ description: "Not shown to cashiers." }),
        }),
      })
      .meta({ id: "PaymentMethod" }),
  ),
  message: "Payment methods",
  example: { as: "amina@demo.example", params: anyTransaction, from: firstTransaction },
  renames: ofPath,
  run: async ({ params, call, clients }) => {
    const { transaction } = await clients.remittance.getTransaction(params, outgoing(call));
    const { totalAmount, sender } = filled(transaction, "transaction");
    const { customerId } = filled(sender, "sender");
    const { accounts } = await clients.wallet.listWalletAccounts({ customerId }, outgoing(call));
    const total = filled(totalAmount, "total_amount");
    const { currency } = total;
    const [richest] = accounts
      .filter((account) => account.currency === currency && (account.status === "OPEN" || account.status === "ACTIVE"))
      .toSorted((a, b) => (a.availableBalanceMinor > b.availableBalanceMinor ? -1 : 1));
    const available = richest?.availableBalanceMinor;
    return [
      {
        method: "E_WALLET" as const,
        metadata: {
          sufficient: available !== undefined && available >= total.amountMinor,
          totalAmount: moneyText(total, "total_amount"),
          currency,
          accountId: richest?.accountId,
          availableBalance:
            available === undefined || call.user?.role === "CASHIER"
              ? undefined
              : moneyText({ amountMinor: available, currency }, "available"),
        },
      },
    ];
  },
});
