import { z } from "zod";
import type { Payable as WirePayable } from "../../proto/gen/wallet/v1/payables.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, maybe, moneyTextOrNumberIn, text, wholeNumberIn } from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { cursorQuery, idIn, nextCursorOf, pageOf } from "./cursor-pages.js";
import { paymentsBase } from "./wallet-accounts.js";
import { keyOf, replaying } from "./keyed-call.js";

const types = ["PAYMENT_REQUEST", "BILL", "MERCHANT", "WITHDRAWAL"] as const;
const payablePath = z.object({ payableId: idIn });
const expiresInSeconds = maybe(wholeNumberIn(60, 31_536_000));

const Payable = z
  .object({
    payAbleId: z.string().meta({ description: "What a payment names as payAbleId." }),
    type: z.enum(types),
    status: z.string().meta({
      description:
        "OPEN, PAYING, PAID, CANCELLED or EXPIRED; a paid withdrawal is SENDING, then SENT, REFUSED or RETURNED.",
    }),
    payeeName: z.string(),
    payeeAccountId: z.string().optional(),
    payerCustomerId: z.string().optional(),
    bankAccountId: z.string().optional(),
    description: z.string().optional(),
    reference: z.string().optional(),
    principal: decimalText,
    fee: decimalText,
    tax: decimalText,
    total: decimalText.meta({ description: "What is due: totalCheckOutAmount of its payment." }),
    currency: z.string(),
    createdAt: instant,
    expiresAt: instant.optional(),
    paymentId: z.string().optional(),
    reason: z.string().optional(),
  })
  .meta({ id: "Payable" });

/** Ours */
export const requestPayment = route({
  method: "post",
  path: `${paymentsBase}/payment-requests`,
  operationId: "requestPayment",
  tag: "Payments",
  summary: "Ask somebody for money into one's own wallet; paid as payableType WALLET or WALLET_CUSTOMER",
  access: ["CUSTOMER"],
  scopes: ["payments:request"],
  sdk: { name: "request", answer: "payable" },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      payeeAccountId: idIn,
      amount: moneyTextOrNumberIn,
      description: maybe(text(140, 0)),
      payerCustomerId: maybe(idIn).meta({ description: "Who is to pay; anybody of the organisation when absent." }),
      expiresInSeconds,
    })
    .meta({ id: "PaymentRequestRequest" }),
  answer: Payable,
  message: "Payment requested",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "lunch-2026-11-21" },
    body: { payeeAccountId: "the-account", amount: "12.50", description: "Lunch" },
    from: { "body.payeeAccountId": "listWalletAccounts data.4.accountId" },
  },
  renames: { expiresInS: "expiresInSeconds" },
  run: async ({ body, headers, call, clients }) => {
    const { payeeAccountId, amount, description = "", payerCustomerId = "", expiresInSeconds: expiresInS = 0 } = body;
    const request = { ...keyOf(headers), payeeAccountId, amount, description, payerCustomerId, expiresInS };
    return payableOf(await clients.wallet.requestPayment(request, replaying(call)));
  },
});

/** Ours */
export const issuePayable = route({
  method: "post",
  path: `${paymentsBase}/payables`,
  operationId: "issuePayable",
  tag: "Payments",
  summary: "Enter a biller's bill or a merchant's order; paid as payableType BILL or MERCHANT",
  access: ["MANAGER", "CASHIER"],
  scopes: ["payments:request", "payments:process"],
  headers: { idempotencyKey: "required" },
  body: z
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
    .meta({ id: "IssuePayableRequest" }),
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
  run: async ({ body, headers, call, clients }) => {
    const { reference = "", description = "", payerCustomerId = "", fee = "", tax = "", ...rest } = body;
    const { expiresInSeconds: expiresInS = 0, ...asked } = rest;
    const request = { ...keyOf(headers), ...asked, reference, description, payerCustomerId, fee, tax, expiresInS };
    return payableOf(await clients.wallet.issuePayable(request, replaying(call)));
  },
});

/** Ours */
export const requestWithdrawal = route({
  method: "post",
  path: `${paymentsBase}/withdrawals`,
  operationId: "requestWithdrawal",
  tag: "Payments",
  summary: "Prepare a withdrawal to one's own bank account; it goes out once it is paid as payableType WITHDRAWAL",
  access: ["CUSTOMER"],
  scopes: ["withdrawals:make"],
  headers: { idempotencyKey: "required" },
  body: z
    .object({ bankAccountId: idIn, amount: moneyTextOrNumberIn, description: maybe(text(140, 0)) })
    .meta({ id: "WithdrawalRequest" }),
  answer: Payable,
  message: "Withdrawal prepared",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "withdrawal-1" },
    body: { bankAccountId: "the-bank-account", amount: "2500.00" },
    from: { "body.bankAccountId": "listBankAccounts data.0.bankAccountId" },
  },
  run: async ({ body, headers, call, clients }) => {
    const { bankAccountId, amount, description = "" } = body;
    const request = { ...keyOf(headers), bankAccountId, amount, description };
    return payableOf(await clients.wallet.requestWithdrawal(request, replaying(call)));
  },
});

/** Ours */
export const readPayable = route({
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
  run: async ({ params, call, clients }) => payableOf(await clients.wallet.getPayable(params, outgoing(call))),
});

/** Ours */
export const listPayables = route({
  method: "get",
  path: `${paymentsBase}/payables`,
  operationId: "listPayables",
  tag: "Payments",
  summary: "List what one pays or gets; all of it for staff",
  access: ["CUSTOMER", "CASHIER", "MANAGER"],
  scopes: ["payments:request", "payments:make", "payments:process"],
  query: cursorQuery.extend({ type: z.enum(types).optional() }),
  answer: z.object({ payables: z.array(Payable), nextCursor: z.string().optional() }),
  message: "Payables",
  example: { as: "amina@demo.example" },
  run: async ({ query, call, clients }) => {
    const request = { ...pageOf(query), type: query.type ?? "" };
    const answer = await clients.wallet.listPayables(request, outgoing(call));
    return { payables: answer.payables.map(payableFromWire), ...nextCursorOf(answer) };
  },
});

/** Ours */
export const cancelPayable = route({
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
  run: async ({ params, call, clients }) => payableOf(await clients.wallet.cancelPayable(params, outgoing(call))),
});

function payableOf({ payable }: { payable?: WirePayable | undefined }): z.output<typeof Payable> {
  return payableFromWire(filled(payable, "payable"));
}

function payableFromWire(payable: WirePayable): z.output<typeof Payable> {
  const { expiresAt } = payable;
  return {
    payAbleId: payable.payableId,
    type: types.find((type) => type === payable.type) ?? "BILL",
    status: payable.status,
    payeeName: payable.payeeName,
    payeeAccountId: absentIfEmpty(payable.payeeAccountId),
    payerCustomerId: absentIfEmpty(payable.payerCustomerId),
    bankAccountId: absentIfEmpty(payable.bankAccountId),
    description: absentIfEmpty(payable.description),
    reference: absentIfEmpty(payable.reference),
    principal: moneyText(payable.principal, "payable.principal"),
    fee: moneyText(payable.fee, "payable.fee"),
    tax: moneyText(payable.tax, "payable.tax"),
    total: moneyText(payable.total, "payable.total"),
    currency: filled(payable.total, "payable.total").currency,
    createdAt: timeText(payable.createdAt, "payable.created_at"),
    expiresAt: expiresAt === undefined ? undefined : timeText(expiresAt, ""),
    paymentId: absentIfEmpty(payable.paymentId),
    reason: absentIfEmpty(payable.reason),
  };
}
