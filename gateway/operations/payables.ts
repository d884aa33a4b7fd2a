import { z } from "zod";
import { operation } from "../operation.js";
import {
  cursorQuery,
  idIn,
  currencyCode,
  decimalText,
  instant,
  maybe,
  moneyTextOrNumberIn,
  text,
  wholeNumberIn,
  shown,
} from "../schema.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { Payable as WirePayable } from "../../proto/gen/wallet/v1/payables.js";
import { shape } from "../codec.js";

const issuedTypes = ["BILL", "MERCHANT"] as const;
/** What a payment names by its own type: a payment request is paid as a wallet is. */
export const namedTypes = [...issuedTypes, "WITHDRAWAL"] as const;
const payableType = z.enum(["PAYMENT_REQUEST", ...namedTypes]);
const payeeCode = z
  .string()
  .max(40)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be of a to z and 0 to 9, words parted by "-"')
  .meta({ examples: ["city-power"] });
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
      payeeCode: payeeCode.optional().meta({
        description:
          "Of a bill or an order: whose account it is paid into, merchant_settlement:<payeeCode>:<CURRENCY>.",
      }),
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
    type: z.enum(issuedTypes),
    payeeName: text(100),
    payeeCode: maybe(payeeCode).meta({
      description: "Who is owed, by your own code; follows from payeeName when absent.",
    }),
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

const payablePath = z.object({ payableId: idIn });

export const requestPayment = operation({
  method: "post",
  path: `${paymentsBase}/payment-requests`,
  tag: "Payments",
  summary: "Ask somebody for money into one's own wallet; paid as payableType WALLET or WALLET_CUSTOMER",
  access: ["CUSTOMER"],
  scopes: ["payments:request"],
  sdk: { name: "request", answer: "payable" },
  headers: { idempotencyKey: "required" },
  body: PaymentRequestRequest,
  answer: Payable,
  message: "Payment requested",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "lunch-2026-11-21" },
    body: { payeeAccountId: "the-account", amount: "12.50", description: "Lunch" },
    from: { "body.payeeAccountId": "listWalletAccounts data.4.accountId" },
  },
  renames: { expiresInS: "expiresInSeconds" },
  rpc: "wallet.requestPayment",
  fields: { expiresInSeconds: "expiresInS" },
});

export const issuePayable = operation({
  method: "post",
  path: `${paymentsBase}/payables`,
  tag: "Payments",
  summary: "Enter a biller's bill or a merchant's order; paid as payableType BILL or MERCHANT",
  access: ["MANAGER", "CASHIER"],
  scopes: ["payments:request", "payments:process"],
  headers: { idempotencyKey: "required" },
  body: IssuePayableRequest,
  answer: Payable,
  message: "Payable issued",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "invoice-7" },
    body: {
      type: "BILL",
      payeeName: "City Power",
      reference: "INV-7",
      currency: "USD",
      principal: "80.00",
      fee: "1.00",
    },
  },
  renames: { expiresInS: "expiresInSeconds" },
  rpc: "wallet.issuePayable",
  fields: { expiresInSeconds: "expiresInS" },
});

export const requestWithdrawal = operation({
  method: "post",
  path: `${paymentsBase}/withdrawals`,
  tag: "Payments",
  summary: "Prepare a withdrawal to one's own bank account; it goes out once it is paid as payableType WITHDRAWAL",
  access: ["CUSTOMER"],
  scopes: ["withdrawals:make"],
  headers: { idempotencyKey: "required" },
  body: WithdrawalRequest,
  answer: Payable,
  message: "Withdrawal prepared",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "withdrawal-1" },
    body: { bankAccountId: "the-bank-account", amount: "2500.00" },
    from: { "body.bankAccountId": "listBankAccounts data.0.bankAccountId" },
  },
  rpc: "wallet.requestWithdrawal",
});

export const readPayable = operation({
  method: "get",
  path: `${paymentsBase}/payables/:payableId`,
  tag: "Payments",
  summary: "Read something that can be paid, or was",
  access: ["CUSTOMER", "CASHIER", "MANAGER"],
  scopes: ["payments:request", "payments:make", "payments:process"],
  params: payablePath,
  answer: Payable,
  message: "Payable",
  example: {
    as: "amina@demo.example",
    params: { payableId: "the-payable" },
    from: { "params.payableId": "requestPayment data.payAbleId" },
  },
  rpc: "wallet.getPayable",
});

export const listPayables = operation({
  method: "get",
  path: `${paymentsBase}/payables`,
  tag: "Payments",
  summary: "List what one pays or gets; all of it for staff",
  access: ["CUSTOMER", "CASHIER", "MANAGER"],
  scopes: ["payments:request", "payments:make", "payments:process"],
  query: cursorQuery.extend({ type: payableType.optional() }),
  answer: z.object({ payables: z.array(Payable), nextCursor: leaf.nextCursor.optional() }),
  message: "Payables",
  example: { as: "amina@demo.example" },
  rpc: "wallet.listPayables",
});

export const cancelPayable = operation({
  method: "post",
  path: `${paymentsBase}/payables/:payableId/cancel`,
  tag: "Payments",
  summary: "Take back what nobody has paid",
  access: ["CUSTOMER", "CASHIER", "MANAGER"],
  scopes: ["payments:request", "payments:process", "withdrawals:make"],
  params: payablePath,
  answer: Payable,
  message: "Payable cancelled",
  example: { as: "amina@demo.example", params: { payableId: "no-such-payable" }, answers: 404 },
  rpc: "wallet.cancelPayable",
});
