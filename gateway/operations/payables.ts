import { z } from "zod";
import { operation } from "../operation.js";
import {
  IssuePayableRequest,
  Payable,
  payableType,
  PaymentRequestRequest,
  WithdrawalRequest,
} from "../shapes/payables.js";
import { cursorQuery, idIn } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const payablePath = z.object({ payableId: idIn });

/** Ours */
export const requestPayment = operation({
  method: "post",
  path: `${paymentsBase}/payment-requests`,
  operationId: "requestPayment",
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
  gives: "payable",
});

/** Ours */
export const issuePayable = operation({
  method: "post",
  path: `${paymentsBase}/payables`,
  operationId: "issuePayable",
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
  gives: "payable",
});

/** Ours */
export const requestWithdrawal = operation({
  method: "post",
  path: `${paymentsBase}/withdrawals`,
  operationId: "requestWithdrawal",
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
  gives: "payable",
});

/** Ours */
export const readPayable = operation({
  method: "get",
  path: `${paymentsBase}/payables/:payableId`,
  operationId: "readPayable",
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
  gives: "payable",
});

/** Ours */
export const listPayables = operation({
  method: "get",
  path: `${paymentsBase}/payables`,
  operationId: "listPayables",
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

/** Ours */
export const cancelPayable = operation({
  method: "post",
  path: `${paymentsBase}/payables/:payableId/cancel`,
  operationId: "cancelPayable",
  tag: "Payments",
  summary: "Take back what nobody has paid",
  access: ["CUSTOMER", "CASHIER", "MANAGER"],
  scopes: ["payments:request", "payments:process", "withdrawals:make"],
  params: payablePath,
  answer: Payable,
  message: "Payable cancelled",
  example: { as: "amina@demo.example", params: { payableId: "no-such-payable" }, answers: 404 },
  rpc: "wallet.cancelPayable",
  gives: "payable",
});
