import { z } from "zod";
import { outgoing } from "../../services/shared/grpc/client.js";
import { FileAnswer } from "../file-answer.js";
import { route } from "../route.js";
import {
  countryIn,
  currencyCode,
  decimalText,
  instant,
  instantIn,
  maybe,
  moneyTextOrNumberIn,
  text,
} from "../schema.js";
import { absentIfEmpty, filled, moneyText, timeText } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { cursorQuery, pageOf } from "./compliance-pages.js";
import { deliveryMethods, Refund, refundFromWire, Transaction, transactionFromWire } from "./transaction-shape.js";
import { StoredTransaction, storedFromWire } from "./transaction-shape.js";

const base = `${v6}/transactionmanagement`;
const transactionPath = z.object({ transactionId: z.string().regex(/^[\w.:-]{1,128}$/, "is not an id") });
const staff = ["MANAGER", "AGENT", "CASHIER"] as const;
const firstTransaction = { "params.transactionId": "createTransaction data.id" };
const anyTransaction = { transactionId: "the-id-of-a-transaction" };
const keyed = { idempotencyKey: "headers.x-idempotency-key", transactionId: "path.transactionId" };

const ListQuery = cursorQuery.extend({
  status: text(200).optional().meta({ description: "One or more, separated by commas." }),
  type: z.enum(deliveryMethods).optional(),
  from: instantIn.optional().meta({ description: "Created from, inclusive." }),
  to: instantIn.optional().meta({ description: "Created to, exclusive." }),
  sendCurrency: currencyCode.optional(),
  receivingCountry: countryIn.optional(),
  senderCustomerCode: text(128).optional(),
  recipientCustomerCode: text(128).optional(),
  search: text(200).optional().meta({ description: "Whole words of names and codes; all of them must be there." }),
});

/** Ours. Customers see their own, cashiers what they created, agents what their customers sent, managers all. */
const listTransactions = route({
  method: "get",
  path: `${base}/transactions`,
  operationId: "listTransactions",
  tag: "Transactions",
  summary: "List transactions, the newest first",
  access: everyRole,
  query: ListQuery,
  answer: z
    .object({ transactions: z.array(Transaction), nextCursor: z.string().optional() })
    .meta({ id: "Transactions", description: "nextCursor is absent on the last page." }),
  message: "Transactions",
  example: { as: "amina@demo.example", query: { size: "10" } },
  renames: { pageSize: "query.size", recipientCode: "query.recipientCustomerCode", statuses: "query.status" },
  run: async ({ query, call, clients }) => {
    const { transactions, nextCursor } = await clients.remittance.listTransactions(
      {
        statuses: query.status?.split(",").map((status) => status.trim()) ?? [],
        type: query.type === undefined ? "DELIVERY_METHOD_UNSPECIFIED" : `DELIVERY_METHOD_${query.type}`,
        ...(query.from !== undefined && { from: new Date(query.from) }),
        ...(query.to !== undefined && { to: new Date(query.to) }),
        sendCurrency: query.sendCurrency ?? "",
        receivingCountry: query.receivingCountry ?? "",
        senderCustomerCode: query.senderCustomerCode ?? "",
        recipientCode: query.recipientCustomerCode ?? "",
        search: query.search ?? "",
        ...pageOf(query),
      },
      outgoing(call),
    );
    return { transactions: transactions.map(transactionFromWire), nextCursor: absentIfEmpty(nextCursor) };
  },
});

/** Ours. */
const updateTransactionStatus = route({
  method: "put",
  path: `${base}/transactions/:transactionId/status`,
  operationId: "updateTransactionStatus",
  tag: "Transactions",
  summary: "Cancel a transaction for its sender, or end the time to pay for it",
  access: staff,
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: z
    .object({ status: z.enum(["CANCELLED", "EXPIRED"]), reason: text(200) })
    .meta({ id: "TransactionStatusChange" }),
  answer: StoredTransaction,
  message: "Transaction changed",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "status-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { status: "EXPIRED", reason: "The sender will not pay" },
    answers: 404,
  },
  renames: keyed,
  run: async ({ params, body, headers, call, clients }) => {
    const { transaction } = await clients.remittance.updateTransactionStatus(
      { ...params, ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return storedFromWire(transaction);
  },
});

/** Ours. Four eyes: another manager approves it. */
const requestRefund = route({
  method: "post",
  path: `${base}/transactions/:transactionId/refunds`,
  operationId: "requestRefund",
  tag: "Transactions",
  summary: "Ask for a refund of a completed transaction, whole or in part; a second person decides",
  access: staff,
  headers: { idempotencyKey: "required" },
  params: transactionPath,
  body: z
    .object({
      amount: maybe(moneyTextOrNumberIn).meta({
        description: "In the sending currency; all that is left when absent.",
      }),
      reason: text(200),
      fromRecipient: maybe(z.boolean()).meta({
        description:
          "WALLET only: all of it is taken back from the recipient's wallet, where it is still there, and the sender gets all that was paid.",
      }),
    })
    .meta({ id: "RefundRequest" }),
  answer: z.object({ refund: Refund, approvalStatus: z.string() }).meta({ id: "RequestedRefund" }),
  waits: true,
  message: "Refund asked for",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "refund-2026-0042" },
    params: { transactionId: "no-such-transaction" },
    body: { amount: "5.00", reason: "Arrived late" },
    answers: 404,
  },
  renames: keyed,
  run: async ({ params, body, headers, call, clients }) => {
    const { refund, approvalStatus } = await clients.remittance.requestRefund(
      {
        ...params,
        amount: body.amount ?? "",
        reason: body.reason,
        fromRecipient: body.fromRecipient ?? false,
        idempotencyKey: headers["x-idempotency-key"] ?? "",
      },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    if (approvalStatus === "PENDING") call.markWaiting();
    return { refund: refundFromWire(filled(refund, "refund")), approvalStatus };
  },
});

/** Ours. Shown once: only a hash of it is kept. */
const issuePickupCode = route({
  method: "post",
  path: `${base}/transactions/:transactionId/pickup-code`,
  operationId: "issuePickupCode",
  tag: "Cash pickup",
  summary: "Get the code that the recipient collects cash with; the one before it ends",
  access: ["CASHIER", "CUSTOMER"],
  params: transactionPath,
  answer: z.object({ pickupCode: z.string(), transactionCode: z.string() }).meta({ id: "PickupCode" }),
  message: "Pickup code",
  example: { as: "amina@demo.example", params: { transactionId: "no-such-transaction" }, answers: 404 },
  renames: keyed,
  run: async ({ params, call, clients }) => {
    const { code, transactionCode } = await clients.remittance.issuePickupCode(params, outgoing(call));
    return { pickupCode: code, transactionCode };
  },
});

/** Ours. */
const payOutCash = route({
  method: "post",
  path: `${base}/cash-pickups`,
  operationId: "payOutCash",
  tag: "Cash pickup",
  summary: "Hand cash out to the recipient against the code; five wrong codes lock it",
  access: ["CASHIER"],
  headers: { idempotencyKey: "required" },
  body: z.object({ transactionCode: text(40), pickupCode: text(40) }).meta({ id: "CashPickup" }),
  answer: z
    .object({
      transactionId: z.string(),
      transactionCode: z.string(),
      status: z.string(),
      amount: decimalText,
      currency: z.string(),
      recipientName: z.string(),
      paidOutAt: instant,
    })
    .meta({ id: "CashPickedUp" }),
  message: "Cash handed out",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "pickup-2026-0042" },
    body: { transactionCode: "MN0000000000", pickupCode: "00000-00000" },
    answers: 404,
  },
  renames: keyed,
  run: async ({ body, headers, call, clients }) => {
    const { amount, paidOutAt, ...rest } = await clients.remittance.payOutCash(
      { ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    const { transactionId, transactionCode, status, recipientName } = rest;
    const { currency } = filled(amount, "amount");
    const handedOut = { amount: moneyText(amount, "amount"), currency, paidOutAt: timeText(paidOutAt, "paid_out_at") };
    return { transactionId, transactionCode, status, recipientName, ...handedOut };
  },
});

/** Ours. */
const readReceipt = route({
  method: "get",
  path: `${base}/transactions/:transactionId/receipt`,
  operationId: "readReceipt",
  tag: "Transactions",
  summary: "Read the receipt of a transaction that was paid for, as JSON or as a PDF",
  access: everyRole,
  params: transactionPath,
  query: z.object({ format: z.enum(["json", "pdf"]).optional() }),
  files: ["application/pdf"],
  answer: z
    .object({ organisation: z.string(), paidAt: instant, transaction: StoredTransaction })
    .meta({ id: "Receipt" }),
  message: "Receipt",
  example: { as: "amina@demo.example", params: { transactionId: "no-such-transaction" }, answers: 404 },
  renames: keyed,
  run: async ({ params, query, call, clients }) => {
    const asPdf = query.format === "pdf";
    const receipt = await clients.remittance.getReceipt({ ...params, asPdf }, outgoing(call));
    const { transaction, paidAt, organisation, pdf } = receipt;
    if (asPdf) {
      return new FileAnswer(`receipt-${transaction?.transactionCode ?? ""}.pdf`, Buffer.from(pdf), "application/pdf");
    }
    return { organisation, paidAt: timeText(paidAt, "paid_at"), transaction: storedFromWire(transaction) };
  },
});

/** Ours: what §4.13 refers to. */
const listPaymentMethods = route({
  method: "get",
  path: `${base}/transactions/:transactionId/payment-methods`,
  operationId: "listPaymentMethods",
  tag: "Transactions",
  summary: "How a transaction can be paid, and whether the wallet has enough",
  access: ["MANAGER", "CASHIER", "CUSTOMER"],
  params: transactionPath,
  answer: z.array(
    z
      .object({
        method: z.literal("E_WALLET"),
        metadata: z.object({
          sufficient: z.boolean(),
          totalAmount: decimalText,
          currency: z.string(),
          accountId: z
            .string()
            .optional()
            .meta({ description: "The account with the most of it; absent without one." }),
          availableBalance: decimalText.optional().meta({ description: "Not shown to cashiers." }),
        }),
      })
      .meta({ id: "PaymentMethod" }),
  ),
  message: "Payment methods",
  example: { as: "amina@demo.example", params: anyTransaction, from: firstTransaction },
  renames: keyed,
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

export const transactionDeskRoutes = [
  listTransactions,
  updateTransactionStatus,
  requestRefund,
  issuePickupCode,
  payOutCash,
  readReceipt,
  listPaymentMethods,
];
