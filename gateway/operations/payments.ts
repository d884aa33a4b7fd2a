import { z } from "zod";
import { operation } from "../operation.js";
import { PaymentResult, StoredPayment } from "../../services/platform/events/shapes/payment-shape.js";
import { currencyCode, maybe, moneyNumberIn, text } from "../schema.js";
import { idIn } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const payableTypes = ["TRANSACTION", "WALLET", "WALLET_CUSTOMER", "BILL", "MERCHANT", "WITHDRAWAL"] as const;
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
  operationId: "payFromWallet",
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
    idempotencyKey: "headers.x-idempotency-key",
    currency: "paymentAccountNumbeCurrencyCode",
  },
  rpc: "wallet.makePayment",
  fields: {
    payAbleId: "payableId",
    totalCheckOutAmount: "totalCheckoutAmount",
    paymentAccountNumbeCurrencyCode: "currency",
  },
  gives: "payment",
});

/** Ours */
export const readPayment = operation({
  method: "get",
  path: `${paymentsBase}/payments/:paymentId`,
  operationId: "readPayment",
  tag: "Payments",
  summary: "Read a payment as it is now, with what came back of it",
  access: ["CUSTOMER", "CASHIER", "MANAGER"],
  scopes: ["payments:make", "payments:process", "accounts:read"],
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
  gives: "payment",
});
